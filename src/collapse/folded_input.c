/* Folded text as a format's input. */
#include "collapse/folded_input.h"

/** Return whether the first `;` of a stack separates two frames. A `;` before a blank does not
 * count, because it occurs in prose and logs. */
static bool folded_input_is_separated(struct str stack) {
	size_t at = str_find(stack, ';');
	return at != STR_NONE && at + 1 < stack.n && stack.p[at + 1] != ' ' &&
	       stack.p[at + 1] != '\t';
}

/** Return whether a line has only a count. py-spy writes such a line for samples without frames. */
static bool folded_input_is_bare(struct str text) {
	return num_is_count(str_trim(text));
}

int folded_input_sniff(struct str bytes, bool whole) {
	enum { LOOK_AT = 64, FEW = 2, SURE = 8 };
	struct lines lines = {.rest = bytes};
	size_t stacks = 0, separated = 0;
	for (struct str text; stacks < LOOK_AT && lines_next_whole(&lines, whole, &text);) {
		struct folded_line line;
		enum folded_kind kind = folded_cut(text, true, &line);
		if (kind == FOLDED_NO_COUNT && !folded_input_is_bare(text)) {
			return separated > 0 ? SNIFF_HINT : SNIFF_NO;
		}
		stacks += kind == FOLDED_STACK;
		separated += kind == FOLDED_STACK && folded_input_is_separated(line.stack);
	}
	if (stacks == 0) {
		return whole ? SNIFF_NO : SNIFF_MORE;
	}
	return 2 * separated < stacks ? SNIFF_COULD_BE
	       : separated >= SURE    ? 3 * SNIFF_SHAPE
	       : separated >= FEW     ? 2 * SNIFF_SHAPE
				      : SNIFF_SHAPE;
}

void folded_input_init(void *state) {
	struct folded_input *input = state;
	input->reader = folded_reader_new(input->run->profile);
}

/** Report a line that lacks a stack or a valid count. Return 0, or -1 if the run must end. */
static int folded_input_complain(struct run *run, bool strict, struct str text, uint64_t number) {
	struct str line = str_trim(text);
	size_t blank = str_find_last(line, ' ');
	bool large = blank != STR_NONE && is_digit(line.p[blank + 1]) &&
		     num_is_count(str_from(line, blank + 1));
	if (folded_input_is_bare(text)) {
		return run_notice(run, strict ? NOTICE_BAD : NOTICE_WARNING, number,
				  "expected a count after a stack, found only a count: %s",
				  quote(line).text);
	}
	return run_notice(run, strict ? NOTICE_BAD : NOTICE_WARNING, number, "%s '%s'",
			  large ? "the count is too large:"
				: "expected a count after the stack, found",
			  quote(text).text);
}

int folded_input_cut(struct run *run, bool strict, struct str text, uint64_t number,
		     struct folded_line *line) {
	const struct profile *profile = run->profile;
	enum folded_kind kind =
		folded_cut(text, profile->form == PROFILE_STACKS || profile->one_count, line);
	if (kind == FOLDED_NOTHING) {
		return 0;
	}
	if (kind == FOLDED_NO_COUNT || (strict && line->fraction)) {
		return folded_input_complain(run, strict, text, number);
	}
	run->tallies[FOLDED_TALLY_FRACTION] += line->fraction;
	return 1;
}

/** Add the stack of a line. The first `common` bytes of the stack equal those of the previous
 * stack. */
static int folded_input_add_line(struct folded_input *input, const struct folded_line *line,
				 size_t common) {
	input->run->samples++;
	input->lines.before = folded_add(input->reader, input->lines.before, line, common);
	return 0;
}

/** Add the stack of a line that folded_cut_plain() cannot split, or report the line. */
static int folded_input_add_odd_line(struct folded_input *input) {
	const struct folded_lines *lines = &input->lines;
	struct folded_line line = {0};
	int found = folded_input_cut(input->run, input->strict, lines->line, lines->number, &line);
	return found == 1 ? folded_input_add_line(input, &line,
						  str_common_prefix(line.stack, lines->before))
			  : found;
}

int folded_input_block(void *state, const struct block *block) {
	struct folded_input *input = state;
	struct folded_lines *lines = &input->lines;
	int result = 0;
	folded_lines_begin(lines, block->bytes);
	while (result == 0 && folded_lines_next(lines)) {
		struct folded_line line = {0};
		result = folded_cut_plain(lines->line, false, &line.stack, &line.count)
				 ? folded_input_add_line(input, &line, lines->common)
				 : folded_input_add_odd_line(input);
	}
	// copy the previous line, because the next block overwrites its memory
	folded_let_go(input->reader);
	folded_lines_keep(lines);
	input->run->lines = lines->number;
	return result;
}

void folded_input_finish(void *state) {
	folded_finish(((struct folded_input *)state)->reader);
}

void folded_input_release(void *state) {
	struct folded_input *input = state;
	folded_lines_release(&input->lines);
	folded_reader_free(input->reader);
}
