/** Ranges of addresses, which may overlap, each with the time from which it is valid. Of all ranges
 * at an address, the newest is used. A search takes logarithmic time, no matter how the ranges
 * overlap. */
#ifndef INFERNO_SYMBOLS_SPANS_H
#define INFERNO_SYMBOLS_SPANS_H

#include <stddef.h>
#include <stdint.h>

#define SPANS_NONE SIZE_MAX

struct span {
	uint64_t start, end, time;
	uint32_t item;
};

/** A zeroed struct is empty. */
struct spans {
	struct span *items; // items in the order of their times
	size_t n, capacity;
	uint64_t *edges; // starts and ends of items, sorted, without duplicates
	size_t edges_n;
	// A tree over the parts between edges. Part `i` is node `edges_n + i`, and node `i` covers
	// what the nodes `2 i` and `2 i + 1` cover. Each item is listed at a few nodes that
	// together cover exactly its range. The list of node `i` is lists[first[i]] up to
	// lists[first[i + 1]].
	uint32_t *first;
	uint32_t *lists; // indexes of items, oldest first
};

/** Add a range, which is not empty. If there are already UINT32_MAX / 128 ranges, further ranges
 * are ignored, because each range may be listed 128 times. Of two ranges with the same time, the
 * range that was added later counts as newer. */
void spans_add(struct spans *spans, uint64_t start, uint64_t end, uint64_t time, uint32_t item);

/** Build the tree. Call this once, after the last spans_add(). */
void spans_finish(struct spans *spans);

/** Return the item of the newest range that holds the address and is not newer than `time`; or
 * SPANS_NONE. */
size_t spans_find(const struct spans *spans, uint64_t address, uint64_t time);

void spans_release(struct spans *spans);

#endif
