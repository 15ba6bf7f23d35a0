/* A colour, read and written. */
#include "picture/rgb.h"

#include <math.h>

#include "base/num.h"

static uint8_t rgb_hex_value(char c) {
	return (uint8_t)(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
}

static uint8_t rgb_hex_byte(const char *digits) {
	return (uint8_t)(rgb_hex_value(digits[0]) << 4 | rgb_hex_value(digits[1]));
}

bool rgb_parse(struct str text, struct rgb *colour) {
	if (text.n != strlen("#rrggbb") || text.p[0] != '#' || !str_all_hex(str_from(text, 1))) {
		return false;
	}
	*colour = (struct rgb){rgb_hex_byte(text.p + 1), rgb_hex_byte(text.p + 3),
			       rgb_hex_byte(text.p + 5)};
	return true;
}

struct rgb rgb_of(const char *text) {
	struct rgb colour = {0};
	rgb_parse(str_of(text), &colour);
	return colour;
}

size_t rgb_format(char *out, struct rgb colour) {
	size_t n = strlen("rgb(");
	memcpy(out, "rgb(", n);
	n += num_format_u64(out + n, colour.r);
	out[n++] = ',';
	n += num_format_u64(out + n, colour.g);
	out[n++] = ',';
	n += num_format_u64(out + n, colour.b);
	out[n++] = ')';
	return n;
}

size_t rgb_format_hex(char *out, struct rgb colour) {
	static const char digits[] = "0123456789abcdef";
	const uint8_t channels[] = {colour.r, colour.g, colour.b};
	size_t n = 0;
	out[n++] = '#';
	for (size_t i = 0; i < sizeof(channels); i++) {
		out[n++] = digits[channels[i] >> 4];
		out[n++] = digits[channels[i] & 15];
	}
	return n;
}

static double rgb_linear(uint8_t channel) {
	double share = channel / 255.;
	return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

static const double red_share = 0.2126, green_share = 0.7152, blue_share = 0.0722;
// the light that a screen reflects, which WCAG adds to all luminances
static const double flare = 0.05;

/** Return the relative luminance of a colour, 0 to 1, as WCAG defines it. */
static double rgb_luminance(struct rgb colour) {
	return red_share * rgb_linear(colour.r) + green_share * rgb_linear(colour.g) +
	       blue_share * rgb_linear(colour.b);
}

double rgb_contrast(struct rgb a, struct rgb b) {
	double x = rgb_luminance(a) + flare, y = rgb_luminance(b) + flare;
	return x > y ? x / y : y / x;
}

bool rgb_is_dark(struct rgb colour) {
	const double white = red_share + green_share + blue_share + flare;
	double luminance = rgb_luminance(colour) + flare;
	return luminance / flare < white / luminance;
}
