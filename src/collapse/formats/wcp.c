/*
 * wcp: the report of wallClockProfiler.
 *
 * The report lists functions, then partial stacks, then full stacks. Only the full stacks are
 * counted. A stack is a line with the count, and then one frame on each line, leaf first.
 */
#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/text.h"

struct wcp_options {
	bool no_lines;
};

enum wcp_tally { TALLY_NO_COUNT, TALLY_NO_FRAMES };

struct wcp_state {
	STATE_HEAD(struct wcp_options);
	struct memo names; // memo of names, as the report has them
	bool in_stacks;    // the heading of the full stacks was read
	bool counted;      // the first line of the stack was read
	bool refused;      // the first line of the stack is damaged
	uint64_t count;
	struct stack stack;
};

/* --- Lines ---------------------------------------------------------------------------------- */

/** Read the first line of a stack, such as "99.791% ====== (17194 samples)"; the blanks before the
 * share were removed. If the line has no count after the share, set `*count` to an empty text. */
static bool wcp_read_share(struct str line, struct str *count) {
	size_t share = 0;
	while (share < line.n && (is_digit(line.p[share]) || line.p[share] == '.')) {
		share++;
	}
	line = str_from(line, share);
	*count = STR("");
	if (share == 0 || !text_take(&line, STR("%"))) {
		return false;
	}
	struct str rest = text_trim_start(line);
	size_t bar = 0;
	while (bar < rest.n && rest.p[bar] == '=') {
		bar++;
	}
	rest = str_from(rest, bar);
	if (bar > 0 && text_take(&rest, STR(" ("))) {
		struct str number = str_cut(&rest, ' ');
		bool fits = str_eq(rest, STR("samples)")) || str_eq(rest, STR("sample)"));
		*count = fits ? number : STR("");
	}
	return true;
}

/** Read the frame in a line, such as "2: main (at /src/main.nim:9)". */
static bool wcp_read_frame(struct str line, struct str *frame) {
	size_t digits = text_digits(line);
	*frame = str_from(line, digits);
	return digits > 0 && text_take(frame, STR(": ")) && frame->n > 0;
}

/** Return a frame without the place after its name. */
static struct str wcp_cut_place(struct str frame) {
	size_t place =
		str_ends(frame, STR(")")) ? str_find_last_str(frame, STR(" (at ")) : STR_NONE;
	struct str name = place == STR_NONE ? frame : text_trim_end(str_to(frame, place));
	return name.n == 0 ? frame : name;
}

/* --- Stacks --------------------------------------------------------------------------------- */

static void wcp_end_stack(struct wcp_state *state) {
	struct stack *stack = &state->stack;
	bool any = stack_depth(stack) > 0;
	if (any && state->counted) {
		stack_count(stack, state->run->profile, state->count);
	} else if (!state->refused) {
		state->run->tallies[TALLY_NO_COUNT] += any;
		state->run->tallies[TALLY_NO_FRAMES] += state->counted;
	}
	stack_clear(stack);
	state->counted = state->refused = false;
}

/** Return whether a line is the heading of another part, perhaps of a further report in the same
 * input. */
static bool wcp_is_other_heading(struct str line) {
	return str_starts(line, STR("Functions with ")) || str_starts(line, STR("Partial stacks "));
}

static int wcp_share_line(struct wcp_state *state, struct str count, struct str line,
			  uint64_t number) {
	wcp_end_stack(state);
	state->run->samples++;
	state->counted = num_parse_u64(count, &state->count);
	state->refused = !state->counted;
	return state->counted ? 0
			      : run_warn(state->run, number, "expected a number of samples in '%s'",
					 quote(line).text);
}

static int wcp_line(void *memory, struct str line, uint64_t number) {
	struct wcp_state *state = memory;
	struct str text;
	line = text_trim(text_line(line));
	if (str_starts(line, STR("Full stacks")) || wcp_is_other_heading(line)) {
		wcp_end_stack(state);
		state->in_stacks = str_starts(line, STR("Full stacks"));
	} else if (!state->in_stacks) {
		return 0;
	} else if (line.n == 0) {
		wcp_end_stack(state);
	} else if (wcp_read_share(line, &text)) {
		return wcp_share_line(state, text, line, number);
	} else if (wcp_read_frame(line, &text)) {
		text = state->options->no_lines ? wcp_cut_place(text) : text;
		stack_push(&state->stack, text_frame(state->run, &state->names, text));
		state->run->samples++;
	}
	return 0;
}

static int wcp_block(void *memory, const struct block *block) {
	struct wcp_state *state = memory;
	int result = run_lines(state->run, block, state, wcp_line);
	if (block->last) {
		wcp_end_stack(state);
		state->in_stacks = false;
	}
	return result;
}

static void wcp_release(void *memory) {
	struct wcp_state *state = memory;
	memo_release(&state->names);
	stack_release(&state->stack);
}

/** Search for the bar of equals signs before a count, or for the text that the program prints at
 * its start. */
static int wcp_sniff(struct str bytes, bool whole) {
	enum { FIRST_LINES = 8 };
	struct lines lines = {.rest = bytes};
	bool started = false;
	for (struct str line, count; lines_next_whole(&lines, whole, &line);) {
		line = text_trim(text_line(line));
		if (wcp_read_share(line, &count) && count.n > 0) {
			return started ? 2 * SNIFF_MAGIC : SNIFF_MAGIC;
		}
		started |= lines.number <= FIRST_LINES &&
			   str_starts(line, STR("Forked GDB child on PID="));
	}
	return started ? SNIFF_MAGIC : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct wcp_options, no_lines), .name = "no-lines",
	 .help = "leave out files and line numbers, so that a function is one frame"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"wallClockProfiler 20 ./app 4711 60 > report.txt",
	 "sample a process 20 times a second, for a minute"},
	{"inferno collapse wcp report.txt > out.folded", "fold the full stacks of the report"},
	{"inferno collapse wcp --no-lines report.txt", "fold them by function"},
	{NULL, NULL},
};

const struct collapser collapse_wcp = {
	.name = "wcp",
	.aliases = (const char *const[]){"stackcollapse-wcp", NULL},
	.brief = "fold the report of wallClockProfiler",
	.about = "Reads the full stacks of a report; its lists of functions and of partial stacks "
		 "are skipped. Counts are samples. Frames keep their file and line, as printed.",
	.examples = examples,
	.options = {options, sizeof(struct wcp_options)},
	.state_size = sizeof(struct wcp_state),
	.sniff = wcp_sniff,
	.block = wcp_block,
	.release = wcp_release,
	.tallies = {[TALLY_NO_COUNT] = "left out stacks without a count",
		    [TALLY_NO_FRAMES] = "left out counts without frames"},
	.expects = "a report of wallClockProfiler with full stacks",
};
