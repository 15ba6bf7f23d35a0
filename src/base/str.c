/* Borrowed slices: the functions that are too long to inline. */
#include "base/str.h"

#include "base/utf8.h"

size_t str_find_str(struct str s, struct str needle) {
	if (needle.n == 0) {
		return 0;
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

struct str str_cut(struct str *s, char c) {
	size_t at = str_find(*s, c);
	struct str head = at == STR_NONE ? *s : str_to(*s, at);
	*s = at == STR_NONE ? str_from(*s, s->n) : str_from(*s, at + 1);
	return head;
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
