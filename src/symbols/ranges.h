/** Search ranges of addresses. Each range has a number. Ranges may overlap. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define RANGES_NONE UINT32_MAX

/** The largest number of ended ranges that a search skips. The limit is for damaged files, in which
 * all ranges may have ended. */
enum { RANGES_ENDED_MOST = 1000 };

struct range {
	uint64_t start, end;
	uint32_t item;
	uint32_t enclosing; // 1 + index of the nearest earlier range that ends after this range; 0:
			    // none
};

/** A zeroed struct is empty. */
struct ranges {
	struct range *items;
	size_t n, capacity;
};

/** Add a range, unless it is empty. */
void ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t item);

/** Sort the ranges. Call this function once, after the last ranges_add(). The call is not needed if
 * the ranges were added in order and do not overlap. */
void ranges_finish(struct ranges *ranges);

/** Return the number of the innermost range that contains the address, or RANGES_NONE. */
uint32_t ranges_find(const struct ranges *ranges, uint64_t address);

void ranges_release(struct ranges *ranges);
