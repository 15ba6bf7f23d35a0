/** Running work on several threads. */
#ifndef INFERNO_POOL_H
#define INFERNO_POOL_H

#include <stddef.h>

/**
 * Call work(context, i) for i = 0 to threads - 1, the first on the caller's thread, each other on a
 * thread of its own, which takes no signals. Return after all of them. If a thread cannot be
 * started, its call is made after the others.
 */
void pool_run(size_t threads, void (*work)(void *context, size_t i), void *context);

/** Return how many threads to use at most, if `wanted` are: 0 stands for as many as there are
 * processors. */
size_t pool_threads(size_t wanted);

/** Return how many processors this process may use; 1 if that is not known. */
size_t pool_processors(void);

/** Hands work to one other thread, in order. The caller fills a place, and sends it; the thread
 * works on the places in the order in which they were sent. */
struct relay;

/** Start a thread that calls work(context, place) for each place that is sent, 0 to `places` - 1.
 * It takes no signals. Return NULL if it cannot be started. */
struct relay *relay_new(size_t places, void (*work)(void *context, size_t place), void *context);

/** Return a place to fill. Wait until one is free. */
size_t relay_place(struct relay *relay);

/** Send the place that relay_place() has returned. */
void relay_send(struct relay *relay);

/** Wait until the thread is done with all that was sent. */
void relay_wait(struct relay *relay);

/** Wait, end the thread, and release everything; NULL is allowed. */
void relay_free(struct relay *relay);

#endif
