/** Turn a lack of memory into an error: guarded work ends early, and its memory is released. */
#ifndef INFERNO_GUARD_H
#define INFERNO_GUARD_H

#include <stdbool.h>

/**
 * Do work whose memory belongs to `owner`, any pointer. If memory ran out, return false. The work
 * then ended in the middle, and the structures that it was changing may be inconsistent; call
 * guard_release(). Work is not guarded if `owner` is NULL, or after guard_nothing().
 */
bool guard_run(const void *owner, void (*work)(void *context), void *context);

/** Return the owner of the work of this thread, or NULL. A thread that starts helper threads passes
 * the owner on to them. */
const void *guard_owner(void);

/** Free all blocks and close all descriptors of an owner. */
void guard_release(const void *owner);

/** End the guarded work of this thread, because memory ran out. Return only if the thread does no
 * guarded work. */
void guard_end(void);

/** Guard no further work. Call this in a process that ends if memory runs out. */
void guard_nothing(void);

/** Note that a block belongs to `owner`. If `owner` is NULL, the block belongs to nobody. Return
 * false if memory ran out. */
bool guard_keep(void *block, const void *owner);

/** Note that a block no longer has an owner, because the block will be freed or must outlive its
 * owner. Return the previous owner, or NULL. */
const void *guard_forget(void *block);

/** Note that a descriptor belongs to the owner of this thread's work. Ignore a negative descriptor.
 * Return the descriptor. */
int guard_keep_descriptor(int fd);

/** Close a descriptor that was noted with guard_keep_descriptor(). */
void guard_close(int fd);

#endif
