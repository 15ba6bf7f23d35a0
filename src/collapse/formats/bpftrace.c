/*
 * bpftrace: maps with a stack in the key, as bpftrace prints them.
 *
 * An entry begins with `@NAME[` and the keys before the stack. The frames of the stack follow, leaf
 * first, one on each line. An entry ends with the keys after the stack, `]: ` and the value. A memo
 * remembers frame lines.
 */
#include "base/num.h"
#include "collapse/collapser.h"
#include "profile/memo.h"
#include "collapse/text.h"

struct bpftrace_options {
	bool no_offset;
	const char *map;
};

enum bpftrace_tally { TALLY_OUTSIDE };

struct bpftrace_state {
	STATE_HEAD(struct bpftrace_options);
	bool inside;    // an entry is open
	bool bad_value; // the last entry is not counted: skip its other lines
	bool wanted;    // the entry is in the map that --map names, or there is no --map
	bool found;     // a wanted entry was found
	// number of the line at which the entry begins, counted from the current block, for
	// run_line()
	int64_t opened;
	struct intern_key *map; // map of the entry; the value of the key is 1 if the map has stacks
	struct intern maps;
	struct memo memo;   // meanings of frame lines
	struct stack stack; // frames of the entry so far, pushed from the leaf on
	struct buf before;
};

/* --- Names: once for each distinct line ----------------------------------------------------- */

/** Return a frame without the address. stack(perf) prints an address before the name. */
static struct str bpftrace_cut_address(struct str frame) {
	enum { LEAST = 8 };
	size_t blank = str_find(frame, ' ');
	bool address = blank != STR_NONE && blank >= LEAST && str_all_hex(str_to(frame, blank));
	struct str rest = address ? str_trim_start(str_from(frame, blank)) : frame;
	return rest.n == 0 ? frame : rest;
}

/**
 * Add a frame without the decimal offset after its name. After the offset, stack(perf) prints `
 * (MODULE)`.
 */
static void bpftrace_add_without_offset(struct buf *out, struct str frame) {
	size_t open = str_ends(frame, STR(")")) ? str_find_last_str(frame, STR(" (")) : STR_NONE;
	struct str name = open == STR_NONE ? frame : str_to(frame, open);
	size_t plus = str_find_last(name, '+');
	bool offset = plus != STR_NONE && plus > 0 && plus + 1 < name.n &&
		      str_all_digits(str_from(name, plus + 1));
	buf_add_str(out, offset ? str_to(name, plus) : name);
	buf_add_str(out, str_from(frame, name.n));
}

static struct meaning bpftrace_parse_frame(struct bpftrace_state *state, struct str line) {
	struct str frame = bpftrace_cut_address(line);
	struct buf *name = &state->run->name;
	if (state->options->no_offset) {
		buf_clear(name);
		bpftrace_add_without_offset(name, frame);
		frame = buf_str(name);
	}
	return meaning_of_name(state->run, frame);
}

/* --- Keys ----------------------------------------------------------------------------------- */

/** Return keys without the commas at both ends, which separate the keys from the stack. */
static struct str bpftrace_cut_separators(struct str keys) {
	while (str_starts(keys, STR(", "))) {
		keys = str_from(keys, 2);
	}
	while (str_ends(keys, STR(", "))) {
		keys.n -= 2;
	}
	return str_eq(keys, STR(",")) ? STR("") : keys;
}

/** If there are keys before or after the stack, push one frame for them. */
static void bpftrace_push_keys(struct bpftrace_state *state, struct str keys) {
	keys = bpftrace_cut_separators(keys);
	if (keys.n > 0) {
		stack_push_meaning(&state->stack, NULL, meaning_of_name(state->run, keys));
	}
}

/** Return the length of `@NAME[` at the start of a line, or 0 for any other line. */
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

/** Find the `]: ` between the keys and the value of an entry. At the end of the line, the blank may
 * be missing. */
static bool bpftrace_find_close(struct str line, size_t *at) {
	*at = str_find_last_str(line, STR("]: "));
	if (*at == STR_NONE && str_ends(line, STR("]:"))) {
		*at = line.n - 2;
	}
	return *at != STR_NONE;
}

/* --- Entries -------------------------------------------------------------------------------- */

/** Return the name of a map without its `@`. */
static struct str bpftrace_map_name(struct str head) {
	return (struct str){head.p + 1, head.n - 2};
}

static void bpftrace_note_map(struct bpftrace_state *state, struct str head) {
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

/** End an entry. Its frames, and the keys after them, are pushed already. */
static int bpftrace_finish(struct bpftrace_state *state, struct str value, uint64_t number) {
	uint64_t count;
	state->run->samples++;
	state->inside = false;
	bpftrace_push_keys(state, buf_str(&state->before));
	int result = 0;
	if (!state->wanted) {
		state->bad_value = true; // skip the remaining lines of the entry
	} else if (!num_parse_u64(value, &count)) {
		state->bad_value = true;
		result = run_warn(state->run, number,
				  "left out an entry whose value is not a count: '%s'",
				  quote(value).text);
	} else if (stack_depth(&state->stack) == 0) {
		result = run_warn(state->run, number, "left out an empty stack with the count %llu",
				  (unsigned long long)count);
	} else {
		state->map->value = true;
		stack_count(&state->stack, state->run->profile, count);
	}
	stack_clear(&state->stack);
	return result;
}

/** End an entry without a value, with a warning. */
static int bpftrace_give_up(struct bpftrace_state *state) {
	bool warned = state->inside && state->wanted;
	state->inside = false;
	stack_clear(&state->stack);
	return warned ? run_warn(state->run, run_line(state->opened),
				 "left out the entry that begins here: it has no value")
		      : 0;
}

/** Find an empty stack among the keys of an entry on one line. Return false if no stack is empty.
 */
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

/** Take a line `@NAME[KEYS]: VALUE`, which is an entry only if a stack among its keys is empty. */
static int bpftrace_entry_on_one_line(struct bpftrace_state *state, struct str line, size_t close,
				      uint64_t number) {
	size_t head = bpftrace_map_head(line), empty;
	struct str keys = {line.p + head, close - head};
	if (close < head || !bpftrace_find_empty_key(keys, &empty)) {
		state->run->tallies[TALLY_OUTSIDE]++;
		state->bad_value = true; // skip the lines of the entry's histogram
		return 0;
	}
	bpftrace_note_map(state, str_to(line, head));
	buf_set_str(&state->before, str_to(keys, empty));
	bpftrace_push_keys(state, str_from(keys, empty));
	return bpftrace_finish(state, str_trim(str_from(line, close + 2)), number);
}

static int bpftrace_open_entry(struct bpftrace_state *state, struct str line, size_t head,
			       uint64_t number) {
	int result = state->inside ? bpftrace_give_up(state) : 0;
	size_t close;
	state->bad_value = false;
	if (bpftrace_find_close(line, &close)) {
		return result != 0 ? result
				   : bpftrace_entry_on_one_line(state, line, close, number);
	}
	bpftrace_note_map(state, str_to(line, head));
	buf_set_str(&state->before, str_from(line, head));
	state->inside = true;
	state->opened = (int64_t)number;
	return result;
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** Take a line of an open entry. */
static int bpftrace_entry_line(struct bpftrace_state *state, struct str line, uint64_t number) {
	struct str frame = str_trim_start(line);
	size_t close;
	bool indented = frame.n < line.n;
	if (!indented && bpftrace_find_close(line, &close)) {
		bpftrace_push_keys(state, str_to(line, close));
		return bpftrace_finish(state, str_trim(str_from(line, close + 2)), number);
	}
	if (!indented && str_starts(line, STR(","))) {
		bpftrace_push_keys(state, line); // the line is between two stacks, and may have a
						 // key
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

/** Return whether a line is a row of a histogram, with an interval at the start and bars at the
 * end. */
static bool bpftrace_is_histogram(struct str line) {
	return (str_starts(line, STR("[")) || str_starts(line, STR("("))) &&
	       str_ends(line, STR("|"));
}

/** Return whether a line is the message about the number of attached probes. The wording of this
 * message depends on the version of bpftrace. */
static bool bpftrace_is_greeting(struct str line) {
	return (str_starts(line, STR("Attaching ")) || str_starts(line, STR("Attached "))) &&
	       str_has(line, STR(" probe"));
}

/** Take a line outside of entries: an empty line, a message of bpftrace, an entry of a map without
 * stacks, or text that the script has printed. */
static void bpftrace_line_outside(struct bpftrace_state *state, struct str line) {
	struct str text = str_trim(line);
	if (text.n == 0 || (state->bad_value && bpftrace_is_histogram(text)) ||
	    bpftrace_is_greeting(text)) {
		return;
	}
	state->bad_value = false;
	state->run->tallies[TALLY_OUTSIDE]++;
}

static int bpftrace_line(void *memory, struct str line, uint64_t number) {
	struct bpftrace_state *state = memory;
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

/** Add a list of the maps that have stacks. If `all` is set, list all maps. Return the number of
 * maps in the list. */
static size_t bpftrace_list_maps(const struct bpftrace_state *state, bool all, struct buf *out) {
	size_t n = 0;
	for (uint32_t i = 0; i < state->maps.count; i++) {
		if (all || state->maps.keys[i]->value != 0) {
			buf_add_text(out, n++ > 0 ? ", @" : "@");
			buf_add_str(out, intern_str(state->maps.keys[i]));
		}
	}
	return n;
}

/** Warn if --map names no map of the input. Warn if stacks of several maps are added up. */
static int bpftrace_check_maps(struct bpftrace_state *state) {
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
				  "adding up stacks of several maps: %s; --map NAME selects one",
				  quote(buf_str(&names)).text);
	}
	buf_release(&names);
	intern_release(&state->maps);
	state->maps = (struct intern){0};
	state->found = false;
	return result;
}

static int bpftrace_block(void *memory, const struct block *block) {
	struct bpftrace_state *state = memory;
	int result = run_lines(state->run, block, state, bpftrace_line);
	if (result == 0 && block->last) {
		result = bpftrace_give_up(state);
		result = result != 0 ? result : bpftrace_check_maps(state);
		state->bad_value = false;
	}
	state->opened -= (int64_t)state->run->lines;
	return result;
}

static void bpftrace_release(void *memory) {
	struct bpftrace_state *state = memory;
	intern_release(&state->maps);
	memo_release(&state->memo);
	stack_release(&state->stack);
	buf_release(&state->before);
}

/** Return whether a line begins an entry. Set `*one_line` to whether the line has the whole
 * entry. */
static bool bpftrace_is_opening(struct str line, bool *one_line) {
	size_t head = bpftrace_map_head(line), close = STR_NONE, at;
	*one_line = head > 0 && bpftrace_find_close(line, &close) && close >= head &&
		    bpftrace_find_empty_key((struct str){line.p + head, close - head}, &at);
	return *one_line || (head > 0 && (str_ends(line, STR("[")) || str_ends(line, STR(", "))));
}

/** Search for a line that begins an entry, and a later value: they are strong evidence. Such a line
 * alone, or bpftrace's first message alone, is weak evidence. */
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
	{OPT_IS_TEXT(struct bpftrace_options, map), .name = "map", .value = "NAME",
	 .help = "fold only this map; '@' is the map without a name"},
	{OPT_IS_BOOL(struct bpftrace_options, no_offset), .name = "no-offset",
	 .help = "leave out offsets, so that a function is one frame"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"bpftrace -e 'profile:hz:99 { @[kstack, comm] = count(); }' -o out.bt",
	 "sample kernel stacks until Ctrl-C; for user stacks, write ustack"},
	{"inferno collapse bpftrace out.bt > out.folded", "fold the stacks"},
	{NULL, NULL},
};

const struct collapser collapse_bpftrace = {
	.name = "bpftrace",
	.aliases = (const char *const[]){"stackcollapse-bpftrace", NULL},
	.brief = "fold the stacks in the maps that bpftrace prints",
	.about = "Reads the text that bpftrace prints for a map with kstack or ustack in its key "
		 "and a count() or sum() as its value. Other keys, such as comm and pid, become "
		 "one frame at the root. If a key has two stacks, the second is nearer the root: "
		 "with [kstack, ustack], the user stack calls the kernel stack. Frames keep their "
		 "offsets, so two places in one function are two frames; --no-offset removes the "
		 "offsets.",
	.examples = examples,
	.options = {options, sizeof(struct bpftrace_options)},
	.state_size = sizeof(struct bpftrace_state),
	.sniff = bpftrace_sniff,
	.block = bpftrace_block,
	.release = bpftrace_release,
	.tallies = {[TALLY_OUTSIDE] = "left out lines outside of maps with stacks"},
	.expects = "the text that bpftrace prints for a map with a stack in its key",
};
