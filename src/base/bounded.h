/**
 * Work that may hang: reading a file on a dead server or on a file system in a program (FUSE), or
 * calling a library. A thread does it, and its caller waits for a limited time. Such a thread is
 * used only if signals are caught (stop.h). Otherwise a signal ends the process anyway, and the
 * caller's thread does the work.
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

/** Does one piece of work at a time. A struct is ready to use if all but the limits is zero. */
struct bounded {
	struct bounded_limits limits;
	struct bounded_thread *thread; // NULL: no thread was needed yet
	int64_t used;                  // time after a signal, in microseconds
	unsigned lost;                 // number of pieces of work that were given up
};

enum bounded_result {
	BOUNDED_DONE,
	BOUNDED_REFUSED, // no time was left, so the work was not begun
	BOUNDED_LOST,    // the work may still run, so its memory must never be released
};

/** Return whether work is done by another thread. If so, `context` must be memory that may be
 * leaked. */
bool bounded_is_needed(void);

/** Do some work, and wait for its end. A true `*unwanted`, unless NULL, ends the wait for stalled
 * work as a signal does. */
enum bounded_result bounded_do(struct bounded *bounded, void (*work)(void *context), void *context,
			       const atomic_bool *unwanted);

/** Begin some work. The caller then calls bounded_wait(). Return whether the work was begun. */
bool bounded_begin(struct bounded *bounded, void (*work)(void *context), void *context);
enum bounded_result bounded_wait(struct bounded *bounded, const atomic_bool *unwanted);

/** End the thread, unless its work was given up. */
void bounded_release(struct bounded *bounded);

/** Return whether any work was given up, so that the process has to end without a clean-up. */
bool bounded_any_lost(void);

#endif
