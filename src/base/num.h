/** Read and write numbers, independent of the locale. */
#pragma once

#include "base/str.h"

enum {
	NUM_U64_MAX = 20,     // size of the buffer for num_format_u64()
	NUM_GROUPED_MAX = 26, // size of the buffer for num_format_grouped()
	NUM_FIXED_MAX = 320,  // size of the buffer for num_format_fixed()
	NUM_EXACT_MAX = 32,   // size of the buffer for num_format_exact(), with the NUL
};

/** Parse one or more decimal digits. The number is at most 2^64-1. If parsing fails, return false
 * and leave `*value` unchanged. */
bool num_parse_u64(struct str s, uint64_t *value);

/** Parse a count as profilers write it: decimal digits, with or without a `+` before them. */
bool num_parse_count(struct str s, uint64_t *value);

/** Return whether num_parse_count() accepts the form of `s`, even if the number is too large. */
bool num_is_count(struct str s);

/** Parse a decimal floating-point number like strtod() in the C locale, but refuse blanks and
 * hexadecimal digits. */
bool num_parse_real(struct str s, double *value);

/** Write the decimal digits, without a NUL. Return the number of digits. */
size_t num_format_u64(char *out, uint64_t value);

/** Write the decimal digits in groups of three, separated by commas. */
size_t num_format_grouped(char *out, uint64_t value);

/** Write a finite value of at least 0 with `places` decimals (1 to 6). Round the exact value, and
 * round a tie to the even digit, as printf() does. This function takes much less time than
 * printf(). */
size_t num_format_fixed(char *out, double value, unsigned places);

/** Return floor(part × of / whole), computed exactly. `part` is at most `whole`. `whole` is not
 * 0. */
uint64_t num_share(uint64_t part, uint64_t whole, uint64_t of);

/** Write a finite value with the fewest digits that preserve the value. Return the number of bytes.
 */
size_t num_format_exact(char *out, double value);

/**
 * Take a number, and the blank before it, off the end of a text. If the text does not end in a
 * blank and a number, or the number might not fit into 64 bits, return false and leave the text
 * unchanged.
 */
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

/** Return a word in which the highest bit of each byte says whether the same byte of `word` is not
 * a digit. */
static inline uint64_t num_others(uint64_t word) {
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
	word ^= ones * '0';
	// adding 118 to a byte sets its highest bit if the byte is above 9
	return (((word & ~tops) + ones * 118) | word) & tops;
}

/** Return how many bytes at the start of a word are digits: 0 to 8. */
static inline size_t num_leading_digits(uint64_t word) {
	enum { WORD = sizeof(uint64_t) };
	uint64_t others = num_others(word);
	return others == 0 ? WORD : (size_t)__builtin_ctzll(others) / WORD;
}

/** Return the number that the first `n` bytes of a word represent. These bytes are digits. The
 * function handles all bytes at once, and takes a quarter of the time of a loop over the bytes. */
static inline uint64_t num_eight_digits(uint64_t word, size_t n) {
	enum { WORD = sizeof(uint64_t) };
	const uint64_t pairs = UINT64_C(0x000000ff000000ff), mega = 1000000, myriad = 10000;
	word ^= UINT64_C(0x0101010101010101) * '0';
	word = n == 0 ? 0 : word << (WORD * (WORD - n)); // put zeros before the digits
	word = word * 10 + (word >> WORD);               // combine each two digits into a number:
							 // the numbers are in every other byte
	return ((word & pairs) * (100 + (mega << 32)) +
		((word >> 2 * WORD) & pairs) * (1 + (myriad << 32))) >>
	       32;
}

/** Read the digits at the start of eight bytes. Return the number of digits, and set `*value` to
 * the number that they represent. */
static inline size_t num_take_eight(const char *bytes, uint64_t *value) {
	uint64_t word = load_u64(bytes);
	size_t n = num_leading_digits(word);
	*value = num_eight_digits(word, n);
	return n;
}

/** Read the digits at the start of a text. Return the number of digits. Set `*value` to the number
 * that they represent, if there are at most 18 digits; more digits may give a wrong value. */
static inline size_t num_take_digits(struct str text, uint64_t *value) {
	static const uint32_t powers[] = {1,      10,      100,      1000,     10000,
					  100000, 1000000, 10000000, 100000000};
	enum { WORD = sizeof(uint64_t), SAFE_DIGITS = 18 };
	size_t n = 0;
	uint64_t sum = 0;
	if (text.n >= 2 * (size_t)WORD) {
		uint64_t more;
		n = num_take_eight(text.p, &sum);
		if (n == WORD) {
			size_t rest = num_take_eight(text.p + WORD, &more);
			sum = sum * powers[rest] + more;
			n += rest;
		}
		if (n < 2 * (size_t)WORD) {
			*value = sum;
			return n;
		}
	}
	for (; n < text.n && is_digit(text.p[n]); n++) {
		sum = n < SAFE_DIGITS ? sum * 10 + (uint64_t)(text.p[n] - '0') : sum;
	}
	*value = sum;
	return n;
}

/** Set `*sum` to a + b. If the sum does not fit into 64 bits, return false and leave `*sum`
 * unchanged. */
static inline bool num_add(uint64_t a, uint64_t b, uint64_t *sum) {
	if (a > UINT64_MAX - b) {
		return false;
	}
	*sum = a + b;
	return true;
}
