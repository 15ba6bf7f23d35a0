/** Checked allocation and arenas. If memory runs out, inferno_out_of_memory() ends the process. */
#ifndef INFERNO_MEM_H
#define INFERNO_MEM_H

#include <stddef.h>

/** Return count × size zeroed bytes; never NULL. The caller owns them and releases them with
 * free(). */
void *mem_new(size_t count, size_t size);

void *mem_grow_slow(void *items, size_t *capacity, size_t need, size_t size);

/** Make room for at least `need` items of `size` bytes in `items`. If there is too little room, at
 * least double it. `*capacity` counts items. Return the items, which may have moved; never NULL. */
static inline void *mem_grow(void *items, size_t *capacity, size_t need, size_t size) {
	return need <= *capacity ? items : mem_grow_slow(items, capacity, need, size);
}

/** Give the memory of `size` bytes back to the system, except for the pages at both ends. Their
 * block stays allocated, and their contents are lost. */
void mem_discard(void *bytes, size_t size);

/** Return a × b; end the process if the product does not fit. */
size_t mem_times(size_t a, size_t b);

/** End the process because memory ran out; see inferno.h, which documents it for programs that
 * embed the library. */
_Noreturn void inferno_out_of_memory(void);

/** Set what happens if memory runs out, unless the program has an inferno_out_of_memory() of its
 * own. This is for a process that runs one job. `end` must not return. */
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
