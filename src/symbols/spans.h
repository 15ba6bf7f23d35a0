/** Search ranges of addresses. Each range has the time from which it is valid. Ranges may overlap:
 * at each address, the newest range counts. A search takes logarithmic time, even if many ranges
 * overlap. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SPANS_NONE SIZE_MAX

struct span {
	uint64_t start, end, time;
	uint32_t item;
};

/** A zeroed struct is empty. */
struct spans {
	struct span *items; // the ranges, in the order of their times
	size_t n, capacity;
	uint64_t *edges; // starts and ends of the ranges, sorted, without duplicates
	size_t edges_n;
	// A binary tree over the parts between edges. The leaf for part `i` is node `edges_n + i`.
	// Node `i` covers the ranges of its children, the nodes `2 i` and `2 i + 1`. Each range is
	// in the lists of a few nodes that together cover exactly this range. The list of node `i`
	// starts at lists[first[i]] and ends before lists[first[i + 1]].
	uint32_t *first;
	uint32_t *lists; // indexes of ranges; in each list, the oldest first
};

/** Add a range, which is not empty. If there are already UINT32_MAX / 128 ranges, ignore the range,
 * because each range may be in 128 lists. If two ranges have the same time, the range that was
 * added later is the newer range. */
void spans_add(struct spans *spans, uint64_t start, uint64_t end, uint64_t time, uint32_t item);

/** Build the tree. Call this function once, after the last spans_add(). */
void spans_finish(struct spans *spans);

/** Return the item of the newest range that contains the address and is not newer than `time`. If
 * there is no such range, return SPANS_NONE. */
size_t spans_find(const struct spans *spans, uint64_t address, uint64_t time);

void spans_release(struct spans *spans);
