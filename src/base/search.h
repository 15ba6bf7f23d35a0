/** Search sorted items. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Return how many of `n` sorted items have a key that is at most `key`. Each item has `size`
 * bytes. The first 8 bytes of an item are its key, a uint64_t. */
static inline size_t search_up_to(const void *items, size_t n, size_t size, uint64_t key) {
	size_t low = 0;
	while (low < n) {
		size_t middle = low + (n - low) / 2;
		if (*(const uint64_t *)((const char *)items + middle * size) <= key) {
			low = middle + 1;
		} else {
			n = middle;
		}
	}
	return low;
}
