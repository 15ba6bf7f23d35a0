/*
 * bpftrace: printed maps with a stack in the key.
 *
 * An entry opens with `@NAME[`, and keys before the stack; the stack's frames follow, leaf first,
 * one a line; it closes with the keys after the stack, `]: ` and the value. A frame that was met
 * before is found in a memo.
 */
#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/memo.h"
#include "collapse/text.h"

struct options {
	bool no_offset;
	const char *map;
};

enum tally { TALLY_OUTSIDE };

struct state {
	const struct options *options;
	struct run *run;
	bool inside;            // an entry is open
	bool bad_value;         // the entry before had a value that was refused, and may go on
	bool wanted;            // the map is the one that was asked for, or none was
	bool found;             // there was a wanted map
	int64_t opened;         // the line, as run_line() takes it
	struct intern_key *map; // of the entry; the value tells whether it gave stacks
	struct intern maps;
	struct memo memo;   // frame lines
	struct stack stack; // leaf first so far
	struct buf before, text;
};

static void bpftrace_init(void *memory, const void *options, struct run *run) {
	struct state *state = memory;
	state->options = options;
	state->run = run;
}

/* --- Names: once for each distinct line ----------------------------------------------------- */

/** Without the address that stack(perf) puts in front of a name. */
static struct str bpftrace_cut_address(struct str frame) {
	enum { LEAST = 8 };
	size_t blank = str_find(frame, ' ');
	bool address = blank != STR_NONE && blank >= LEAST && str_all_hex(str_to(frame, blank));
	struct str rest = address ? str_trim_start(str_from(frame, blank)) : frame;
	return rest.n == 0 ? frame : rest;
}

/** Add a frame without the decimal offset after its name; stack(perf) puts ` (MODULE)` after. */
static void bpftrace_add_without_offset(struct buf *out, struct str frame) {
	size_t open = str_ends(frame, STR(")")) ? str_find_last_str(frame, STR(" (")) : STR_NONE;
	struct str name = open == STR_NONE ? frame : str_to(frame, open);
	size_t plus = str_find_last(name, '+');
	bool offset = plus != STR_NONE && plus > 0 && plus + 1 < name.n &&
		      str_all_digits(str_from(name, plus + 1));
	buf_add_str(out, offset ? str_to(name, plus) : name);
	buf_add_str(out, str_from(frame, name.n));
}

static struct meaning bpftrace_parse_frame(struct state *state, struct str line) {
	struct str frame = bpftrace_cut_address(line);
	if (!state->options->no_offset) {
		return meaning_of_name(state->run->profile, frame, &state->text);
	}
	struct buf name = {0};
	bpftrace_add_without_offset(&name, frame);
	struct meaning result = meaning_of_name(state->run->profile, buf_str(&name), &state->text);
	buf_release(&name);
	return result;
}

/* --- Keys ----------------------------------------------------------------------------------- */

/** Without the separators at both ends: between them was a stack, perhaps an empty one. */
static struct str bpftrace_cut_separators(struct str keys) {
	while (str_starts(keys, STR(", "))) {
		keys = str_from(keys, 2);
	}
	while (str_ends(keys, STR(", "))) {
		keys.n -= 2;
	}
	return str_eq(keys, STR(",")) ? STR("") : keys;
}

/** Keys beside the stack become one frame, if there are any. */
static void bpftrace_push_keys(struct state *state, struct str keys) {
	keys = bpftrace_cut_separators(keys);
	if (keys.n > 0) {
		stack_push_meaning(&state->stack, NULL,
				   meaning_of_name(state->run->profile, keys, &state->text));
	}
}

/** The end of `@NAME[` at the start of a line, or 0 for another line. */
static size_t bpftrace_map_head(struct str line) {
	size_t at = 1;
	if (line.n == 0 || line.p[0] != '@') {
		return 0;
	}
	while (at < line.n && (is_alpha(line.p[at]) || is_digit(line.p[at]) || line.p[at] == '_')) {
		at++;
	}
	return at < line.n && line.p[at] == '[' ? at + 1 : 0;
}

/** Find the `]: ` that closes an entry; blanks at the end may be lost. */
static bool bpftrace_find_close(struct str line, size_t *at) {
	*at = str_find_last_str(line, STR("]: "));
	if (*at == STR_NONE && str_ends(line, STR("]:"))) {
		*at = line.n - 2;
	}
	return *at != STR_NONE;
}

/* --- Entries -------------------------------------------------------------------------------- */

/** The map's name without its sign. */
static struct str bpftrace_map_name(struct str head) {
	return (struct str){head.p + 1, head.n - 2};
}

static void bpftrace_note_map(struct state *state, struct str head) {
	const char *asked = state->options->map;
	struct str name = bpftrace_map_name(head);
	state->map = intern_get(&state->maps, name.p, name.n);
	state->wanted = true;
	if (asked != NULL) {
		struct str map = str_of(asked);
		state->wanted = str_eq(name, str_starts(map, STR("@")) ? str_from(map, 1) : map);
	}
	state->found |= state->wanted;
}

/** End an entry whose frames and keys after the stack are there. */
static int bpftrace_finish(struct state *state, struct str value, uint64_t number) {
	uint64_t count;
	state->run->samples++;
	state->inside = false;
	bpftrace_push_keys(state, buf_str(&state->before));
	int result = 0;
	if (!state->wanted) {
		state->bad_value = true; // whatever belongs to it is not wanted either
	} else if (!num_parse_u64(value, &count)) {
		state->bad_value = true;
		result = run_warn(state->run, number,
				  "the value is no count, the entry is left out: '%s'",
				  quote(value).text);
	} else if (stack_depth(&state->stack) == 0) {
		result = run_warn(state->run, number,
				  "an empty stack with the count %llu is left out",
				  (unsigned long long)count);
	} else {
		state->map->value = true;
		profile_add(state->run->profile, stack_ids(&state->stack),
			    stack_depth(&state->stack), count);
	}
	stack_clear(&state->stack);
	return result;
}

/** An entry that ends without a value. */
static int bpftrace_give_up(struct state *state) {
	bool warned = state->inside && state->wanted;
	state->inside = false;
	stack_clear(&state->stack);
	return warned ? run_warn(state->run, run_line(state->opened),
				 "the entry that begins here has no value and is left out")
		      : 0;
}

/** Where in the keys of an entry on one line a stack was that is empty; false if none was. */
static bool bpftrace_find_empty_key(struct str keys, size_t *at) {
	if (keys.n == 0 || str_starts(keys, STR(", "))) {
		*at = 0;
		return true;
	}
	*at = str_find_str(keys, STR(", , "));
	if (*at == STR_NONE && str_ends(keys, STR(", "))) {
		*at = keys.n;
	}
	return *at != STR_NONE;
}

/** `@NAME[KEYS]: VALUE`: an entry only if a stack among its keys was empty. */
static int bpftrace_entry_on_one_line(struct state *state, struct str line, size_t close,
				      uint64_t number) {
	size_t head = bpftrace_map_head(line), empty;
	struct str keys = {line.p + head, close - head};
	if (close < head || !bpftrace_find_empty_key(keys, &empty)) {
		state->run->tallies[TALLY_OUTSIDE]++;
		state->bad_value = true; // its histogram is as little wanted
		return 0;
	}
	bpftrace_note_map(state, str_to(line, head));
	buf_clear(&state->before);
	buf_add_str(&state->before, str_to(keys, empty));
	bpftrace_push_keys(state, str_from(keys, empty));
	return bpftrace_finish(state, str_trim(str_from(line, close + 2)), number);
}

static int bpftrace_open_entry(struct state *state, struct str line, size_t head, uint64_t number) {
	int result = state->inside ? bpftrace_give_up(state) : 0;
	size_t close;
	state->bad_value = false;
	if (bpftrace_find_close(line, &close)) {
		return result != 0 ? result
				   : bpftrace_entry_on_one_line(state, line, close, number);
	}
	bpftrace_note_map(state, str_to(line, head));
	buf_clear(&state->before);
	buf_add_str(&state->before, str_from(line, head));
	state->inside = true;
	state->opened = (int64_t)number;
	return result;
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** A line of an open entry. */
static int bpftrace_entry_line(struct state *state, struct str line, uint64_t number) {
	struct str frame = str_trim_start(line);
	size_t close;
	bool indented = frame.n < line.n;
	if (!indented && bpftrace_find_close(line, &close)) {
		bpftrace_push_keys(state, str_to(line, close));
		return bpftrace_finish(state, str_trim(str_from(line, close + 2)), number);
	}
	if (!indented && str_starts(line, STR(","))) {
		bpftrace_push_keys(state, line); // between two stacks, with a key or without
		return 0;
	}
	struct meaning meaning = memo_find(&state->memo, frame, 0);
	if (meaning.kind == MEANS_UNKNOWN) {
		meaning = bpftrace_parse_frame(state, frame);
		memo_add(&state->memo, frame, 0, meaning);
	}
	stack_push_meaning(&state->stack, NULL, meaning);
	return 0;
}

/** A row of a histogram: an interval at the start, bars at the end. */
static bool bpftrace_is_histogram(struct str line) {
	return (str_starts(line, STR("[")) || str_starts(line, STR("("))) &&
	       str_ends(line, STR("|"));
}

/** Whether bpftrace says how many probes there are; the wording differs between versions. */
static bool bpftrace_is_greeting(struct str line) {
	return (str_starts(line, STR("Attaching ")) || str_starts(line, STR("Attached "))) &&
	       str_has(line, STR(" probe"));
}

/** A line of no entry: an empty one, what bpftrace says of itself, another map, printed text. */
static void bpftrace_line_outside(struct state *state, struct str line) {
	struct str text = str_trim(line);
	if (text.n == 0 || (state->bad_value && bpftrace_is_histogram(text)) ||
	    bpftrace_is_greeting(text)) {
		return;
	}
	state->bad_value = false;
	state->run->tallies[TALLY_OUTSIDE]++;
}

static int bpftrace_line(void *memory, struct str line, uint64_t number) {
	struct state *state = memory;
	line = text_line(line);
	size_t head = bpftrace_map_head(line);
	if (head > 0) {
		return bpftrace_open_entry(state, line, head, number);
	}
	if (state->inside) {
		return bpftrace_entry_line(state, line, number);
	}
	bpftrace_line_outside(state, line);
	return 0;
}

/** The maps of the input, or those that gave stacks, as text; returns how many. */
static size_t bpftrace_list_maps(const struct state *state, bool all, struct buf *out) {
	size_t n = 0;
	for (uint32_t i = 0; i < state->maps.count; i++) {
		if (all || state->maps.keys[i]->value != 0) {
			buf_add_text(out, n++ > 0 ? ", @" : "@");
			buf_add_str(out, intern_str(state->maps.keys[i]));
		}
	}
	return n;
}

/** Say of an input which maps there are, if it is not clear which one was meant. */
static int bpftrace_judge_maps(struct state *state) {
	bool asked = state->options->map != NULL, missing = asked && !state->found;
	struct buf names = {0};
	size_t n = bpftrace_list_maps(state, missing, &names);
	int result = 0;
	if (missing && n > 0) {
		result = run_warn(state->run, 0, "no map is named '%s'; there are %s",
				  quote(str_of(state->options->map)).text,
				  quote(buf_str(&names)).text);
	} else if (!asked && n > 1) {
		result = run_warn(state->run, 0,
				  "stacks of several maps are added up: %s; --map NAME takes one",
				  quote(buf_str(&names)).text);
	}
	buf_release(&names);
	intern_release(&state->maps);
	state->maps = (struct intern){0};
	state->found = false;
	return result;
}

static int bpftrace_block(void *memory, const struct block *block) {
	struct state *state = memory;
	int result = run_lines(state->run, block, state, bpftrace_line);
	if (result == 0 && block->last) {
		result = bpftrace_give_up(state);
		result = result != 0 ? result : bpftrace_judge_maps(state);
		state->bad_value = false;
	}
	state->opened -= (int64_t)state->run->lines;
	return result;
}

static void bpftrace_release(void *memory) {
	struct state *state = memory;
	intern_release(&state->maps);
	memo_release(&state->memo);
	stack_release(&state->stack);
	buf_release(&state->before);
	buf_release(&state->text);
}

/** Whether a line opens an entry, and ends where a stack begins. */
static bool bpftrace_is_opening(struct str line, bool *one_line) {
	size_t head = bpftrace_map_head(line), close = STR_NONE, at;
	*one_line = head > 0 && bpftrace_find_close(line, &close) && close >= head &&
		    bpftrace_find_empty_key((struct str){line.p + head, close - head}, &at);
	return *one_line || (head > 0 && (str_ends(line, STR("[")) || str_ends(line, STR(", "))));
}

/** An opening line, and after it a value: strong together; a hint of its own is the greeting. */
static int bpftrace_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	int greeting = 0, opening = 0;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		size_t close;
		uint64_t count;
		line = text_line(line);
		if (bpftrace_is_greeting(line)) {
			greeting = SNIFF_SHAPE;
		}
		bool one_line;
		opening = bpftrace_is_opening(line, &one_line) ? SNIFF_SHAPE : opening;
		if (opening > 0 && line.p[0] != ' ' && bpftrace_find_close(line, &close) &&
		    num_parse_u64(str_trim(str_from(line, close + 2)), &count)) {
			return greeting + opening + (one_line ? 0 : 2 * SNIFF_SHAPE);
		}
	}
	return !whole ? SNIFF_MORE : opening + greeting > 0 ? SNIFF_COULD_BE : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_TEXT(struct options, map), .name = "map", .value = "NAME",
	 .help = "fold only the map of this name; '@' is the one without"},
	{OPT_IS_BOOL(struct options, no_offset), .name = "no-offset",
	 .help = "leave the offset out, so that a function is one frame wherever it stood"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"bpftrace -e 'profile:hz:99 { @[kstack, comm] = count(); }' -o out.bt",
	 "sample the kernel until Ctrl-C; ustack samples programs"},
	{"inferno collapse bpftrace out.bt > out.folded", "fold the stacks"},
	{NULL, NULL},
};

const struct collapser collapse_bpftrace = {
	.name = "bpftrace",
	.aliases = (const char *const[]){"stackcollapse-bpftrace", NULL},
	.brief = "fold the stacks in the maps that bpftrace prints",
	.about = "Reads the text that bpftrace prints of a map with kstack or ustack in its key "
		 "and a count() or sum() as its value. Other keys, such as comm and pid, become "
		 "one frame at the root. Of two stacks in a key, the second is nearer the root: "
		 "[kstack, ustack] puts the kernel on top of the program. Frames keep their "
		 "offsets, so that two places in one function are two frames; see --no-offset.",
	.examples = examples,
	.options = options,
	.options_size = sizeof(struct options),
	.state_size = sizeof(struct state),
	.sniff = bpftrace_sniff,
	.init = bpftrace_init,
	.block = bpftrace_block,
	.release = bpftrace_release,
	.tallies = {[TALLY_OUTSIDE] = "lines outside of maps with stacks left out"},
	.expects = "what bpftrace prints, as text, of a map with a stack in its key",
};
