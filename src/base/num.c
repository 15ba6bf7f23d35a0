/* Read and write numbers, independent of the locale. */
#include "base/num.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

bool num_parse_u64(struct str s, uint64_t *value) {
	enum { ALWAYS_FIT = 19 }; // a number of this many digits fits into 64 bits
	uint64_t sum = 0;
	for (size_t i = 0; i < s.n; i++) {
		unsigned digit = (unsigned char)(s.p[i] - '0');
		if (digit > 9 || (i >= ALWAYS_FIT && sum > (UINT64_MAX - digit) / 10)) {
			return false;
		}
		sum = sum * 10 + digit;
	}
	if (s.n == 0) {
		return false;
	}
	*value = sum;
	return true;
}

bool num_parse_count(struct str s, uint64_t *value) {
	return num_parse_u64(s.n > 0 && s.p[0] == '+' ? str_from(s, 1) : s, value);
}

bool num_is_count(struct str s) {
	size_t n = s.n > 0 && s.p[0] == '+' ? 1 : 0;
	bool any = n < s.n;
	while (n < s.n && is_digit(s.p[n])) {
		n++;
	}
	return any && n == s.n;
}

/** Return whether `s` is `inf`, `infinity` or `nan`, in any case. */
static bool num_is_real_word(struct str s) {
	static const struct str words[] = {STR_INIT("inf"), STR_INIT("infinity"), STR_INIT("nan")};
	for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
		size_t i = 0;
		while (i < s.n && i < words[w].n && (s.p[i] | 0x20) == words[w].p[i]) {
			i++;
		}
		if (i == s.n && i == words[w].n) {
			return true;
		}
	}
	return false;
}

/** Return whether `s` consists of at least one digit, at most one point, and at most one exponent.
 */
static bool num_is_real_digits(struct str s) {
	size_t digits = 0, points = 0, i = 0;
	for (; i < s.n && (is_digit(s.p[i]) || s.p[i] == '.'); i++) {
		digits += s.p[i] != '.';
		points += s.p[i] == '.';
	}
	if (digits == 0 || points > 1) {
		return false;
	}
	if (i == s.n) {
		return true;
	}
	if ((s.p[i] | 0x20) != 'e') {
		return false;
	}
	i++;
	i += i < s.n && (s.p[i] == '+' || s.p[i] == '-');
	return i < s.n && str_all_digits(str_from(s, i));
}

bool num_parse_real(struct str s, double *value) {
	size_t sign = s.n > 0 && (s.p[0] == '-' || s.p[0] == '+');
	struct str magnitude = str_from(s, sign);
	char text[512];
	if (s.n >= sizeof(text) ||
	    !(num_is_real_word(magnitude) || num_is_real_digits(magnitude))) {
		return false;
	}
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	// A program that uses this library may have a locale with another decimal point, so switch
	// to the C locale.
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (c == (locale_t)0) {
		inferno_out_of_memory();
	}
	*value = strtod_l(text, NULL, c);
	freelocale(c);
	return true;
}

static size_t num_count_digits(uint64_t value) {
	// Powers of ten. The first entry is 0, because the number 0 also has one digit.
	static const uint64_t powers[] = {
		0,
		UINT64_C(10),
		UINT64_C(100),
		UINT64_C(1000),
		UINT64_C(10000),
		UINT64_C(100000),
		UINT64_C(1000000),
		UINT64_C(10000000),
		UINT64_C(100000000),
		UINT64_C(1000000000),
		UINT64_C(10000000000),
		UINT64_C(100000000000),
		UINT64_C(1000000000000),
		UINT64_C(10000000000000),
		UINT64_C(100000000000000),
		UINT64_C(1000000000000000),
		UINT64_C(10000000000000000),
		UINT64_C(100000000000000000),
		UINT64_C(1000000000000000000),
		UINT64_C(10000000000000000000),
	};
	// 1233 / 4096 is about the decimal logarithm of 2. So a number of `bits` bits has n or n +
	// 1 digits.
	unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1), n = bits * 1233 >> 12;
	return n + (value >= powers[n]);
}

uint64_t num_share(uint64_t part, uint64_t whole, uint64_t of) {
	if (part == 0 || of <= UINT64_MAX / part) {
		return part * of / whole;
	}
	// Compute part × of / whole by long division, one bit of `of` at a time. `rest` stays below
	// `whole`, so no product needs more than 64 bits.
	uint64_t value = 0, rest = 0;
	for (int bit = 63; bit >= 0; bit--) {
		bool wraps = rest >= whole - rest;
		value = 2 * value + wraps;
		rest = wraps ? rest - (whole - rest) : 2 * rest;
		if ((of >> bit & 1) != 0) {
			wraps = rest >= whole - part;
			value += wraps;
			rest = wraps ? rest - (whole - part) : rest + part;
		}
	}
	return value;
}

size_t num_format_u64(char *out, uint64_t value) {
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	size_t len = num_count_digits(value);
	size_t at = len;
	for (; at >= 2; at -= 2) { // write two digits for each division
		memcpy(out + at - 2, &pairs[value % 100 * 2], 2);
		value /= 100;
	}
	if (at == 1) {
		out[0] = (char)('0' + value);
	}
	return len;
}

size_t num_format_grouped(char *out, uint64_t value) {
	char digits[NUM_U64_MAX];
	size_t len = num_format_u64(digits, value), written = 0;
	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0) {
			out[written++] = ',';
		}
		out[written++] = digits[i];
	}
	return written;
}

/** Return fraction × scale, rounded to the nearest whole number. Round a tie to the even number.
 * The fraction is below 1. */
static uint32_t num_scale_fraction(double fraction, double scale) {
	double product = fraction * scale;
	uint32_t below = (uint32_t)product;
	double above_half = product - (double)below - 0.5; // the sign of this difference is exact
	if (above_half == 0) {
		above_half = fma(fraction, scale, -product); // exact error of the rounded product
	}
	return below + (above_half > 0 || (above_half == 0 && below % 2 == 1));
}

size_t num_format_fixed(char *out, double value, unsigned places) {
	static const double scales[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
	if (value >= 0x1p64) { // a value of at least 2^64 has no fraction
		return (size_t)snprintf(out, NUM_FIXED_MAX, "%.0f.%0*d", value, (int)places, 0);
	}
	uint64_t whole = (uint64_t)value;
	uint32_t part = num_scale_fraction(value - (double)whole, scales[places]);
	if ((double)part == scales[places]) { // the fraction was rounded up to 1
		whole++;
		part = 0;
	}
	size_t len = num_format_u64(out, whole);
	out[len] = '.';
	for (unsigned i = places; i > 0; i--) {
		out[len + i] = (char)('0' + part % 10);
		part /= 10;
	}
	return len + 1 + places;
}

/** Replace the decimal point of the locale, which may have several bytes, by a full stop. Return
 * the length of the number. */
static size_t num_plain_point(char *number) {
	size_t n = strspn(number, "+-0123456789e");
	size_t point = strcspn(number + n, "0123456789");
	if (point == 0) {
		return n;
	}
	number[n] = '.';
	size_t rest = strlen(number + n + point);
	memmove(number + n + 1, number + n + point, rest + 1);
	return n + 1 + rest;
}

size_t num_format_exact(char *out, double value) {
	// a double preserves any number of SURE digits; ENOUGH digits preserve any double
	enum { SURE = 15, ENOUGH = 17 };
	size_t len = 0;
	double read = 0;
	for (int digits = SURE; digits <= ENOUGH; digits++) {
		snprintf(out, NUM_EXACT_MAX, "%.*g", digits, value);
		len = num_plain_point(out);
		if (num_parse_real((struct str){out, len}, &read) && read == value) {
			break;
		}
	}
	return len;
}
