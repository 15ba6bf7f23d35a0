/**
 * Catch the signals SIGINT, SIGTERM and SIGHUP. These signals ask a run to end and to write its
 * result so far.
 *
 * The first signal ends the sampling. From then on, a wait for a file, a library or another program
 * must be short: code that waits calls stop_age(), and gives up in time. After a second signal,
 * code must not wait at all. A third signal is not caught, so it ends the process.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/** The time to wait after a signal, in milliseconds. */
enum {
	STOP_PROGRAM = 300, // wait for the sampled program
	// wait for a sampled program that writes the names of its functions when it ends
	STOP_RUNTIME = 5000,
	STOP_ANSWER = 600,  // wait for the answer of another program
	STOP_STALLED = 250, // wait for work that makes no progress
	STOP_SYMBOLS = 800, // wait for the symbols of all files together
	STOP_HELPER = 5000, // wait for a profiler that makes progress
	STOP_MESSAGE = 300, // wait until a terminal or pipe accepts a message
};

/** Catch the signals, unless they are caught already. An ignored signal remains ignored. Return 0,
 * or -1 with errno set. */
int stop_catch(void);

/** Handle the signals again as before stop_catch(). */
void stop_release(void);

/** In a child process, restore the default action of each signal. Only signals that were ignored
 * before stop_catch() remain ignored. */
void stop_release_in_child(void);

/** Return whether the signals are caught. */
bool stop_is_caught(void);

/** Return a descriptor that is readable when a signal has come; see stop_next(). If no signal is
 * caught, return -1. */
int stop_fd(void);

/** Return the next signal that came, or 0. Set `*for_all` to whether a terminal sent the signal. A
 * terminal sends a signal to all processes of the group. */
int stop_next(bool *for_all);

/** Return how many milliseconds ago the first signal came, or -1 if no signal came. After a second
 * signal, return INT32_MAX, which is larger than any time limit. */
int64_t stop_age(void);

/** Return whether both the first signal and `start` are at least `patience` milliseconds ago. After
 * a second signal, return true. `start` is a result of stop_now(). */
bool stop_is_over(int64_t start, int64_t patience);

/** Return the time of a monotonic clock, in milliseconds. */
int64_t stop_now(void);

/** Call poll(). Before a signal, there is no time limit. After a signal, return 0 if there is no
 * event for `patience` milliseconds. */
int stop_poll(struct pollfd *polled, unsigned n, int64_t patience);
