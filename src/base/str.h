/**
 * A slice is a pointer to bytes and the number of bytes. A slice does not own its bytes. A function
 * keeps no slice that it gets, unless its description says so. The bytes need not be UTF-8, and may
 * include NUL bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
	const char *p;
	size_t n;
};

/** A string literal as a slice. STR gives a value, and STR_INIT gives an initialiser for static
 * tables. */
#define STR(literal) ((struct str)STR_INIT(literal))
#define STR_INIT(literal) \
	{ "" literal, sizeof(literal) - 1 }

static inline struct str str_of(const char *text) {
	return (struct str){text, strlen(text)};
}

static inline struct str str_from(struct str s, size_t at) {
	return (struct str){s.p + at, s.n - at};
}

static inline struct str str_to(struct str s, size_t end) {
	return (struct str){s.p, end};
}

static inline bool str_eq(struct str a, struct str b) {
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/** Return a value below 0 if `a` sorts before `b`, 0 if they are equal, and a value above 0 if `a`
 * sorts after `b`. */
static inline int str_compare(struct str a, struct str b) {
	size_t shared = a.n < b.n ? a.n : b.n;
	int order = shared == 0 ? 0 : memcmp(a.p, b.p, shared);
	return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

static inline bool str_starts(struct str s, struct str head) {
	return s.n >= head.n && memcmp(s.p, head.p, head.n) == 0;
}

static inline bool str_ends(struct str s, struct str tail) {
	return s.n >= tail.n && memcmp(s.p + s.n - tail.n, tail.p, tail.n) == 0;
}

/** Read eight bytes, aligned or not, as a little-endian number. */
static inline uint64_t load_u64(const char *p) {
	uint64_t value;
	memcpy(&value, p, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap64(value);
#endif
	return value;
}

/** Read four bytes, aligned or not, as a little-endian number. */
static inline uint32_t load_u32(const char *p) {
	uint32_t value;
	memcpy(&value, p, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap32(value);
#endif
	return value;
}

/** Return whether an input is little-endian. `swapped` says whether the byte order of the input
 * differs from the byte order of this machine. */
static inline bool is_little_endian(bool swapped) {
	return swapped == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/** Two words of 8 bytes, which the processor handles with one instruction. */
typedef uint64_t str_pair __attribute__((vector_size(16)));

/** In `bits`, set the bits in which the next 16 bytes of two texts differ. */
static inline void str_add_differing(str_pair *bits, const char *a, const char *b) {
	str_pair x, y;
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	*bits |= x ^ y;
}

/** Return how many bytes two texts share at their start. Compare 64 bytes at a time: with 32 bytes
 * at a time, `diff` and `merge` of sorted text take 4 % more time. */
static inline size_t str_common_prefix(struct str a, struct str b) {
	enum { WORD = sizeof(uint64_t), PAIR = 2 * WORD };
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	for (; i + 4 * PAIR <= n; i += 4 * PAIR) {
		str_pair bits = {0};
		str_add_differing(&bits, a.p + i, b.p + i);
		str_add_differing(&bits, a.p + i + PAIR, b.p + i + PAIR);
		str_add_differing(&bits, a.p + i + 2 * PAIR, b.p + i + 2 * PAIR);
		str_add_differing(&bits, a.p + i + 3 * PAIR, b.p + i + 3 * PAIR);
		if ((bits[0] | bits[1]) != 0) {
			break;
		}
	}
	for (; i + WORD <= n; i += WORD) {
		uint64_t x = load_u64(a.p + i), y = load_u64(b.p + i);
		if (x != y) {
			return i + (size_t)__builtin_ctzll(x ^ y) / 8;
		}
	}
	while (i < n && a.p[i] == b.p[i]) {
		i++;
	}
	return i;
}

#define STR_NONE SIZE_MAX

/** Return the index of the first `c` in `s`, or STR_NONE. */
static inline size_t str_find(struct str s, char c) {
	const char *at = s.n == 0 ? NULL : memchr(s.p, c, s.n);
	return at == NULL ? STR_NONE : (size_t)(at - s.p);
}

/** Return the index of the last `c`, or STR_NONE. */
static inline size_t str_find_last(struct str s, char c) {
	const char *at = s.p == NULL ? NULL : memrchr(s.p, c, s.n);
	return at == NULL ? STR_NONE : (size_t)(at - s.p);
}

/** Return the index of the first `needle`, or STR_NONE. */
size_t str_find_str(struct str s, struct str needle);

/** Return the index of the last `needle`, or STR_NONE. */
size_t str_find_last_str(struct str s, struct str needle);

static inline bool str_has(struct str s, struct str needle) {
	return str_find_str(s, needle) != STR_NONE;
}

/** Return the index of the `(` that matches the `)` at the end of `s`, or STR_NONE. */
size_t str_find_opening(struct str s);

/** Split `s` at the first `c`. Return the part before it, and leave the part after it in `*s`. If
 * there is no `c`, return all of `*s`, and make `*s` empty. */
struct str str_cut(struct str *s, char c);

/**
 * Remove the next word, and the blanks before it, from the start of `*rest`. Return the word.
 * Return an empty word at the end.
 */
struct str str_next_word(struct str *rest);

/** Return text without Unicode white space at its end or at its start. */
struct str str_trim_end_slow(struct str s);
struct str str_trim_start_slow(struct str s);

/** Return whether a byte is a printable ASCII character other than a blank. Such a byte is never
 * part of white space. */
static inline bool is_graphic(char c) {
	return (unsigned char)(c - 0x21) < 0x7f - 0x21;
}

static inline struct str str_trim_end(struct str s) {
	while (s.n > 0 && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\r')) {
		s.n--;
	}
	// Nearly every line ends in a graphic character. Check this inline.
	return s.n == 0 || is_graphic(s.p[s.n - 1]) ? s : str_trim_end_slow(s);
}

/** Return text without white space at its start. Remove eight blanks at a time: this saves 3 % of
 * the instructions of `collapse dtrace`. */
static inline struct str str_trim_start(struct str s) {
	while (s.n >= sizeof(uint64_t) && load_u64(s.p) == UINT64_C(0x2020202020202020)) {
		s = str_from(s, sizeof(uint64_t));
	}
	while (s.n > 0 && (s.p[0] == ' ' || s.p[0] == '\t')) {
		s = str_from(s, 1);
	}
	return s.n == 0 || is_graphic(s.p[0]) ? s : str_trim_start_slow(s);
}

static inline struct str str_trim(struct str s) {
	return str_trim_start(str_trim_end(s));
}

static inline bool is_digit(char c) {
	return (unsigned char)(c - '0') < 10;
}

static inline bool is_hex(char c) {
	return is_digit(c) || (unsigned char)((c | 0x20) - 'a') < 6;
}

static inline bool is_alpha(char c) {
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

/** Return how a character changes the depth of brackets: 1 for an opening bracket, -1 for a closing
 * bracket, 0 for any other character. */
static inline int bracket_step(char c) {
	return c == '<' || c == '{' || c == '[' || c == '('   ? 1
	       : c == '>' || c == '}' || c == ']' || c == ')' ? -1
							      : 0;
}

/** Return whether every byte is a hexadecimal digit. For an empty slice, return true. */
bool str_all_hex(struct str s);

/** Return whether every byte is a decimal digit. For an empty slice, return true. */
bool str_all_digits(struct str s);

/** The lines of a text, one after another. Set `rest` to the text, and all other members to
 * zero. */
struct lines {
	struct str rest;
	uint64_t number; // number of the last line taken; the first line is 1
};

/** Set `*line` to the next line, without its newline, and remove this line from `lines->rest`.
 * Return false at the end. */
static inline bool lines_next(struct lines *lines, struct str *line) {
	if (lines->rest.n == 0) {
		return false;
	}
	const char *newline = memchr(lines->rest.p, '\n', lines->rest.n);
	size_t len = newline == NULL ? lines->rest.n : (size_t)(newline - lines->rest.p);
	*line = (struct str){lines->rest.p, len};
	lines->rest = str_from(lines->rest, newline == NULL ? len : len + 1);
	lines->number++;
	return true;
}

/** Take the next line of a text. If `whole` is false, the text may end inside a line: do not take
 * its last line. */
static inline bool lines_next_whole(struct lines *lines, bool whole, struct str *line) {
	return lines_next(lines, line) && (whole || lines->rest.n > 0);
}
