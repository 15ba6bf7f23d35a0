/*
 * folded: one stack a line, `frame;frame;frame COUNT`, as every collapser writes it.
 *
 * Folded text is usually sorted, so a line shares most of its frames with the one before; only the
 * others are looked up.
 */
#include <stdlib.h>

#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"

enum tally { TALLY_FRACTION };

struct state {
	struct run *run;
	struct buf previous; // the stack of the line before, as text
	struct ids ids;      // its frames
	size_t *ends;        // where they end in it
	size_t ends_capacity;
	struct buf repaired;
};

static void init(void *memory, const void *options, struct run *run) {
	(void)options;
	((struct state *)memory)->run = run;
}

/** A count at the end of some text. */
struct count {
	uint64_t value;
	bool fraction; // it had one that is not zero, and was cut
};

/** Digits, perhaps a point, perhaps more digits. */
static bool parse_count(struct str text, struct count *count) {
	size_t point = str_find(text, '.');
	struct str fraction = point == STR_NONE ? STR("") : str_from(text, point + 1);
	count->fraction = false;
	for (size_t i = 0; i < fraction.n; i++) {
		count->fraction |= fraction.p[i] != '0';
	}
	return str_all_digits(fraction) &&
	       num_parse_u64(point == STR_NONE ? text : str_to(text, point), &count->value);
}

/** Takes a count, and the blank or tab before it, off the end of `*text`. */
static bool take_count_behind(struct str *text, char separator, struct count *count) {
	const char *at = text->n == 0 ? NULL : memrchr(text->p, separator, text->n);
	if (at == NULL || !parse_count(str_from(*text, (size_t)(at - text->p) + 1), count)) {
		return false;
	}
	*text = str_trim_end(str_to(*text, (size_t)(at - text->p)));
	return true;
}

static bool take_count(struct str *text, struct count *count) {
	return take_count_behind(text, ' ', count) || take_count_behind(text, '\t', count);
}

/** How many bytes two texts share at their start. */
static size_t common_prefix(struct str a, struct str b) {
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	while (i + 8 <= n && memcmp(a.p + i, b.p + i, 8) == 0) {
		i += 8;
	}
	while (i < n && a.p[i] == b.p[i]) {
		i++;
	}
	return i;
}

static uint32_t frame_id(struct state *state, struct str name) {
	if (!utf8_valid(name)) {
		buf_clear(&state->repaired);
		utf8_repair(&state->repaired, name);
		name = buf_str(&state->repaired);
	}
	return stacks_frame(state->run->stacks, name);
}

/** Makes `ids` the frames of a stack's text. */
static void read_stack(struct state *state, struct str stack) {
	size_t common = common_prefix(stack, buf_str(&state->previous));
	// A frame is shared if the `;` behind it is.
	while (state->ids.n > 0 && state->ends[state->ids.n - 1] >= common) {
		state->ids.n--;
	}
	size_t at = state->ids.n == 0 ? 0 : state->ends[state->ids.n - 1] + 1;
	buf_clear(&state->previous);
	buf_add_str(&state->previous, stack);
	for (bool more = true; more;) {
		struct str rest = str_from(stack, at);
		size_t n = str_find(rest, ';');
		more = n != STR_NONE;
		n = more ? n : rest.n;
		state->ends = mem_grow(state->ends, &state->ends_capacity, state->ids.n + 1,
				       sizeof(*state->ends));
		state->ends[state->ids.n] = at + n;
		ids_push(&state->ids, frame_id(state, str_to(rest, n)));
		at += n + 1;
	}
}

static int line(void *memory, struct str text, uint64_t number) {
	struct state *state = memory;
	struct str stack = str_trim(text);
	if (stack.n == 0 || str_starts(stack, STR("# "))) {
		return 0;
	}
	struct count after, before;
	if (!take_count(&stack, &after) || stack.n == 0) {
		return run_warn(state->run, number, "expected a stack and a count, found '%s'",
				quote(text).text);
	}
	struct str rest = stack;
	bool take_lines = (state->run->stacks->mode & STACKS_TAKE_LINES) != 0;
	bool two = take_lines && take_count(&rest, &before) && rest.n > 0;
	read_stack(state, two ? rest : stack);
	state->run->samples++;
	state->run->tallies[TALLY_FRACTION] += after.fraction || (two && before.fraction);
	if (take_lines) {
		stacks_add_line(state->run->stacks, state->ids.items, state->ids.n,
				(struct stack_row){.count = after.value,
						   .before = two ? before.value : 0,
						   .two_counts = two});
	} else {
		stacks_add(state->run->stacks, state->ids.items, state->ids.n, after.value);
	}
	return 0;
}

static int block(void *memory, const struct block *block) {
	struct state *state = memory;
	return run_lines(state->run, block, state, line);
}

static void release(void *memory) {
	struct state *state = memory;
	buf_release(&state->previous);
	buf_release(&state->repaired);
	ids_release(&state->ids);
	free(state->ends);
}

/** Every line must be a stack and a count; a `;` in a stack makes it more than a guess. */
static int sniff(struct str bytes, bool whole) {
	enum { LOOK_AT = 64, SURE = 8 };
	struct lines lines = {.rest = bytes};
	size_t stacks = 0, separators = 0;
	for (struct str text; stacks < LOOK_AT && lines_next_whole(&lines, whole, &text);) {
		struct str stack = str_trim(text);
		if (stack.n == 0 || str_starts(stack, STR("# "))) {
			continue;
		}
		struct count count;
		if (!take_count(&stack, &count) || stack.n == 0) {
			return SNIFF_NO;
		}
		stacks++;
		separators += str_find(stack, ';') != STR_NONE;
	}
	if (stacks == 0) {
		return whole ? SNIFF_NO : SNIFF_MORE;
	}
	return separators >= SURE ? 3 * SNIFF_SHAPE
	       : separators > 0   ? 2 * SNIFF_SHAPE
				  : SNIFF_LIKELY;
}

static const struct example examples[] = {
	{"inferno collapse folded monday.folded tuesday.folded > both.folded",
	 "add up two foldings"},
	{NULL, NULL},
};

const struct collapser collapse_folded = {
	.name = "folded",
	.brief = "add up and sort folded stacks",
	.about = "Folded text has one stack a line: the frames from the root to the leaf, "
		 "separated by semicolons, then a "
		 "blank and a count. Equal stacks are added up. Empty lines and lines that begin "
		 "with '# ' are skipped; a "
		 "line without a count is named and left out. A fraction of a count is dropped.",
	.examples = examples,
	.options_size = 0,
	.state_size = sizeof(struct state),
	.sniff = sniff,
	.init = init,
	.block = block,
	.cut = cut_lines,
	.release = release,
	.tallies = {[TALLY_FRACTION] = "lines whose count has a fraction, which is dropped"},
	.expects = "folded text (a stack, a blank and a count a line)",
};
