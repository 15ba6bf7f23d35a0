/*
 * stap: stacks and their counts, as a SystemTap script prints them.
 *
 * Frames come one on each line, leaf first, and then a line with the count. A memo remembers frame
 * lines.
 */
#include "collapse/frames.h"
#include "base/num.h"
#include "collapse/collapser.h"
#include "profile/memo.h"

enum stap_tally { TALLY_NO_FRAMES };

struct stap_state {
	STATE_HEAD(void);
	struct memo memo; // meanings of frame lines
	struct stack stack;
	bool started;  // a stack of this input has begun
	int64_t first; // number of the line of the first pending frame, for run_line()
};

/* --- Names: once for each distinct line ----------------------------------------------------- */

/** Remove `+0xHEX` or `+0xHEX/0xHEX` from the end of a text, unless the result would be empty. */
static struct str stap_cut_place(struct str text) {
	size_t plus = str_find_last_str(text, STR("+0x"));
	if (plus == STR_NONE || plus == 0) {
		return text;
	}
	struct str rest = str_from(text, plus + 3), offset = str_cut(&rest, '/');
	bool sized = offset.p + offset.n != text.p + text.n;
	if (offset.n == 0 || !str_all_hex(offset) ||
	    (sized &&
	     !(str_starts(rest, STR("0x")) && rest.n > 2 && str_all_hex(str_from(rest, 2))))) {
		return text;
	}
	return str_to(text, plus);
}

struct stap_parts {
	struct str address; // column with the address, and the ` : ` after it; empty: missing
	struct str symbol;  // name of the function, with the offset
	struct str module;  // module without the brackets
	struct str whole;   // symbol and module
	bool bracketed;     // the line has a module
};

static struct stap_parts stap_split(struct str line) {
	// stap adds this text if it has found the frame by a scan of the stack
	static const struct str guessed = STR_INIT(" (inexact)");
	line.n -= str_ends(line, guessed) ? guessed.n : 0;
	struct stap_parts parts = {.symbol = line};
	size_t colon = str_find_last_str(line, STR(" : "));
	if (colon != STR_NONE) {
		parts.address = str_to(line, colon + 3);
		parts.symbol = str_trim_start(str_from(line, colon + 3));
	}
	parts.whole = parts.symbol;
	size_t open = str_find_last_str(parts.symbol, STR(" ["));
	if (open != STR_NONE && str_ends(parts.symbol, STR("]"))) {
		parts.bracketed = true;
		parts.module = str_from(parts.symbol, open + 2);
		parts.module.n--;
		parts.symbol = str_to(parts.symbol, open);
	}
	return parts;
}

static bool stap_is_hex_number(struct str text) {
	return str_starts(text, STR("0x")) && text.n > 2 && str_all_hex(str_from(text, 2));
}

static struct meaning stap_parse_frame(struct stap_state *state, struct str line) {
	struct stap_parts parts = stap_split(line);
	struct str symbol = stap_cut_place(parts.symbol);
	buf_clear(&state->run->name);
	if (symbol.n < parts.symbol.n) {
		buf_add_str(&state->run->name, symbol);
	} else if (parts.bracketed && stap_is_hex_number(symbol)) {
		buf_add_str(&state->run->name, symbol);
		buf_add_text(&state->run->name, " [");
		buf_add_str(&state->run->name, stap_cut_place(parts.module));
		buf_add_char(&state->run->name, ']');
	} else {
		buf_add_str(&state->run->name, parts.whole);
	}
	return meaning_of_name(state->run, buf_str(&state->run->name));
}

/** Return how strong a frame line is as evidence, by its address, its offset and its module. */
static int stap_frame_evidence(struct str line) {
	if (!str_has(line, STR("0x"))) { // a quick check: nearly all lines of other formats fail it
		return 0;
	}
	struct stap_parts parts = stap_split(line);
	struct str address = str_trim(parts.address);
	int evidence = 0;
	if (str_ends(address, STR(":"))) {
		evidence += stap_is_hex_number(str_trim_end(str_to(address, address.n - 1)));
	}
	bool placed = stap_cut_place(parts.symbol).n < parts.symbol.n ||
		      (stap_is_hex_number(parts.symbol) &&
		       stap_cut_place(parts.module).n < parts.module.n);
	return SNIFF_SHAPE * (evidence + (parts.bracketed && placed));
}

/* --- Lines ---------------------------------------------------------------------------------- */

static void stap_frame_line(struct stap_state *state, struct str line, uint64_t number) {
	struct meaning meaning = memo_find(&state->memo, line, 0);
	if (meaning.kind == MEANS_UNKNOWN) {
		meaning = stap_parse_frame(state, line);
		memo_add(&state->memo, line, 0, meaning);
	}
	if (meaning.kind == MEANS_FRAME) {
		state->first = stack_depth(&state->stack) == 0 ? (int64_t)number : state->first;
		stack_push(&state->stack, meaning.id);
	}
}

static int stap_count_line(struct stap_state *state, struct str line, uint64_t number) {
	uint64_t count;
	int result = 0;
	state->run->samples++;
	if (!num_parse_u64(line, &count)) {
		result = run_warn(state->run, number, "the count is too large: '%s'",
				  quote(line).text);
	} else {
		stack_end(&state->stack, state->run, count, TALLY_NO_FRAMES);
	}
	stack_clear(&state->stack);
	return result;
}

static int stap_line(void *memory, struct str line, uint64_t number) {
	struct stap_state *state = memory;
	line = str_trim(line);
	if (line.n == 0) {
		return 0;
	}
	if (!state->started && str_find(line, ' ') != STR_NONE && stap_frame_evidence(line) == 0) {
		return run_warn(state->run, number, "skipped a line before the first stack: '%s'",
				quote(line).text);
	}
	state->started = true;
	if (str_all_digits(line)) {
		return stap_count_line(state, line, number);
	}
	stap_frame_line(state, line, number);
	return 0;
}

static int stap_block(void *memory, const struct block *block) {
	struct stap_state *state = memory;
	state->started = !block->first;
	int result = run_lines(state->run, block, state, stap_line);
	if (result == 0 && block->last && stack_depth(&state->stack) > 0) {
		result = run_warn(state->run, run_line(state->first),
				  "left out frames without a count, from here on: %zu",
				  stack_depth(&state->stack));
		stack_clear(&state->stack);
	}
	state->first -= (int64_t)state->run->lines;
	return result;
}

static bool stap_is_count(struct str line) {
	struct str text = str_trim(line);
	return text.n > 0 && str_all_digits(text);
}

/** Return the end of the last stack in some bytes. A stack ends with a line of digits, the
 * count. */
static size_t stap_cut(struct str bytes) {
	return cut_after(bytes, stap_is_count);
}

static void stap_release(void *memory) {
	struct stap_state *state = memory;
	memo_release(&state->memo);
	stack_release(&state->stack);
}

/** Search for a stack with its count, in which a frame has a form that only SystemTap prints. Bare
 * addresses are weaker evidence, because dtrace prints them, too. */
static int stap_sniff(struct str bytes, bool whole) {
	enum { PATIENCE = 1000 }; // largest number of lines before the stack
	struct lines lines = {.rest = bytes};
	int stack = 0;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		line = str_trim(line);
		if (line.n > 0 && str_all_digits(line)) {
			if (stack > 0) {
				return stack + 2 * SNIFF_SHAPE;
			}
			continue;
		}
		int evidence = stap_frame_evidence(line);
		stack = evidence > stack ? evidence : stack;
		if (stack == 0 && lines.number > PATIENCE) {
			return SNIFF_NO;
		}
	}
	return !whole ? SNIFF_MORE : stack > 0 ? SNIFF_COULD_BE : SNIFF_NO;
}

static const struct example examples[] = {
	{"stap -e 'global s; probe timer.profile { s[backtrace()] <<< 1 } probe end { foreach (b "
	 "in s-) { print_stack(b); printf(\"\\t%d\\n\", @count(s[b])) } }' -o out.stap",
	 "sample kernel stacks until Ctrl-C; for user stacks, use sprint_ubacktrace() as the key "
	 "and print(b)"},
	{"inferno collapse stap out.stap > out.folded", "fold the stacks"},
	{NULL, NULL},
};

const struct collapser collapse_stap = {
	.name = "stap",
	.aliases = (const char *const[]){"stackcollapse-stap", NULL},
	.brief = "fold the stacks that a SystemTap script prints",
	.about = "Reads stacks as print_stack() and print_ustack() print them: frames from the "
		 "leaf to the root, one on each line, then a line with only the count. Addresses, "
		 "offsets and the modules of known functions are left out. A function without a "
		 "name keeps its address and module.",
	.examples = examples,
	.state_size = sizeof(struct stap_state),
	.sniff = stap_sniff,
	.block = stap_block,
	.cut = stap_cut,
	.release = stap_release,
	.tallies = {[TALLY_NO_FRAMES] = "left out counts without frames"},
	.expects = "stacks of a SystemTap script, each followed by a line with only its count",
};
