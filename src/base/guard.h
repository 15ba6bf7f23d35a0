/** Running out of memory as an error: guarded work ends early, and its memory is given back. */
#ifndef INFERNO_GUARD_H
#define INFERNO_GUARD_H

#include <stdbool.h>

/**
 * Do work whose memory belongs to `owner`, any pointer. Return false if memory ran out: the work
 * ended in the middle, and all that it was changing may be inconsistent. Then call
 * guard_release(). If `owner` is NULL, or the process ends anyway if memory runs out, the work is
 * not guarded.
 */
bool guard_run(const void *owner, void (*work)(void *context), void *context);

/** Return the owner of the work of this thread, or NULL. Threads that help pass it on. */
const void *guard_owner(void);

/** Free all blocks and close all descriptors of an owner. */
void guard_release(const void *owner);

/** End the guarded work of this thread, because memory ran out. Return if there is none. */
void guard_end(void);

/** Guard nothing from now on. This is for a process that ends if memory runs out. */
void guard_nothing(void);

/** Note that a block belongs to `owner`; NULL: to nobody. Return false if memory ran out. */
bool guard_keep(void *block, const void *owner);

/** Note that a block belongs to nobody, because it will be freed or outlives its owner. Return the
 * previous owner, or NULL. */
const void *guard_forget(void *block);

/** Note that a descriptor belongs to the owner of this thread's work. A negative one is ignored.
 * Return the descriptor. */
int guard_keep_descriptor(int fd);

/** Close a descriptor that was noted. */
void guard_close(int fd);

#endif
