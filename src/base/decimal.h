/** Decimal numbers with 18 decimals. Their sums are exact, unlike sums of binary floating-point
 * numbers. */
#pragma once

#include "base/str.h"

/** The number whole + part × 10^-18. `part` is never negative: -0.5 is {-1, 5 × 10^17}. */
struct decimal {
	int64_t whole;
	uint64_t part;
};

/** Read digits with an optional sign, point and exponent, times 10^shift. Digits below 10^-18 are
 * dropped. Return false if the text is not a decimal number, or if its magnitude is 2^62 or
 * more. */
bool decimal_parse(struct str text, int shift, struct decimal *value);

/** Return a negative number if a < b, 0 if a = b, or a positive number if a > b. */
static inline int decimal_compare(struct decimal a, struct decimal b) {
	return a.whole != b.whole ? (a.whole > b.whole) - (a.whole < b.whole)
				  : (a.part > b.part) - (a.part < b.part);
}

#define DECIMAL_UNIT UINT64_C(1000000000000000000) // 10^18

/** Add `more` to a sum. If the whole part would need more than 63 bits, return false and leave the
 * sum unchanged. */
static inline bool decimal_add(struct decimal *sum, struct decimal more) {
	uint64_t part = sum->part + more.part, carry = part >= DECIMAL_UNIT;
	int64_t whole;
	if (__builtin_add_overflow(sum->whole, more.whole, &whole) ||
	    __builtin_add_overflow(whole, carry, &whole)) {
		return false;
	}
	*sum = (struct decimal){whole, part - (carry ? DECIMAL_UNIT : 0)};
	return true;
}

/** Multiply by 10^shift. `shift` is at most 18. If the magnitude of the product would be about 2^62
 * or more, return false and leave the number unchanged. */
bool decimal_shift(struct decimal *number, unsigned shift);

/** Return a - b. Each operand must be a result of decimal_parse() or the sum of two such results.
 */
static inline struct decimal decimal_minus(struct decimal a, struct decimal b) {
	bool borrow = a.part < b.part;
	return (struct decimal){a.whole - b.whole - borrow,
				a.part - b.part + (borrow ? DECIMAL_UNIT : 0)};
}

/** Return the nearest whole number: halves are rounded up, and negative numbers become 0. */
uint64_t decimal_round(struct decimal value);
