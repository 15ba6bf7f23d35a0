/** Running work on several threads. */
#ifndef INFERNO_POOL_H
#define INFERNO_POOL_H

#include <stddef.h>

/**
 * Call work(context, i) for i = 0 to threads - 1, the first call on the caller's thread, each of
 * the others on a new thread that takes no signals. Return after all calls have returned. If a
 * thread cannot be started, the caller's thread makes the call of this thread after its own.
 */
void pool_run(size_t threads, void (*work)(void *context, size_t i), void *context);

/** Call work(context, piece) for piece = 0 to pieces - 1 on several threads. The pieces are begun
 * in this order, each piece as soon as a thread is free. Return after the last piece is done. */
void pool_share(size_t threads, size_t pieces, void (*work)(void *context, size_t piece),
		void *context);

/** Return how many threads to use at most. `wanted` is the user's number; 0 stands for the number
 * of processors. */
size_t pool_threads(size_t wanted);

/** Return how many processors this process may use, or 1 if the number is not known. */
size_t pool_processors(void);

#endif
