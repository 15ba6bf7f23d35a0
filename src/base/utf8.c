/* UTF-8: validity, repair, code points, white space. */
#include "base/utf8.h"

/** Set the range of the second byte of a sequence with this first byte (Unicode, table 3-7). Return
 * the length of the sequence. If no sequence starts with this byte, return 0. */
static size_t utf8_sequence_shape(unsigned char first, unsigned char *low, unsigned char *high) {
	*low = 0x80;
	*high = 0xbf;
	if (first < 0x80) {
		return 1;
	}
	if (first >= 0xc2 && first <= 0xdf) {
		return 2;
	}
	if (first >= 0xe0 && first <= 0xef) {
		*low = first == 0xe0 ? 0xa0 : 0x80;
		*high = first == 0xed ? 0x9f : 0xbf;
		return 3;
	}
	if (first >= 0xf0 && first <= 0xf4) {
		*low = first == 0xf0 ? 0x90 : 0x80;
		*high = first == 0xf4 ? 0x8f : 0xbf;
		return 4;
	}
	return 0;
}

size_t utf8_next(struct str s, size_t *bad) {
	unsigned char low, high;
	const unsigned char *p = (const unsigned char *)s.p;
	size_t len = utf8_sequence_shape(p[0], &low, &high);
	*bad = 1;
	for (size_t i = 1; i < len; i++) {
		if (i >= s.n || p[i] < low || p[i] > high) {
			*bad = i;
			return 0;
		}
		low = 0x80;
		high = 0xbf;
	}
	return len;
}

/** Return the length of the ASCII bytes at the start of `s`. Test eight bytes at a time. */
static size_t utf8_ascii_prefix(struct str s) {
	size_t i = 0;
	for (uint64_t word; i + sizeof(word) <= s.n; i += sizeof(word)) {
		memcpy(&word, s.p + i, sizeof(word));
		if ((word & UINT64_C(0x8080808080808080)) != 0) {
			break;
		}
	}
	while (i < s.n && (unsigned char)s.p[i] < 0x80) {
		i++;
	}
	return i;
}

/** Return the length of the well-formed part at the start of `s`. Set `*bad` as utf8_next() does
 * for the rest of `s`. */
static size_t utf8_valid_prefix(struct str s, size_t *bad) {
	size_t at = utf8_ascii_prefix(s);
	for (size_t len; at < s.n && (len = utf8_next(str_from(s, at), bad)) > 0;) {
		at += len;
		at += utf8_ascii_prefix(str_from(s, at));
	}
	return at;
}

bool utf8_valid(struct str s) {
	size_t bad;
	return utf8_valid_prefix(s, &bad) == s.n;
}

void utf8_repair(struct buf *out, struct str s) {
	for (;;) {
		size_t bad = 0;
		size_t good = utf8_valid_prefix(s, &bad);
		buf_add(out, s.p, good);
		if (good == s.n) {
			return;
		}
		buf_add_text(out, UTF8_REPLACEMENT);
		s = str_from(s, good + bad);
	}
}

size_t utf8_open_tail(struct str s) {
	for (size_t n = 1; n <= 3 && n <= s.n; n++) {
		if ((unsigned char)s.p[s.n - n] >= 0xc0) {
			size_t bad = 0;
			bool open = utf8_next(str_from(s, s.n - n), &bad) == 0 && bad == n;
			return open ? n : 0;
		}
	}
	return 0;
}

uint32_t utf8_decode(const char *p, size_t len) {
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t point = (unsigned char)p[0] & first_bits[len];
	for (size_t i = 1; i < len; i++) {
		point = point << 6 | ((unsigned char)p[i] & 0x3f);
	}
	return point;
}

size_t utf8_count(struct str s) {
	size_t count = 0;
	for (size_t i = 0; i < s.n; i++) {
		count += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	}
	return count;
}

size_t utf8_prefix(struct str s, size_t count) {
	size_t at = 0;
	while (at < s.n && count > 0) {
		at++;
		while (at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80) {
			at++;
		}
		count--;
	}
	return at;
}

bool utf8_is_shown(uint32_t point) {
	// Ranges of characters that are unsafe on a terminal: control characters, line ends, and
	// the format characters and ignorable characters of Unicode.
	static const struct {
		uint32_t first, last;
	} obeyed[] = {
		{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},       {0x61c, 0x61c},
		{0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},   {0x2060, 0x206f},
		{0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
	};
	for (size_t i = 0; i < sizeof(obeyed) / sizeof(obeyed[0]); i++) {
		if (point >= obeyed[i].first && point <= obeyed[i].last) {
			return false;
		}
	}
	return true;
}

struct str utf8_take_shown(struct str *s) {
	size_t bad = 0, len = utf8_next(*s, &bad);
	bool shown = len > 0 && utf8_is_shown(utf8_decode(s->p, len));
	struct str taken = shown ? str_to(*s, len) : STR("?");
	*s = str_from(*s, len > 0 ? len : bad);
	return taken;
}

void utf8_add_shown(struct buf *out, struct str s) {
	while (s.n > 0) {
		buf_add_str(out, utf8_take_shown(&s));
	}
}

static bool utf8_is_space(uint32_t point) {
	return (point >= 0x09 && point <= 0x0d) || point == 0x20 || point == 0x85 ||
	       point == 0xa0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200a) ||
	       point == 0x2028 || point == 0x2029 || point == 0x202f || point == 0x205f ||
	       point == 0x3000;
}

size_t utf8_space_at_start(struct str s) {
	size_t bad;
	size_t len = s.n == 0 ? 0 : utf8_next(s, &bad);
	return len > 0 && utf8_is_space(utf8_decode(s.p, len)) ? len : 0;
}

size_t utf8_space_at_end(struct str s) {
	// A white space character has one to three bytes.
	for (size_t len = 1; len <= 3 && len <= s.n; len++) {
		struct str tail = str_from(s, s.n - len);
		size_t bad;
		if (((unsigned char)tail.p[0] & 0xc0) != 0x80) {
			return utf8_next(tail, &bad) == len &&
					       utf8_is_space(utf8_decode(tail.p, len))
				       ? len
				       : 0;
		}
	}
	return 0;
}

void utf8_add(struct buf *out, uint32_t point) {
	enum { TWO = 0x80, THREE = 0x800, FOUR = 0x10000, END = 0x110000, REPLACEMENT = 0xfffd };
	static const unsigned char heads[] = {0, 0xc0, 0xe0, 0xf0};
	bool surrogate = point >= 0xd800 && point < 0xe000;
	point = point >= END || surrogate ? REPLACEMENT : point;
	// number of bytes after the first one
	int more = (point >= TWO) + (point >= THREE) + (point >= FOUR);
	buf_add_char(out, (char)(heads[more] | point >> 6 * more));
	while (more > 0) {
		buf_add_char(out, (char)(0x80 | (point >> 6 * --more & 0x3f)));
	}
}
