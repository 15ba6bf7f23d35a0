/**
 * Text of the input, for formats that use the names of frames as the profiler prints them.
 *
 * Blanks are spaces and tabs. Nothing else is white space.
 */
#pragma once

#include "base/buf.h"
#include "collapse/frames.h"
#include "profile/memo.h"

/** Return a line without the CR of a CR LF. */
static inline struct str text_line(struct str line) {
	return line.n > 0 && line.p[line.n - 1] == '\r' ? str_to(line, line.n - 1) : line;
}

static inline bool text_is_blank(char c) {
	return c == ' ' || c == '\t';
}

/** Return the number of blanks at the start. */
static inline size_t text_blanks(struct str s) {
	size_t n = 0;
	while (n < s.n && text_is_blank(s.p[n])) {
		n++;
	}
	return n;
}

/** Return the number of decimal digits at the start. text_hex_digits() counts hexadecimal
 * digits. */
static inline size_t text_digits(struct str s) {
	size_t n = 0;
	while (n < s.n && is_digit(s.p[n])) {
		n++;
	}
	return n;
}

static inline size_t text_hex_digits(struct str s) {
	size_t n = 0;
	while (n < s.n && is_hex(s.p[n])) {
		n++;
	}
	return n;
}

/** Return text without blanks at its start, its end, or both. */
static inline struct str text_trim_start(struct str s) {
	return str_from(s, text_blanks(s));
}

static inline struct str text_trim_end(struct str s) {
	while (s.n > 0 && text_is_blank(s.p[s.n - 1])) {
		s.n--;
	}
	return s;
}

static inline struct str text_trim(struct str s) {
	return text_trim_start(text_trim_end(s));
}

/**
 * Cut the next word, and the blanks before it, off the front of `*rest`. Return an empty word at
 * the end.
 */
struct str text_next_word(struct str *rest);

/** Cut `head` off the front of `*s`. Return false if `*s` does not start with `head`. */
static inline bool text_take(struct str *s, struct str head) {
	bool there = str_starts(*s, head);
	*s = str_from(*s, there ? head.n : 0);
	return there;
}

/** Add the name of a frame that has no symbol: `[FILE]` for the path of its module. A path that
 * starts with a bracket is added as it is, and an empty path becomes `[unknown]`. */
void text_add_module(struct buf *name, struct str path);

/** Return the frame of a name, which must not be empty. `names` is a cache that maps names to the
 * results of run_frame(). */
uint32_t text_frame(struct run *run, struct memo *names, struct str name);
