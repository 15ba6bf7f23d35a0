/** Allocate memory and arenas. If memory runs out, inferno_out_of_memory() ends the guarded work of
 * the thread (base/guard.h), or the process. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

/** Free a block from any allocation function. If `bytes` is NULL, do nothing. */
void mem_free(void *bytes);

// A block of guarded work has an entry in a table (base/guard.h). mem_free() removes this entry, or
// guard_release() would free the block again.
#define free mem_free

/** Return count × size zeroed bytes, never NULL. The caller releases the bytes with free(). */
void *mem_new(size_t count, size_t size);

void *mem_grow_slow(void *items, size_t *capacity, size_t need, size_t size);

/** Make room for at least `need` items of `size` bytes in `items`. If there is too little room, at
 * least double the room. `*capacity` is the room, in items. Return the items, which may have moved;
 * never NULL. */
static inline void *mem_grow(void *items, size_t *capacity, size_t need, size_t size) {
	return need <= *capacity ? items : mem_grow_slow(items, capacity, need, size);
}

/** Make room for at least `need` items in an array. `items` and `capacity` are the variables that
 * hold the array and its room, in items. */
#define MEM_GROW(items, capacity, need) \
	((items) = mem_grow((items), &(capacity), (need), sizeof(*(items))))

/** Make room for another item of an array, add 1 to `n`, the number of items, and return the
 * address of the new item. A value that is assigned to the new item must not depend on the array.
 */
#define MEM_APPEND(items, n, capacity) (MEM_GROW(items, capacity, (size_t)(n) + 1), &(items)[(n)++])

/** Reduce a block to `size` bytes, at least 1. Return the block, which may have moved. */
void *mem_shrink(void *bytes, size_t size);

/** Give the whole pages in the first `size` bytes of a block back to the system. The block stays
 * allocated, but the contents of these pages are lost. */
void mem_discard(void *bytes, size_t size);

/** Return a × b. If the product does not fit, call inferno_out_of_memory(). */
size_t mem_times(size_t a, size_t b);

/** End the guarded work of this thread, because memory ran out. If the thread does no guarded work,
 * end the process. A test program may define its own function of this name. */
_Noreturn void inferno_out_of_memory(void);

/** Set the function that inferno_out_of_memory() calls, even for guarded work. Use this only in a
 * process that runs one job. `end` must not return. */
void mem_on_exhaustion(void (*end)(void));

/** Memory that is released all at once. A zeroed arena is empty. */
struct arena {
	struct arena_page *page;
	char *at, *end;
	size_t page_size;
};

/** Return `size` bytes, aligned to 8 bytes. The bytes are not zeroed. */
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
