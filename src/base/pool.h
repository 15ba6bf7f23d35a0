/** Run work on several threads. */
#pragma once

#include <stddef.h>

/**
 * Call work(context, i) for i = 0 to threads - 1, one call on each thread. The caller's thread
 * makes the call for 0. New threads, in which all signals are blocked, make the other calls. If a
 * thread cannot be started, the caller's thread makes that thread's call, too. Return after all
 * calls have returned.
 */
void pool_run(size_t threads, void (*work)(void *context, size_t i), void *context);

/** Call work(context, piece) for piece = 0 to pieces - 1 on several threads. The pieces are begun
 * in this order. A thread that has finished a piece takes the next piece. Return after the last
 * piece is done. */
void pool_share(size_t threads, size_t pieces, void (*work)(void *context, size_t piece),
		void *context);

/** Return the largest number of threads to use. `wanted` is the number that the user gave. If it is
 * 0, use one thread for each processor. */
size_t pool_threads(size_t wanted);

/** Return how many processors this process may use, or 1 if the number is not known. */
size_t pool_processors(void);
