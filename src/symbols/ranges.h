/** Ranges of addresses, which may overlap, each with a number. */
#ifndef INFERNO_SYMBOLS_RANGES_H
#define INFERNO_SYMBOLS_RANGES_H

#include <stddef.h>
#include <stdint.h>

#define RANGES_NONE UINT32_MAX

/** The largest number of ended ranges that a lookup skips. In a damaged file, all ranges may have
 * ended. */
enum { RANGES_ENDED_MOST = 1000 };

struct range {
	uint64_t start, end;
	uint32_t item;
	uint32_t enclosing; // 1 + index of the nearest earlier range that ends after this one
};

/** A zeroed struct is empty. */
struct ranges {
	struct range *items;
	size_t n, capacity;
};

/** Add a range, unless it is empty. */
void ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t item);

/** Sort the ranges. Call this once, after the last ranges_add(). The call is not needed if the
 * ranges were added in order and do not overlap. */
void ranges_finish(struct ranges *ranges);

/** Return the number of the innermost range that holds the address; or RANGES_NONE. */
uint32_t ranges_find(const struct ranges *ranges, uint64_t address);

void ranges_release(struct ranges *ranges);

#endif
