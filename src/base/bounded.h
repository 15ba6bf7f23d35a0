/**
 * Do work that may hang, for example reading a file from a server that does not answer, or calling
 * a library. A second thread does the work, and the caller waits for a limited time. The second
 * thread is used only if signals are caught (stop.h). If signals are not caught, a signal ends the
 * process even during the work, so the caller's thread does the work.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** How long to wait, in milliseconds. */
struct bounded_limits {
	unsigned stalled; // limit for work that uses no processor time, before any signal; 0: no
			  // limit
	unsigned stopped; // limit for work that uses no processor time, after a signal
	unsigned total;   // limit for all work together, after a signal
};

struct bounded_thread;

/** A second thread for work that may hang. The thread does one piece of work at a time. To start,
 * set the limits, and set all other members to zero. */
struct bounded {
	struct bounded_limits limits;
	struct bounded_thread *thread; // NULL: no work was done yet
	int64_t used;  // time that work has taken after a signal so far, in microseconds
	unsigned lost; // number of pieces of work that were given up
};

enum bounded_result {
	BOUNDED_DONE,
	BOUNDED_REFUSED, // the work was not begun: no time is left, or no thread could be created
	BOUNDED_LOST,    // the wait was given up; the work may still run, so never release its
			 // memory
};

/** Return whether bounded_do() uses a second thread. In this case, pass a context that may be
 * leaked, because the thread may use the context for ever. */
bool bounded_is_needed(void);

/** Do some work, and wait for its end. If `*unwanted` becomes true, apply the limit `stopped`, as
 * after a signal. `unwanted` may be NULL. */
enum bounded_result bounded_do(struct bounded *bounded, void (*work)(void *context), void *context,
			       const atomic_bool *unwanted);

/** Begin some work. The caller then calls bounded_wait() to wait for its end. Return false if the
 * work could not be started. */
bool bounded_begin(struct bounded *bounded, void (*work)(void *context), void *context);
enum bounded_result bounded_wait(struct bounded *bounded, const atomic_bool *unwanted);

/** End the thread, unless the wait for its work was given up. */
void bounded_release(struct bounded *bounded);

/** Return whether any thread was abandoned. In this case, end the process without releasing memory,
 * because the thread may still use the memory. */
bool bounded_any_lost(void);
