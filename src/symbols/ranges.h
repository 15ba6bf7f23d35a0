/** Ranges of addresses, which may overlap, each with a number. */
#ifndef INFERNO_SYMBOLS_RANGES_H
#define INFERNO_SYMBOLS_RANGES_H

#include <stddef.h>
#include <stdint.h>

#define RANGES_NONE UINT32_MAX

enum {
	RANGES_ENDED_MOST = 1000
}; // most ended ranges, one inside the other, that a lookup skips: in a damaged file it could be
   // all

struct range {
	uint64_t start, end;
	uint32_t item;
	uint32_t enclosing; // 1 + index of the nearest range before it that ends later
};

/** A zeroed one is empty. */
struct ranges {
	struct range *items;
	size_t n, capacity;
};

/** Add a range, unless it is empty. */
void ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t item);

/** Sort them. Call this once, after the last ranges_add(), unless they came in order and do not
 * overlap. */
void ranges_finish(struct ranges *ranges);

/** Return the number of the innermost range that holds the address; RANGES_NONE if none does. */
uint32_t ranges_find(const struct ranges *ranges, uint64_t address);

void ranges_release(struct ranges *ranges);

#endif
