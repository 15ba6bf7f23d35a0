/** Store stacks as arrays of frame ids, root first. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"

/** A growing array of frame ids. To shorten the array, set `n`. A zeroed array is empty. */
struct ids {
	uint32_t *items;
	size_t n, capacity;
};

static inline void ids_push(struct ids *ids, uint32_t id) {
	*MEM_APPEND(ids->items, ids->n, ids->capacity) = id;
}

/** Append `n` ids. `items` may be NULL if `n` is 0. */
static inline void ids_add(struct ids *ids, const uint32_t *items, size_t n) {
	MEM_GROW(ids->items, ids->capacity, ids->n + n);
	if (n > 0) {
		memcpy(ids->items + ids->n, items, n * sizeof(*items));
	}
	ids->n += n;
}

/** Append `n` ids of another array, from the index `at` on. */
static inline void ids_add_part(struct ids *ids, const struct ids *from, size_t at, size_t n) {
	if (n > 0) { // do not compute an address in an array without items
		ids_add(ids, from->items + at, n);
	}
}

void ids_release(struct ids *ids);

/** A stack with its count. */
struct stack_row {
	uint32_t *ids; // ids of the frames, root first
	uint32_t depth;
	bool two_counts; // `before` is set
	uint32_t id;     // index of the stack while stacks become calls; see profile_make_calls()
	uint64_t count;  // count in the only or the later profile
	uint64_t before; // count in the earlier profile
};
