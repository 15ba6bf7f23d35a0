/** Sort texts by their bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct sort_item {
	uint64_t word;     // used by sort_bytes(), and later by sort_common()
	const char *bytes; // the text; borrowed
	uint32_t len;
	uint32_t id; // a number for the caller's use
};

/** Sort by the bytes, in the order of memcmp(). A text comes after its prefixes. The order of equal
 * items is not defined. */
void sort_bytes(struct sort_item *items, size_t n);

/** Return how many bytes a sorted item shares with the item before it. For the first item, return
 * 0. This function does not read again the bytes that sort_bytes() has compared. */
size_t sort_common(const struct sort_item *items, size_t i);

/** Prefetch the bytes of a later item, for a loop over `n` items that is now at the item `i`. */
static inline void sort_prefetch(const struct sort_item *items, size_t n, size_t i) {
	enum { AHEAD = 12, CACHE_LINE = 64 };
	for (size_t at = 0; i + AHEAD < n && at < items[i + AHEAD].len; at += CACHE_LINE) {
		__builtin_prefetch(items[i + AHEAD].bytes + at);
	}
}
