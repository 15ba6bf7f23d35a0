/** Sorting by bytes. */
#ifndef INFERNO_SORT_H
#define INFERNO_SORT_H

#include <stddef.h>
#include <stdint.h>

struct sort_item {
	uint64_t word;     // used by the sorting, and afterwards by sort_common()
	const char *bytes; // borrowed
	uint32_t len;
	uint32_t id; // the caller's
};

/** Sort by the bytes, as memcmp() compares them. A text comes after its prefixes. The order of
 * equal items is not defined. */
void sort_bytes(struct sort_item *items, size_t n);

/** Return how many bytes a sorted item shares with the item before it. For the first item, return
 * 0. Bytes that the sorting has compared are not read again. */
size_t sort_common(const struct sort_item *items, size_t i);

/** Prefetch the bytes that a walk over `n` items, now at `i`, will soon need. */
static inline void sort_prefetch(const struct sort_item *items, size_t n, size_t i) {
	enum { AHEAD = 12, CACHE_LINE = 64 };
	for (size_t at = 0; i + AHEAD < n && at < items[i + AHEAD].len; at += CACHE_LINE) {
		__builtin_prefetch(items[i + AHEAD].bytes + at);
	}
}

#endif
