/** Checked allocation and arenas. If memory runs out, inferno_out_of_memory() ends the guarded work
 * of the thread (base/guard.h), or the process. */
#ifndef INFERNO_MEM_H
#define INFERNO_MEM_H

#include <stddef.h>
#include <stdlib.h>

/** Free a block of any allocator. NULL does nothing. */
void mem_free(void *bytes);

// A block that belongs to guarded work is in a table (base/guard.h), which has to know that it is
// freed. One free() that forgets this would be a block that is freed twice.
#define free mem_free

/** Return count × size zeroed bytes; never NULL. The caller owns them and releases them with
 * free(). */
void *mem_new(size_t count, size_t size);

void *mem_grow_slow(void *items, size_t *capacity, size_t need, size_t size);

/** Make room for at least `need` items of `size` bytes in `items`. If there is too little room, at
 * least double it. `*capacity` counts items. Return the items, which may have moved; never NULL. */
static inline void *mem_grow(void *items, size_t *capacity, size_t need, size_t size) {
	return need <= *capacity ? items : mem_grow_slow(items, capacity, need, size);
}

/** Cut a block to `size` bytes, at least 1. Return the block, which may have moved. */
void *mem_shrink(void *bytes, size_t size);

/** Give the memory of `size` bytes back to the system, except for the pages at both ends. Their
 * block stays allocated, and their contents are lost. */
void mem_discard(void *bytes, size_t size);

/** Return a × b; if the product does not fit, memory has run out. */
size_t mem_times(size_t a, size_t b);

/** End the guarded work of this thread, or else the process, because memory ran out. A program of
 * tests may define its own function of this name. */
_Noreturn void inferno_out_of_memory(void);

/** Set what happens if memory runs out, guarded or not. This is for a process that runs one job.
 * `end` must not return. */
void mem_on_exhaustion(void (*end)(void));

/** Memory that is released all at once. A zeroed arena is empty. */
struct arena {
	struct arena_page *page;
	char *at, *end;
	size_t page_size;
};

/** Return `size` bytes, aligned for any 8-byte type, not zeroed. */
void *arena_take_slow(struct arena *arena, size_t size);

static inline void *arena_take(struct arena *arena, size_t size) {
	size_t rounded = (size + 7) & ~(size_t)7;
	if (rounded < size || rounded > (size_t)(arena->end - arena->at)) {
		return arena_take_slow(arena, size);
	}
	char *taken = arena->at;
	arena->at += rounded;
	return taken;
}

/** Return a copy of the bytes with a NUL after them. */
char *arena_copy(struct arena *arena, const void *bytes, size_t len);

void arena_release(struct arena *arena);

#endif
