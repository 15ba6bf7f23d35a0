/**
 * Borrowed slices. A slice points into memory that somebody else owns; unless a function says
 * otherwise it is valid until the call that received it returns. Bytes need not be UTF-8 and may be
 * NUL.
 */
#ifndef INFERNO_STR_H
#define INFERNO_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
	const char *p;
	size_t n;
};

/** The bytes of a string literal: as a value, and in a static table. */
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

/** Below, at or above 0 as the bytes of `a` sort before, with or after those of `b`. */
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

/** Eight bytes, wherever they stand, the first one lowest. */
static inline uint64_t load_u64(const char *p) {
	uint64_t value;
	memcpy(&value, p, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap64(value);
#endif
	return value;
}

/** How many bytes two texts share at their start. */
static inline size_t str_common_prefix(struct str a, struct str b) {
	enum { WORD = sizeof(uint64_t) };
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	for (; i + 4 * WORD <= n; i += 4 * WORD) {
		if (((load_u64(a.p + i) ^ load_u64(b.p + i)) |
		     (load_u64(a.p + i + WORD) ^ load_u64(b.p + i + WORD)) |
		     (load_u64(a.p + i + 2 * WORD) ^ load_u64(b.p + i + 2 * WORD)) |
		     (load_u64(a.p + i + 3 * WORD) ^ load_u64(b.p + i + 3 * WORD))) != 0) {
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

/** Index of the first `c`, or STR_NONE. */
static inline size_t str_find(struct str s, char c) {
	const char *at = s.n == 0 ? NULL : memchr(s.p, c, s.n);
	return at == NULL ? STR_NONE : (size_t)(at - s.p);
}

/** Index of the last `c`, or STR_NONE. */
static inline size_t str_find_last(struct str s, char c) {
	const char *at = s.n == 0 ? NULL : memrchr(s.p, c, s.n);
	return at == NULL ? STR_NONE : (size_t)(at - s.p);
}

/** Index of the first `needle`, or STR_NONE. */
size_t str_find_str(struct str s, struct str needle);

/** Index of the last `needle`, or STR_NONE. */
size_t str_find_last_str(struct str s, struct str needle);

static inline bool str_has(struct str s, struct str needle) {
	return str_find_str(s, needle) != STR_NONE;
}

/** Index of the `(` that matches the `)` at the end of `s`, or STR_NONE. */
size_t str_find_opening(struct str s);

/** Cut `s` at the first `c`: returns what is before it, leaves in `*s` what is after. Without
 * `c`, everything. */
struct str str_cut(struct str *s, char c);

/** Take the next word, and the blanks before it, off the front of `*rest`; empty at the end. */
struct str str_next_word(struct str *rest);

/** Without Unicode white space at the end; at the start; at both. */
struct str str_trim_end_slow(struct str s);
struct str str_trim_start_slow(struct str s);

/** Whether a byte is no white space and no part of any: a graphic ASCII character. */
static inline bool is_graphic(char c) {
	return (unsigned char)(c - 0x21) < 0x7f - 0x21;
}

static inline struct str str_trim_end(struct str s) {
	while (s.n > 0 && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\r')) {
		s.n--;
	}
	// What ends in a graphic character now, and nearly every line does, needs no look at UTF-8.
	return s.n == 0 || is_graphic(s.p[s.n - 1]) ? s : str_trim_end_slow(s);
}

static inline struct str str_trim_start(struct str s) {
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

/** How a character changes the depth of brackets: 1 if it opens one, -1 if it closes one, or 0. */
static inline int bracket_step(char c) {
	return c == '<' || c == '{' || c == '[' || c == '('   ? 1
	       : c == '>' || c == '}' || c == ']' || c == ')' ? -1
							      : 0;
}

/** Whether every byte is a hexadecimal digit; true for an empty slice. */
bool str_all_hex(struct str s);

/** Whether every byte is a decimal digit; true for an empty slice. */
bool str_all_digits(struct str s);

/** The lines of some text, one after the other. Zero-initialise all but `rest`. */
struct lines {
	struct str rest;
	uint64_t number; // of the line returned last; the first is 1
};

/** Take the next line, without its newline, into `*line`; false at the end. */
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

/** The same for text that is `whole`, or else may be cut off: then the last line is not taken. */
static inline bool lines_next_whole(struct lines *lines, bool whole, struct str *line) {
	return lines_next(lines, line) && (whole || lines->rest.n > 0);
}

#endif
