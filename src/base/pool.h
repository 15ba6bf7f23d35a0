/** Running work on several threads. */
#ifndef INFERNO_POOL_H
#define INFERNO_POOL_H

#include <stddef.h>

/**
 * Call work(context, i) for i = 0 to threads - 1, the first on the caller's thread, each other on a
 * thread of its own. Return after all of them. If a thread cannot be started, its call is made
 * after the others.
 */
void pool_run(size_t threads, void (*work)(void *context, size_t i), void *context);

#endif
