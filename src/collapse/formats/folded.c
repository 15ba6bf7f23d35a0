/* folded: one stack on each line, `frame;frame;frame COUNT`, as every collapser writes it. */
#include "collapse/folded_input.h"

static void folded_init(void *state, const void *options, struct run *run) {
	(void)options;
	folded_input_init(state, run);
}

static int folded_block(void *state, const struct block *block) {
	return folded_input_block(state, block);
}

static void folded_end(void *state) {
	folded_finish(((struct folded_input *)state)->reader);
}

static void folded_release(void *state) {
	folded_input_release(state);
}

/** Return whether a stack has a `;` between two frames. A `;` before a blank is prose or a log. */
static bool folded_is_separated(struct str stack) {
	size_t at = str_find(stack, ';');
	return at != STR_NONE && at + 1 < stack.n && stack.p[at + 1] != ' ' &&
	       stack.p[at + 1] != '\t';
}

/** Require that every line is a stack and a count. Since logs and tables have such lines, too, half
 * of the stacks must have more than one frame. */
static int folded_sniff(struct str bytes, bool whole) {
	enum { LOOK_AT = 64, FEW = 2, SURE = 8 };
	struct lines lines = {.rest = bytes};
	size_t stacks = 0, separated = 0;
	for (struct str text; stacks < LOOK_AT && lines_next_whole(&lines, whole, &text);) {
		struct folded_line line;
		enum folded_kind kind = folded_cut(text, true, &line);
		if (kind == FOLDED_NO_COUNT) {
			return separated > 0 ? SNIFF_HINT : SNIFF_NO;
		}
		stacks += kind == FOLDED_STACK;
		separated += kind == FOLDED_STACK && folded_is_separated(line.stack);
	}
	if (stacks == 0) {
		return whole ? SNIFF_NO : SNIFF_MORE;
	}
	return 2 * separated < stacks ? SNIFF_COULD_BE
	       : separated >= SURE    ? 3 * SNIFF_SHAPE
	       : separated >= FEW     ? 2 * SNIFF_SHAPE
				      : SNIFF_SHAPE;
}

static const struct example examples[] = {
	{"inferno collapse folded monday.folded tuesday.folded > both.folded",
	 "add up two profiles"},
	{NULL, NULL},
};

const struct collapser collapse_folded = {
	.name = "folded",
	.brief = "add up and sort folded stacks",
	.about = "Folded text has one stack on each line: the frames from the root to the leaf, "
		 "separated by semicolons, then a blank and a count. Equal stacks are added up. "
		 "Empty lines and lines that begin with '# ' are skipped. A line without a count "
		 "is reported and left out. The fraction of a count is dropped.",
	.examples = examples,
	.state_size = sizeof(struct folded_input),
	.sniff = folded_sniff,
	.init = folded_init,
	.block = folded_block,
	.cut = cut_lines,
	.finish = folded_end,
	.release = folded_release,
	.tallies = FOLDED_TALLIES,
	.expects = "folded text (on each line a stack, a blank and a count)",
};
