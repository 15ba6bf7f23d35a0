/* Split folded text into lines, and lines into their parts. */
#include "profile/folded.h"

/** A count at the end of some text. */
struct count {
	uint64_t value;
	bool fraction;
};

/** Parse a count: digits, optionally followed by a point and more digits. If `signs` is set, a `+`
 * may come first. */
static bool folded_cut_parse_count(struct str text, bool signs, struct count *count) {
	size_t point = str_find(text, '.');
	struct str fraction = point == STR_NONE ? STR("") : str_from(text, point + 1);
	text = str_from(text, signs && str_starts(text, STR("+")));
	count->fraction = false;
	for (size_t i = 0; i < fraction.n; i++) {
		count->fraction |= fraction.p[i] != '0';
	}
	return str_all_digits(fraction) &&
	       num_parse_u64(point == STR_NONE ? text : str_to(text, point), &count->value);
}

/** Remove a count, and the separator before it, from the end of `*text`. */
static bool folded_cut_take_count_after(struct str *text, char separator, bool signs,
					struct count *count) {
	const char *at = text->n == 0 ? NULL : memrchr(text->p, separator, text->n);
	if (at == NULL ||
	    !folded_cut_parse_count(str_from(*text, (size_t)(at - text->p) + 1), signs, count)) {
		return false;
	}
	*text = str_trim_end(str_to(*text, (size_t)(at - text->p)));
	return true;
}

static bool folded_cut_take_count(struct str *text, bool signs, struct count *count) {
	return folded_cut_take_count_after(text, ' ', signs, count) ||
	       folded_cut_take_count_after(text, '\t', signs, count);
}

void folded_lines_keep(struct folded_lines *lines) {
	if (lines->before.p != lines->kept.p) {
		buf_set_str(&lines->kept, lines->before);
	}
	lines->before = buf_str(&lines->kept);
}

void folded_lines_release(struct folded_lines *lines) {
	buf_release(&lines->kept);
}

enum folded_kind folded_cut(struct str text, bool one_count, struct folded_line *line) {
	struct str stack = str_trim(text);
	struct count after, before;
	if (stack.n == 0 || str_starts(stack, STR("# "))) {
		return FOLDED_NOTHING;
	}
	if (!folded_cut_take_count(&stack, one_count, &after) || stack.n == 0) {
		return FOLDED_NO_COUNT;
	}
	*line = (struct folded_line){
		.stack = stack, .count = after.value, .fraction = after.fraction};
	if (!one_count && folded_ends_in_count(stack) &&
	    folded_cut_take_count(&stack, false, &before) && stack.n > 0) {
		line->stack = stack;
		line->before = before.value;
		line->two_counts = true;
		line->fraction |= before.fraction;
	}
	return FOLDED_STACK;
}

bool folded_ends_in_count(struct str text) {
	size_t n = text.n;
	while (n > 0 && (is_digit(text.p[n - 1]) || text.p[n - 1] == '.')) {
		n--;
	}
	return n < text.n && n > 0 && (text.p[n - 1] == ' ' || text.p[n - 1] == '\t');
}
