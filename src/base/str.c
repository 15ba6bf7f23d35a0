/* The functions of str.h that are too long to inline. */
#include "base/str.h"

#include "base/utf8.h"

/** Return the index of the first `pair` of characters, or STR_NONE. Search for the first character
 * with memchr(): it is rare in names, so this takes less time than memmem(). */
static size_t str_find_pair(struct str s, const char *pair) {
	size_t at = 0;
	for (size_t n; (n = str_find(str_from(s, at), pair[0])) != STR_NONE; at++) {
		at += n;
		if (at + 1 < s.n && s.p[at + 1] == pair[1]) {
			return at;
		}
	}
	return STR_NONE;
}

size_t str_find_str(struct str s, struct str needle) {
	if (needle.n == 0) {
		return 0;
	}
	if (needle.n == 2) {
		return str_find_pair(s, needle.p);
	}
	const char *at = s.n == 0 ? NULL : memmem(s.p, s.n, needle.p, needle.n);
	return at == NULL ? STR_NONE : (size_t)(at - s.p);
}

size_t str_find_last_str(struct str s, struct str needle) {
	if (needle.n == 0 || needle.n > s.n) {
		return needle.n == 0 ? s.n : STR_NONE;
	}
	size_t at = str_find_last(str_to(s, s.n - needle.n + 1), needle.p[0]);
	while (at != STR_NONE && !str_starts(str_from(s, at), needle)) {
		at = str_find_last(str_to(s, at), needle.p[0]);
	}
	return at;
}

size_t str_find_opening(struct str s) {
	if (!str_ends(s, STR(")"))) {
		return STR_NONE;
	}
	size_t open = str_find_last(s, '('), depth = 0;
	if (open == STR_NONE || str_find(str_from(s, open), ')') == s.n - open - 1) {
		return open; // the usual case
	}
	for (size_t i = s.n; i > 0; i--) {
		depth += s.p[i - 1] == ')';
		if (s.p[i - 1] == '(' && --depth == 0) {
			return i - 1;
		}
	}
	return STR_NONE;
}

struct str str_cut(struct str *s, char c) {
	size_t at = str_find(*s, c);
	struct str head = at == STR_NONE ? *s : str_to(*s, at);
	*s = at == STR_NONE ? str_from(*s, s->n) : str_from(*s, at + 1);
	return head;
}

struct str str_next_word(struct str *rest) {
	while (rest->n > 0 && rest->p[0] == ' ') {
		*rest = str_from(*rest, 1);
	}
	size_t end = str_find(*rest, ' ');
	struct str word = end == STR_NONE ? *rest : str_to(*rest, end);
	*rest = str_from(*rest, word.n);
	return word;
}

struct str str_trim_end_slow(struct str s) {
	for (size_t len; (len = utf8_space_at_end(s)) > 0;) {
		s.n -= len;
	}
	return s;
}

struct str str_trim_start_slow(struct str s) {
	for (size_t len; (len = utf8_space_at_start(s)) > 0;) {
		s = str_from(s, len);
	}
	return s;
}

bool str_all_hex(struct str s) {
	for (size_t i = 0; i < s.n; i++) {
		if (!is_hex(s.p[i])) {
			return false;
		}
	}
	return true;
}

bool str_all_digits(struct str s) {
	for (size_t i = 0; i < s.n; i++) {
		if (!is_digit(s.p[i])) {
			return false;
		}
	}
	return true;
}
