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
	if (needle.n > s.n) {
		return STR_NONE;
	}
	for (size_t i = s.n - needle.n + 1; i > 0; i--) {
		if (memcmp(s.p + i - 1, needle.p, needle.n) == 0) {
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
