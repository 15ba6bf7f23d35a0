/*
 * Search ranges of addresses. The ranges are sorted by their starts. Each range has a link to the
 * nearest earlier range that ends after this range, so that a search can skip ranges that have
 * ended.
 */
#include "symbols/ranges.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"

void ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t item) {
	if (start >= end || ranges->n >= UINT32_MAX - 1) {
		return;
	}
	*MEM_APPEND(ranges->items, ranges->n, ranges->capacity) =
		(struct range){start, end, item, 0};
}

/** Compare two ranges by their starts. If the starts are equal, the longer range comes first,
 * because it encloses the shorter range. Equal ranges are in the order of their items. */
static int ranges_compare(const void *a, const void *b) {
	const struct range *left = a, *right = b;
	if (left->start != right->start) {
		return left->start > right->start ? 1 : -1;
	}
	if (left->end != right->end) {
		return left->end < right->end ? 1 : -1;
	}
	return (left->item > right->item) - (left->item < right->item);
}

void ranges_finish(struct ranges *ranges) {
	if (ranges->n > 0) {
		qsort(ranges->items, ranges->n, sizeof(*ranges->items), ranges_compare);
	}
	for (size_t i = 1; i < ranges->n; i++) {
		uint32_t at = (uint32_t)i;
		while (at != 0 && ranges->items[at - 1].end <= ranges->items[i].end) {
			at = ranges->items[at - 1].enclosing;
		}
		ranges->items[i].enclosing = at;
	}
}

uint32_t ranges_find(const struct ranges *ranges, uint64_t address) {
	size_t ended = 0,
	       low = search_up_to(ranges->items, ranges->n, sizeof(*ranges->items), address);
	while (low > 0 && ranges->items[low - 1].end <= address) {
		low = ++ended > RANGES_ENDED_MOST ? 0 : ranges->items[low - 1].enclosing;
	}
	return low == 0 ? RANGES_NONE : ranges->items[low - 1].item;
}

void ranges_release(struct ranges *ranges) {
	free(ranges->items);
	*ranges = (struct ranges){0};
}
