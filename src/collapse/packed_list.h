/**
 * Growing lists of numbers that are read once, in order, for formats that keep a file as numbers. A
 * small number takes two bytes, because touching new memory takes longer than packing a number.
 */
#pragma once

#include "base/decimal.h"
#include "base/mem.h"

/** Numbers in units of 15 bits, the lowest bits first. The highest bit of a unit is set if further
 * units of the number follow. A zeroed list is empty. */
struct packed_list {
	uint16_t *units; // released with free()
	size_t units_n, capacity;
	size_t n; // number of items
};

enum { PACKED_BITS = 15, PACKED_MORE = 1 << PACKED_BITS, PACKED_MOST = 5 };

/** Add a number that is a part of an item. */
static inline void packed_list_add_part(struct packed_list *list, uint64_t number) {
	MEM_GROW(list->units, list->capacity, list->units_n + PACKED_MOST);
	for (; number >= PACKED_MORE; number >>= PACKED_BITS) {
		list->units[list->units_n++] = (uint16_t)(number | PACKED_MORE);
	}
	list->units[list->units_n++] = (uint16_t)number;
}

static inline void packed_list_push(struct packed_list *list, uint64_t number) {
	packed_list_add_part(list, number);
	list->n++;
}

static inline void packed_list_clear(struct packed_list *list) {
	list->units_n = list->n = 0;
}

/** Return the number at `*at`, and move `*at` to the next number. */
static inline uint64_t packed_list_next(const uint16_t **at) {
	uint64_t unit = *(*at)++, number = unit & (PACKED_MORE - 1);
	for (unsigned bits = PACKED_BITS; unit >= PACKED_MORE; bits += PACKED_BITS) {
		unit = *(*at)++;
		number |= (unit & (PACKED_MORE - 1)) << bits;
	}
	return number;
}

/** The kind of a decimal, in the lowest bits of a number. The other bits have the decimal itself.
 */
enum {
	PACKED_WHOLE,      // as a whole number that is not negative
	PACKED_BILLIONTHS, // as billionths, which are not negative
	PACKED_BOTH,       // in the next two numbers: the whole part, then the fraction
	PACKED_KIND_BITS = 2,
};

static inline void packed_list_push_decimal(struct packed_list *list, struct decimal item) {
	const uint64_t billion = 1000000000;
	if (item.part == 0 && item.whole >= 0 && item.whole >> (63 - PACKED_KIND_BITS) == 0) {
		packed_list_push(list, (uint64_t)item.whole << PACKED_KIND_BITS | PACKED_WHOLE);
	} else if (item.whole >= 0 && item.whole < INT32_MAX && item.part % billion == 0) {
		uint64_t number = (uint64_t)item.whole * billion + item.part / billion;
		packed_list_push(list, number << PACKED_KIND_BITS | PACKED_BILLIONTHS);
	} else {
		packed_list_push(list, PACKED_BOTH);
		packed_list_add_part(list, (uint64_t)item.whole);
		packed_list_add_part(list, item.part);
	}
}

static inline struct decimal packed_list_next_decimal(const uint16_t **at) {
	const uint64_t billion = 1000000000;
	uint64_t number = packed_list_next(at), value = number >> PACKED_KIND_BITS;
	switch (number & ((1 << PACKED_KIND_BITS) - 1)) {
	case PACKED_WHOLE:
		return (struct decimal){(int64_t)value, 0};
	case PACKED_BILLIONTHS:
		return (struct decimal){(int64_t)(value / billion), value % billion * billion};
	default:
		value = packed_list_next(at);
		return (struct decimal){(int64_t)value, packed_list_next(at)};
	}
}
