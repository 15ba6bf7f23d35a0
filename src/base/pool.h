/** The same work on several threads. */
#ifndef INFERNO_POOL_H
#define INFERNO_POOL_H

#include <stddef.h>

/**
 * Call work(context, i) for i = 0 to threads - 1, each on a thread of its own, the first on the
 * caller's; returns when all have returned. Where a thread cannot be made, its calls are made after
 * the others.
 */
void pool_run(size_t threads, void (*work)(void *context, size_t i), void *context);

#endif
