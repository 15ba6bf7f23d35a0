/** Ranges of addresses, which may overlap, each with a number. */
#ifndef INFERNO_SYMBOLS_RANGES_H
#define INFERNO_SYMBOLS_RANGES_H

#include <stddef.h>
#include <stdint.h>

#define RANGES_NONE UINT32_MAX

enum {
	RANGES_ENDED_MOST = 1000
}; // most ended ranges that a lookup skips; a damaged file could have
   // all

struct range {
	uint64_t start, end;
	uint32_t item;
	uint32_t enclosing; // 1 + index of the nearest range before it that ends later
};

/** A zeroed struct is empty. */
struct ranges {
	struct range *items;
	size_t n, capacity;
};

/** Add a range, unless it is empty. */
void ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t item);

/** Sort the ranges. Call this once, after the last ranges_add(), unless they came in order and do
 * not overlap. */
void ranges_finish(struct ranges *ranges);

/** Return the number of the innermost range that holds the address; or RANGES_NONE. */
uint32_t ranges_find(const struct ranges *ranges, uint64_t address);

void ranges_release(struct ranges *ranges);

#endif
