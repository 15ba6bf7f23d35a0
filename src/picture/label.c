/* Shortens names to their most informative part. */
#include "picture/label.h"

#include "base/utf8.h"
#include "viewer-constants.h"

#define ELLIPSIS "\xe2\x80\xa6"

static bool label_fits(struct str name, size_t room) {
	enum { MOST_BYTES = 4 }; // longest UTF-8 character
	return name.n <= room || (name.n / MOST_BYTES <= room && utf8_count(name) <= room);
}

static bool label_is_word(char c) {
	return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/** Return the length of the operator symbol at `at`, as in `operator<<`, or 0. */
static size_t label_operator_at(struct str name, size_t at) {
	static const char *const symbols[] = {OPERATOR_SYMBOLS};
	const struct str word = STR("operator");
	if (!str_ends(str_to(name, at), word) ||
	    (at > word.n && label_is_word(name.p[at - word.n - 1]))) {
		return 0;
	}
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if (str_starts(str_from(name, at), str_of(symbols[i]))) {
			return strlen(symbols[i]);
		}
	}
	return 0;
}

/* --- Arguments ------------------------------------------------------------------------------- */

/** An open bracket. If the bracket contains arguments, the output is cut back to `start` when the
 * bracket closes. */
struct bracket {
	char open;
	bool has_arguments;
	size_t start;
};

/** Open the bracket at `at`. The bracket contains arguments if it follows a name. Otherwise the
 * bracket is part of a name. `operator_end` is the offset in `out` at which the last operator's
 * name ended. */
static struct bracket label_open_bracket(struct str name, size_t at, const struct buf *out,
					 size_t operator_end) {
	size_t start = out->n;
	struct str rest = str_from(name, at);
	char open = rest.p[0];
	bool spaced = open == '(' && start > 1 && out->p[start - 1] == ' ' &&
		      !str_starts(rest, STR("(*")) && !str_starts(rest, STR("(anonymous "));
	start -= spaced;
	char before = start > 0 ? out->p[start - 1] : '\0';
	bool after_name = start == operator_end || label_is_word(before) || before == ')' ||
			  before == ']' || (before == '>' && open == '(');
	return (struct bracket){open, after_name, after_name ? start : out->n};
}

/** Close the bracket that the character `close` ends. A `)` also closes every `<` inside its
 * bracket. A `>` closes nothing if the innermost bracket is a `(`, or if it is part of an arrow. */
static void label_close_bracket(struct bracket *brackets, size_t *n, char close, struct buf *out) {
	char open = close == ')' ? '(' : '<';
	char before = out->n > 1 ? out->p[out->n - 2] : '\0';
	if (close == '>' && (before == '-' || before == '=')) {
		return;
	}
	size_t at = *n;
	while (at > 0 && brackets[at - 1].open != open && close == ')') {
		at--;
	}
	if (at > 0 && brackets[at - 1].open == open) {
		*n = at - 1;
		out->n = brackets[*n].has_arguments ? brackets[*n].start : out->n;
	}
}

/** Write the name without arguments in brackets. Arguments are written at first, and cut off when
 * their bracket closes. */
static void label_add_without_arguments(struct buf *out, struct str name) {
	struct bracket brackets[MOST_BRACKETS];
	size_t n = 0, operator_end = SIZE_MAX;
	for (size_t i = 0; i < name.n; i++) {
		size_t symbol = label_operator_at(name, i);
		if (symbol > 0) {
			buf_add_str(out, str_to(str_from(name, i), symbol));
			i += symbol - 1;
			operator_end = out->n;
			continue;
		}
		char c = name.p[i];
		if ((c == '(' || c == '<') && n < MOST_BRACKETS) {
			brackets[n++] = label_open_bracket(name, i, out, operator_end);
		}
		buf_add_char(out, c);
		if (c == ')' || c == '>') {
			label_close_bracket(brackets, &n, c, out);
		}
	}
}

/** Return a name without the ends that compilers and profilers add. */
static struct str label_without_tail(struct str name) {
	static const char *const starts[] = {TAIL_STARTS};
	static const char *const ends[] = {TAIL_ENDS};
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		size_t at = str_find_str(name, str_of(starts[i]));
		if (at != STR_NONE && at > 0 && label_is_word(name.p[at - 1])) {
			name = str_to(name, at);
		}
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct str end = str_of(ends[i]);
		if (name.n > end.n && str_ends(name, end)) {
			name = str_to(name, name.n - end.n);
		}
	}
	return name;
}

/* --- Parts ----------------------------------------------------------------------------------- */

/** Return whether a name is a file name or ends in one. Dots in a file name separate no parts. */
static bool label_is_file(struct str name) {
	static const char *const ends[] = {FILE_ENDS};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct str end = str_of(ends[i]);
		size_t at = str_find_last_str(name, end);
		if (at != STR_NONE &&
		    (at + end.n == name.n || !label_is_word(name.p[at + end.n]))) {
			return true;
		}
	}
	return false;
}

/** Return the length of the separator of name parts at `at`, or 0. */
static size_t label_separator_at(struct str name, size_t at, bool has_file, size_t last_colons) {
	switch (name.p[at]) {
	case ':':
		return at + 1 < name.n && name.p[at + 1] == ':' ? 2 : 0;
	case '.':
		return !has_file;
	case ' ': // a blank after the return type of a template function
		return last_colons != STR_NONE && at < last_colons;
	case '/':
	case '\\':
	case '`':
	case '!':
	case '#':
		return 1;
	default:
		return 0;
	}
}

/** Return whether a part of a name can begin with a character. */
static bool label_can_begin(char c) {
	return (label_is_word(c) && !is_digit(c)) || strchr("~<({[", c) != NULL;
}

/** Return whether a word begins between two characters, as in `fooBar` and `foo_bar`. */
static bool label_is_hump(char last, char next) {
	bool is_upper = next >= 'A' && next <= 'Z', after_lower = last >= 'a' && last <= 'z';
	return (is_upper && (after_lower || is_digit(last))) || (last == '_' && is_alpha(next));
}

/** Keep as many of the last words of the part from `before` to `start` as fit after an ellipsis,
 * because functions of many classes may have the same last part. Return the start of the shortened
 * name. */
static struct str label_with_last_words(struct buf *buf, struct str name, size_t before,
					size_t start, size_t room) {
	const size_t dots = strlen(ELLIPSIS);
	for (size_t i = before + 1; i < start; i++) {
		if (i >= dots && label_is_hump(name.p[i - 1], name.p[i]) &&
		    label_fits(str_from(name, i), room - 1)) {
			size_t at = (size_t)(name.p - buf->p) + i - dots;
			memcpy(buf->p + at, ELLIPSIS, dots);
			return str_from(name, i - dots);
		}
	}
	return str_from(name, start);
}

/** Remove leading parts of a name in `buf` until it fits or only its last part is left. */
static struct str label_without_leading_parts(struct buf *buf, struct str name, size_t room) {
	bool has_file = label_is_file(name);
	size_t last_colons = str_find_last_str(name, STR("::"));
	size_t start = 0, before = 0;
	int depth = 0;
	for (size_t i = 0; i < name.n && label_operator_at(name, i) == 0;) {
		int change = bracket_step(name.p[i]);
		depth += depth > 0 || change > 0 ? change : 0;
		size_t n = depth > 0 ? 0 : label_separator_at(name, i, has_file, last_colons);
		i += n == 0 ? 1 : n;
		if (n > 0 && i < name.n && label_can_begin(name.p[i])) {
			before = start;
			start = i;
			if (label_fits(str_from(name, start), room)) {
				return label_with_last_words(buf, name, before, start, room);
			}
		}
	}
	return str_from(name, start);
}

/** Shorten a name at the end of `buf`. A number at the end of the name remains, because this number
 * is often the only difference between names. */
static void label_cut(struct buf *buf, struct str name, size_t room) {
	char number[32];
	size_t n = 0;
	while (n < name.n && n < sizeof(number) && is_digit(name.p[name.n - n - 1])) {
		n++;
	}
	n = n < room && n < sizeof(number) ? n : 0;
	memcpy(number, name.p + name.n - n, n);
	buf->n = (size_t)(name.p - buf->p) + utf8_prefix(name, room - 1 - n);
	buf_add_text(buf, ELLIPSIS);
	buf_add(buf, number, n);
}

struct str label_shorten(struct str name, size_t room, struct buf *buf) {
	if (label_fits(name, room)) {
		return name;
	}
	buf_clear(buf);
	size_t start = 0;
	if (name.n <= MOST_SHORTENED) {
		label_add_without_arguments(buf, name);
		struct str rest = label_without_tail(buf_str(buf));
		if (!label_fits(rest, room)) {
			rest = label_without_leading_parts(buf, rest, room);
		}
		if (label_fits(rest, room)) {
			return rest;
		}
		start = (size_t)(rest.p - buf->p);
		label_cut(buf, rest, room);
	} else {
		buf_add_str(buf, str_to(name, utf8_prefix(name, room - 1)));
		buf_add_text(buf, ELLIPSIS);
	}
	return str_from(buf_str(buf), start);
}
