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

/** Where two words from memory differ first, in bytes. */
static size_t first_difference(uint64_t a, uint64_t b) {
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	return (size_t)(little ? __builtin_ctzll(a ^ b) : __builtin_clzll(a ^ b)) / 8;
}

static uint64_t word_at(struct str s, size_t at) {
	uint64_t word;
	memcpy(&word, s.p + at, sizeof(word));
	return word;
}

size_t str_common(struct str a, struct str b) {
	enum { WORD = sizeof(uint64_t) };
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	for (; i + 4 * WORD <= n; i += 4 * WORD) {
		if (((word_at(a, i) ^ word_at(b, i)) |
		     (word_at(a, i + WORD) ^ word_at(b, i + WORD)) |
		     (word_at(a, i + 2 * WORD) ^ word_at(b, i + 2 * WORD)) |
		     (word_at(a, i + 3 * WORD) ^ word_at(b, i + 3 * WORD))) != 0) {
			break;
		}
	}
	for (; i + WORD <= n; i += WORD) {
		uint64_t x = word_at(a, i), y = word_at(b, i);
		if (x != y) {
			return i + first_difference(x, y);
		}
	}
	while (i < n && a.p[i] == b.p[i]) {
		i++;
	}
	return i;
}
