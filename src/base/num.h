/** Number in and out, independent of the locale. */
#ifndef INFERNO_NUM_H
#define INFERNO_NUM_H

#include "base/str.h"

enum {
	NUM_U64_MAX = 20,     // room that num_format_u64() needs at the most
	NUM_GROUPED_MAX = 26, // num_format_grouped()
	NUM_FIXED_MAX = 320,  // num_format_fixed()
	NUM_EXACT_MAX = 32,   // num_format_exact(), whose NUL included
};

/** Decimal digits only, at least one, up to 2^64-1. On failure `*value` is untouched. */
bool num_parse_u64(struct str s, uint64_t *value);

/** The same, perhaps after a `+`: what profilers' counts are read with. */
bool num_parse_count(struct str s, uint64_t *value);

/** Return whether `s` is written as such a number, however large. */
bool num_is_count(struct str s);

/** A decimal floating-point number as strtod() reads it in the C locale, without hexadecimal and
 * blanks. */
bool num_parse_real(struct str s, double *value);

/** Write the decimal digits, without a NUL; returns how many. */
size_t num_format_u64(char *out, uint64_t value);

/** The same with a comma after every three digits. */
size_t num_format_grouped(char *out, uint64_t value);

/**
 * Write a finite value of at least 0 with `places` decimals (1 to 6), rounded as printf() rounds:
 * correctly, a tie to the even digit. Much faster than printf().
 */
size_t num_format_fixed(char *out, double value, unsigned places);

/** floor(part / whole × of), exactly; `part` is at most `whole`, which is not 0. */
uint64_t num_share(uint64_t part, uint64_t whole, uint64_t of);

/** Write a finite value in no more digits than are needed to read exactly it; returns how many
 * bytes. */
size_t num_format_exact(char *out, double value);

/** Take a number off the end of a text, and the blank before it. False if the text does not end
 * so, or in more digits than fit into 64 bits in any case; then it is untouched. */
static inline bool num_take_at_end(struct str *text, uint64_t *value) {
	enum { SAFE_DIGITS = 19 };
	size_t n = text->n;
	uint64_t power = 1, number = 0;
	for (; n > 0 && is_digit(text->p[n - 1]) && text->n - n < SAFE_DIGITS; n--) {
		number += (uint64_t)(text->p[n - 1] - '0') * power;
		power *= 10;
	}
	if (n == text->n || n == 0 || text->p[n - 1] != ' ') {
		return false;
	}
	*text = str_to(*text, n - 1);
	*value = number;
	return true;
}

/** a + b into `*sum`; false when that is over 64 bits, then `*sum` is untouched. */
static inline bool num_add(uint64_t a, uint64_t b, uint64_t *sum) {
	if (a > UINT64_MAX - b) {
		return false;
	}
	*sum = a + b;
	return true;
}

#endif
