/* Encode and decode base64. */
#include "base/base64.h"

#include <string.h>

/** Write 24 bits as four digits. */
static void base64_put_group(char *at, unsigned bits) {
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	at[0] = digits[bits >> 18];
	at[1] = digits[bits >> 12 & 63];
	at[2] = digits[bits >> 6 & 63];
	at[3] = digits[bits & 63];
}

void base64_write(struct output *out, struct str bytes) {
	enum { GROUPS = 1024 };
	char text[4 * GROUPS];
	const unsigned char *p = (const unsigned char *)bytes.p, *end = p + bytes.n;
	size_t n = 0;
	for (; end - p >= 3; p += 3, n += 4) {
		if (n == sizeof(text)) {
			output_add(out, text, n);
			n = 0;
		}
		base64_put_group(text + n, (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2]);
	}
	output_add(out, text, n);
	if (p < end) {
		bool two = end - p == 2;
		base64_put_group(text, (unsigned)p[0] << 16 | (two ? (unsigned)p[1] << 8 : 0U));
		memcpy(text + (two ? 3 : 2), "==", two ? 1 : 2);
		output_add(out, text, 4);
	}
}

/** Return the value of a digit, or 64 if the character is not a base64 digit. */
static unsigned base64_value(char c) {
	enum { NONE = 64, SMALL = 26, DIGITS = 52, PLUS = 62, SLASH = 63 };
	return c >= 'A' && c <= 'Z'   ? (unsigned)(c - 'A')
	       : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + SMALL
	       : c >= '0' && c <= '9' ? (unsigned)(c - '0') + DIGITS
	       : c == '+'             ? PLUS
	       : c == '/'             ? SLASH
				      : NONE;
}

bool base64_read(struct buf *out, struct str text) {
	enum { GROUP = 4, BITS = 6, BYTE = 8, NONE = 64 };
	bool good = text.n % GROUP == 0;
	uint32_t bits = 0;
	unsigned n = 0; // number of bits in `bits` that are not written yet
	for (size_t padding = 0; padding < 2 && str_ends(text, STR("=")); padding++) {
		text.n--;
	}
	(void)buf_room(out, text.n);
	for (size_t i = 0; i < text.n && good; i++) {
		unsigned value = base64_value(text.p[i]);
		good = value < NONE;
		bits = bits << BITS | value;
		n += BITS;
		if (n >= BYTE) {
			n -= BYTE;
			buf_add_char(out, (char)(bits >> n));
		}
	}
	return good;
}
