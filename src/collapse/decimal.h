/** Decimal numbers that are added exactly, where a binary fraction would not come out even. */
#ifndef INFERNO_DECIMAL_H
#define INFERNO_DECIMAL_H

#include "base/str.h"

/** whole + part × 10^-18. The part is never negative: -0.5 is {-1, 5 × 10^17}. */
struct decimal {
	int64_t whole;
	uint64_t part;
};

/**
 * Read digits with perhaps a sign, a point and an exponent, times 10^shift. What is below 10^-18
 * is dropped. False when it is no such number, or one of 2^62 or more.
 */
bool decimal_parse(struct str text, int shift, struct decimal *value);

/** Below, at or above 0 as a is less than, equal to or more than b. */
static inline int decimal_compare(struct decimal a, struct decimal b) {
	return a.whole != b.whole ? (a.whole > b.whole) - (a.whole < b.whole)
				  : (a.part > b.part) - (a.part < b.part);
}

/** False when the sum is over 63 bits; then `*sum` is untouched. */
bool decimal_add(struct decimal *sum, struct decimal more);

/** a - b, of numbers that decimal_parse() gave, or sums of two. */
struct decimal decimal_minus(struct decimal a, struct decimal b);

/** The nearest whole number; halves are rounded up, and what is below 0 is 0. */
uint64_t decimal_round(struct decimal value);

#endif
