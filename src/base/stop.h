/**
 * Signals that ask a run to end and to write its result so far: SIGINT, SIGTERM and SIGHUP.
 *
 * The first signal ends the sampling. After the first signal, no wait for a file, a library or
 * another program may take long: code that waits calls stop_age(), and gives up in time. After the
 * second signal, no code may wait at all. The third signal is not caught, so it ends the process.
 */
#ifndef INFERNO_STOP_H
#define INFERNO_STOP_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/** How many milliseconds to wait after a signal: */
enum {
	STOP_PROGRAM = 300, // for the program that is sampled
	// for a sampled program that writes the names of its functions when it ends
	STOP_RUNTIME = 5000,
	STOP_ANSWER = 600,  // for another program that has to answer a request
	STOP_STALLED = 250, // for anything that makes no progress
	STOP_SYMBOLS = 800, // for the symbols of all files together
	STOP_HELPER = 5000, // for a profiler that makes progress
	STOP_MESSAGE = 300, // for a terminal or pipe to accept a message
};

/** Catch the signals, unless they are caught already. An ignored signal remains ignored. Return 0,
 * or -1 with errno set. */
int stop_catch(void);

/** Restore the handling of the signals from before stop_catch(). */
void stop_release(void);

/** In a child process, restore the handling of the signals, but keep ignoring the signals that were
 * ignored. */
void stop_release_in_child(void);

/** Return whether stop_catch() was called. */
bool stop_is_caught(void);

/** Return a descriptor that is readable when a signal has come; see stop_next(). */
int stop_fd(void);

/** Return the next signal that came, or 0. Set `*for_all` to whether a terminal sent the signal:
 * then the other processes of the group got the signal, too. */
int stop_next(bool *for_all);

/** Return how many milliseconds ago the first signal came, or -1 if no signal came. After a second
 * signal, the result is larger than any time limit. */
int64_t stop_age(void);

/** Return whether a signal came at least `patience` milliseconds ago, and `start`, a time from
 * stop_now(), is at least as long ago. */
bool stop_is_over(int64_t start, int64_t patience);

/** Return the time of a monotonic clock, in milliseconds. */
int64_t stop_now(void);

/** Call poll() without a time limit. If a signal comes, return 0 after `patience` milliseconds
 * without an event.
 */
int stop_poll(struct pollfd *polled, unsigned n, int64_t patience);

#endif
