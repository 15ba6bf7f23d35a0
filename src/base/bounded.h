/**
 * Work that may hang: reading a file on a dead server or on a file system in a program (FUSE), or
 * calling a library. A second thread does the work, and the caller waits for a limited time. The
 * second thread is used only if signals are caught (stop.h). If signals are not caught, a signal
 * ends the process even during the work, so the caller's thread does the work.
 */
#ifndef INFERNO_BOUNDED_H
#define INFERNO_BOUNDED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** How long to wait, in milliseconds. */
struct bounded_limits {
	unsigned stalled; // time limit without a signal, for work that uses no processor time; 0:
			  // no limit
	unsigned stopped; // time limit after a signal, for work that uses no processor time
	unsigned total;   // time limit after a signal, for all work together
};

struct bounded_thread;

/** A second thread for work that may hang. The thread does one piece of work at a time. A struct is
 * ready to use if all members except the limits are zero. */
struct bounded {
	struct bounded_limits limits;
	struct bounded_thread *thread; // NULL: no thread was needed yet
	int64_t used;  // time that work has taken after a signal so far, in microseconds
	unsigned lost; // number of pieces of work that were given up
};

enum bounded_result {
	BOUNDED_DONE,
	BOUNDED_REFUSED, // no time was left, so the work was not begun
	BOUNDED_LOST,    // the work may still run, so its memory must never be released
};

/** Return whether another thread does the work. If another thread does the work, `context` must be
 * memory that may be leaked. */
bool bounded_is_needed(void);

/** Do some work, and wait for its end. If `*unwanted` becomes true, wait for the work only as long
 * as after a signal. `unwanted` may be NULL. */
enum bounded_result bounded_do(struct bounded *bounded, void (*work)(void *context), void *context,
			       const atomic_bool *unwanted);

/** Begin some work. The caller then calls bounded_wait() to wait for its end. Return false if the
 * work could not be started. */
bool bounded_begin(struct bounded *bounded, void (*work)(void *context), void *context);
enum bounded_result bounded_wait(struct bounded *bounded, const atomic_bool *unwanted);

/** End the thread, unless the wait for its work was given up. */
void bounded_release(struct bounded *bounded);

/** Return whether any thread was abandoned. The process must then end without a clean-up, because
 * the thread may still use memory. */
bool bounded_any_lost(void);

#endif
