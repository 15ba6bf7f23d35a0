/** UTF-8: validity, repair, code points, white space. */
#pragma once

#include "base/buf.h"
#include "base/str.h"

#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/**
 * Return the length of the well-formed sequence at the start of `s` (1 to 4). If the sequence is
 * ill-formed or cut off, return 0 and set `*bad` to the length of the longest ill-formed part, at
 * least 1. `s` must not be empty.
 */
size_t utf8_next(struct str s, size_t *bad);

bool utf8_valid(struct str s);

/** Return whether a text is ASCII from the index `at` on. A quick test: the result may be false for
 * ASCII, too, for example if the text has less than eight bytes. */
static inline bool utf8_is_plain(struct str s, size_t at) {
	enum { WORD = sizeof(uint64_t) };
	uint64_t seen = s.n < WORD ? UINT64_MAX : load_u64(s.p + s.n - WORD);
	for (; at + 4 * WORD <= s.n; at += 4 * WORD) {
		seen |= load_u64(s.p + at) | load_u64(s.p + at + WORD) |
			load_u64(s.p + at + 2 * WORD) | load_u64(s.p + at + 3 * WORD);
	}
	for (; at + WORD <= s.n; at += WORD) {
		seen |= load_u64(s.p + at);
	}
	return (seen & UINT64_C(0x8080808080808080)) == 0;
}

/** Return whether a text is valid UTF-8. The caller knows that the first `known` bytes are the
 * start of a valid text. */
static inline bool utf8_valid_from(struct str s, size_t known) {
	if (utf8_is_plain(s, known)) {
		return true;
	}
	// The known bytes may end inside a character, so go back to an ASCII byte.
	while (known > 0 && (unsigned char)s.p[known - 1] >= 0x80) {
		known--;
	}
	return utf8_valid(str_from(s, known));
}

/** Add `s`, with each maximal ill-formed part replaced by U+FFFD. */
void utf8_repair(struct buf *out, struct str s);

/** Return `s` with each ill-formed part replaced by U+FFFD. `out` contains the result. */
static inline struct str utf8_repaired(struct buf *out, struct str s) {
	buf_clear(out);
	utf8_repair(out, s);
	return buf_str(out);
}

/** Return the length of an incomplete character at the end of `s`, or 0 if there is none. */
size_t utf8_open_tail(struct str s);

/** Return the code point of the well-formed sequence of `len` bytes at `p`. */
uint32_t utf8_decode(const char *p, size_t len);

/** Return the number of code points in `s`, which is well-formed. */
size_t utf8_count(struct str s);

/** Return the length in bytes of the first `count` code points of `s`, which is well-formed. If
 * there are fewer code points, return the whole length. */
size_t utf8_prefix(struct str s, size_t count);

/** Return whether a character is safe to print on a terminal. Control characters are not safe.
 * Characters that change the layout, for example the direction of text, are not safe. */
bool utf8_is_shown(uint32_t point);

/** Remove the first character from `*s`, which is not empty. Return the bytes of the character. If
 * the character is ill-formed or unsafe (utf8_is_shown()), return `?`. */
struct str utf8_take_shown(struct str *s);

/** Add a code point, or U+FFFD if the number is not a code point. */
void utf8_add(struct buf *out, uint32_t point);

/** Add text from outside, for output on a terminal. Replace unsafe characters as utf8_take_shown()
 * does. */
void utf8_add_shown(struct buf *out, struct str s);

/** Return the length of the white space character (Unicode White_Space) at the start or the end of
 * `s`, or 0. */
size_t utf8_space_at_start(struct str s);
size_t utf8_space_at_end(struct str s);
