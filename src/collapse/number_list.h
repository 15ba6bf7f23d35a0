/** Growing arrays of numbers, 64 bits each, for formats that keep a file as numbers. */
#pragma once

#include <stdint.h>

#include "base/mem.h"

/** Set `n` to shorten the array. A zeroed array is empty. Release `items` with free(). */
struct number_list {
	uint64_t *items;
	size_t n, capacity;
};

static inline void number_list_push(struct number_list *numbers, uint64_t number) {
	*MEM_APPEND(numbers->items, numbers->n, numbers->capacity) = number;
}
