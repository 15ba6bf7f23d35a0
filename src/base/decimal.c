/* Read and compute decimal numbers. */
#include "base/decimal.h"

#include "base/num.h"

enum { PLACES = 18, EXPONENT_MOST = 10000 };
#define WHOLE_MOST (INT64_C(1) << 62)

/** Read the exponent of a number such as "1.5e-7": the text after the `e`. */
static bool decimal_parse_exponent(struct str text, int *exponent) {
	bool negative = text.n > 0 && text.p[0] == '-';
	text = str_from(text, negative || (text.n > 0 && text.p[0] == '+'));
	if (text.n == 0 || !str_all_digits(text)) {
		return false;
	}
	int sum = 0;
	for (size_t i = 0; i < text.n && sum < EXPONENT_MOST; i++) {
		sum = sum * 10 + (text.p[i] - '0');
	}
	*exponent = negative ? -sum : sum;
	return true;
}

/** Split a number into its digits before and after the point, and its exponent. */
static bool decimal_split(struct str text, struct str *before, struct str *decimals,
			  int *exponent) {
	size_t at = str_find(text, 'e');
	at = at == STR_NONE ? str_find(text, 'E') : at;
	*exponent = 0;
	if (at != STR_NONE && !decimal_parse_exponent(str_from(text, at + 1), exponent)) {
		return false;
	}
	*decimals = at == STR_NONE ? text : str_to(text, at);
	*before = str_cut(decimals, '.');
	return before->n + decimals->n > 0 && str_all_digits(*before) && str_all_digits(*decimals);
}

/** Add the digit `digit` × 10^power. The caller adds the highest digit first. Return false if the
 * number becomes too large. */
static bool decimal_add_digit(struct decimal *value, unsigned digit, int64_t power) {
	if (power >= 0) {
		value->whole = value->whole * 10 + digit;
		return value->whole <= WHOLE_MOST / 10 || (power == 0 && value->whole < WHOLE_MOST);
	}
	value->part = power >= -PLACES ? value->part * 10 + digit : value->part;
	return true;
}

/** Read a number without sign and exponent, such as 12 or 12.345. Return false if the text has
 * another form or too many digits. */
static bool decimal_parse_plain(struct str text, struct decimal *value) {
	static const uint64_t places[] = {DECIMAL_UNIT,
					  DECIMAL_UNIT / 10,
					  DECIMAL_UNIT / 100,
					  DECIMAL_UNIT / 1000,
					  DECIMAL_UNIT / 10000,
					  DECIMAL_UNIT / 100000,
					  DECIMAL_UNIT / 1000000,
					  DECIMAL_UNIT / 10000000,
					  DECIMAL_UNIT / 100000000,
					  DECIMAL_UNIT / 1000000000};
	uint64_t whole, part = 0;
	size_t n = num_take_digits(text, &whole), decimals = 0;
	if (n == 0 || n > PLACES) {
		return false;
	}
	if (n < text.n && text.p[n] == '.') {
		decimals = num_take_digits(str_from(text, n + 1), &part);
		n += 1 + decimals;
	}
	if (n < text.n || decimals >= sizeof(places) / sizeof(places[0])) {
		return false;
	}
	*value = (struct decimal){(int64_t)whole, part * places[decimals]};
	return true;
}

bool decimal_parse(struct str text, int shift, struct decimal *value) {
	if (shift == 0 && decimal_parse_plain(text, value)) {
		return true;
	}
	bool negative = text.n > 0 && text.p[0] == '-';
	text = str_from(text, negative || (text.n > 0 && text.p[0] == '+'));
	struct str before, decimals;
	int exponent;
	if (!decimal_split(text, &before, &decimals, &exponent)) {
		return false;
	}
	struct decimal sum = {0};
	int64_t power = (int64_t)before.n - 1 + exponent + shift;
	for (size_t i = 0; i < before.n + decimals.n; i++, power--) {
		char digit = i < before.n ? before.p[i] : decimals.p[i - before.n];
		if ((sum.whole > 0 || digit != '0' || power < 0) &&
		    !decimal_add_digit(&sum, (unsigned)(digit - '0'), power)) {
			return false;
		}
	}
	// Append zeros until the last digit has the power that the exponent gives.
	for (; power >= 0 ? sum.whole > 0 : sum.part > 0 && power >= -PLACES; power--) {
		if (!decimal_add_digit(&sum, 0, power)) {
			return false;
		}
	}
	*value = negative ? decimal_minus((struct decimal){0}, sum) : sum;
	return true;
}

bool decimal_shift(struct decimal *number, unsigned shift) {
	uint64_t power = 1, rest = DECIMAL_UNIT;
	for (unsigned i = 0; i < shift; i++) {
		power *= 10;
		rest /= 10;
	}
	int64_t most = INT64_MAX / 2 / (int64_t)power;
	if (number->whole > most || number->whole < -most) {
		return false;
	}
	number->whole = number->whole * (int64_t)power + (int64_t)(number->part / rest);
	number->part = number->part % rest * power;
	return true;
}

uint64_t decimal_round(struct decimal value) {
	return value.whole < 0 ? 0 : (uint64_t)value.whole + (value.part >= DECIMAL_UNIT / 2);
}
