/** Turn a lack of memory into an error of one job: the job ends early, its memory is released, and
 * the process continues. */
#pragma once

#include <stdbool.h>

/**
 * Do guarded work: all memory that `work` allocates belongs to `owner`, which may be any pointer.
 * If memory runs out, end the work and return false. Then call guard_release(), because the
 * structures of the work may be inconsistent. If `owner` is NULL, or after guard_nothing(), the
 * work is not guarded.
 */
bool guard_run(const void *owner, void (*work)(void *context), void *context);

/** Return the owner of this thread's guarded work, or NULL. A thread that starts helper threads
 * passes this owner to the helpers. */
const void *guard_owner(void);

/** Free all blocks and close all descriptors of an owner. */
void guard_release(const void *owner);

/** End the guarded work of this thread, because memory ran out. Return only if the thread does no
 * guarded work. */
void guard_end(void);

/** Guard no further work. Call this function in a process that may end when memory runs out, such
 * as the command line program. */
void guard_nothing(void);

/** Remember that a block belongs to `owner`. If `owner` is NULL, note nothing. Return false if
 * memory ran out. */
bool guard_keep(void *block, const void *owner);

/** Remember that a block no longer has an owner, because the block will be freed or must outlive
 * its owner. Return the previous owner, or NULL. */
const void *guard_forget(void *block);

/** Remember that a descriptor belongs to the owner of this thread's work. Ignore a negative
 * descriptor. Return the descriptor. */
int guard_keep_descriptor(int fd);

/** Close a descriptor, and remove the note of guard_keep_descriptor(). */
void guard_close(int fd);
