/*
 * dtrace: the output of a ustack() or stack() aggregation.
 *
 * Frames come one on each line, leaf first, then a line with the count. A memo remembers frame
 * lines.
 */
#include "collapse/frames.h"
#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"
#include "profile/memo.h"
#include "profile/symbol.h"

struct dtrace_options {
	bool includeoffset;
};

enum dtrace_tally { TALLY_NO_FRAMES };

struct dtrace_state {
	STATE_HEAD(struct dtrace_options);
	bool in_data;      // the first header has ended
	bool in_header;    // a later header is being read
	struct buf header; // lines of the first header so far; they may turn out to be data
	struct memo memo;  // meanings of frame lines; the second meaning of a line is for a leaf
	struct ids lists;
	struct stack stack;
	struct buf scratch;
};

enum { HEADER_MOST = 64 << 10 }; // largest size of a header in bytes

/* --- Names: once for each distinct line ----------------------------------------------------- */

/** Return a frame without its argument list. Search for the list only after the first `::`. */
static struct str dtrace_cut_arguments(struct str frame) {
	size_t colons = str_find_str(frame, STR("::"));
	if (colons == STR_NONE) {
		return frame;
	}
	struct str rest = str_from(frame, colons + 2), cut = symbol_cut_arguments(rest);
	if (cut.n < rest.n) {
		// The parentheses of `operator()` are part of the name.
		bool call = str_ends(cut, STR("operator")) &&
			    str_starts(str_from(rest, cut.n), STR("()"));
		return str_to(frame, colons + 2 + cut.n + (call ? 2 : 0));
	}
	// If every argument list is inside brackets, cut at the last opening bracket.
	for (size_t i = rest.n; i > 0; i--) {
		if (rest.p[i - 1] == '(' || rest.p[i - 1] == '<') {
			return str_to(frame, colons + 2 + i - 1);
		}
	}
	return frame;
}

/** Put `frame` into `run->text`. Repair a Rust name after the module. */
static void dtrace_repair_function(struct dtrace_state *state, struct str frame) {
	size_t tick = str_find(frame, '`');
	struct str module = tick == STR_NONE ? frame : str_to(frame, tick + 1);
	buf_set_str(&state->run->text, module);
	if (tick == STR_NONE) {
		return;
	}
	struct str function = str_trim_end(str_from(frame, tick + 1));
	size_t plus = state->options->includeoffset ? str_find_last(function, '+') : STR_NONE;
	struct str offset = plus == STR_NONE ? STR("") : str_from(function, plus);
	buf_add_str(&state->run->text,
		    symbol_repair_rust(plus == STR_NONE ? function : str_to(function, plus),
				       &state->scratch));
	buf_add_str(&state->run->text, offset);
}

/** Add the frame with a name and a mark to the open list. */
static void dtrace_add_frame(struct dtrace_state *state, struct str name, const char *mark) {
	buf_set_str(&state->run->name, name);
	buf_add_text(&state->run->name, mark);
	buf_replace(&state->run->name, ';', ':');
	ids_push(&state->lists, profile_frame(state->run->profile, buf_str(&state->run->name)));
}

/** Add the pieces of `run->text` to the open list. There are several pieces if a JIT compiler has
 * inlined functions. */
static void dtrace_add_pieces(struct dtrace_state *state, bool arrow) {
	struct str rest = buf_str(&state->run->text), piece;
	bool more = arrow, first = true;
	if (!arrow) {
		dtrace_add_frame(state, rest, "");
	}
	while (symbol_next_inlined(&rest, &more, &piece)) {
		while (str_starts(piece, STR("L"))) {
			piece = str_from(piece, 1);
		}
		dtrace_add_frame(state, piece, first ? "" : "_[i]");
		first = false;
	}
}

/** Return the meaning of a line. --includeoffset keeps the offsets in all frames except the
 * leaf. */
static struct meaning dtrace_parse_frame(struct dtrace_state *state, struct str line, bool leaf) {
	struct buf repaired = {0};
	utf8_repair(&repaired, line);
	struct str frame = buf_str(&repaired);
	bool arrow = str_has(frame, STR("->"));
	if (!state->options->includeoffset) {
		frame = symbol_cut_offset(frame);
	}
	frame = dtrace_cut_arguments(frame);
	if (frame.n == 0) {
		frame = STR("-");
	}
	dtrace_repair_function(state, frame);
	if (leaf) {
		state->run->text.n = symbol_cut_offset(buf_str(&state->run->text)).n;
	}
	size_t list = frame_lists_open(&state->lists);
	dtrace_add_pieces(state, arrow);
	buf_release(&repaired);
	return frame_lists_close(&state->lists, list);
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** Return whether a line has the form MODULE`FUNCTION. Other texts may contain a backquote, too, so
 * a name with a blank before the backquote must end with an offset, such as +0x1f. */
static bool dtrace_is_named_frame(struct str line) {
	size_t tick = str_find(line, '`');
	return tick != STR_NONE && tick > 0 &&
	       (str_find(str_to(line, tick), ' ') == STR_NONE ||
		symbol_cut_offset(line).n < line.n);
}

static bool dtrace_is_bare_address(struct str line) {
	return str_starts(line, STR("0x")) && str_all_hex(str_from(line, 2));
}

/** Return whether a line is a frame without a name. */
static bool dtrace_is_address(struct str line) {
	return str_eq(line, STR("-")) ||
	       (line.n > 2 && dtrace_is_bare_address(symbol_cut_offset(line)));
}

enum { BARE_ADDRESS = 1 }; // value of a key in the table of names, if the name is a bare address

/** Return the key of the name for a bare address. Add the name to the table directly: it has no
 * character that profile_frame() would replace. */
static struct intern_key *dtrace_bare_address(struct intern *names, struct str address,
					      uint64_t hash) {
	struct intern_key *key = intern_get_hashed(names, address.p, address.n, hash);
	key->value = BARE_ADDRESS;
	return key;
}

static void dtrace_frame_line(struct dtrace_state *state, struct str line) {
	bool leaf = state->options->includeoffset && stack_depth(&state->stack) == 0;
	// look up a bare address without the memo: many profiles have only such lines
	if (dtrace_is_bare_address(line)) {
		struct intern *names = &state->run->profile->names.table;
		uint64_t hash = hash_bytes(line.p, line.n, names->seed);
		stack_push(&state->stack, dtrace_bare_address(names, line, hash)->id);
		return;
	}
	struct meaning meaning = memo_find(&state->memo, line, leaf);
	if (meaning.kind == MEANS_UNKNOWN) {
		meaning = dtrace_parse_frame(state, line, leaf); // a leaf has another meaning,
								 // because it has no offset
		memo_add(&state->memo, line, leaf, meaning);
	}
	stack_push_meaning(&state->stack, &state->lists, meaning);
}

enum { INDENT = 14 }; // number of blanks before most frames

/** Return whether `text` starts with a frame in the usual column. `text` may continue after its
 * first line. */
static inline bool dtrace_has_plain_indent(struct str text) {
	return text.n > INDENT && memcmp(text.p, "              ", INDENT) == 0 &&
	       is_graphic(text.p[INDENT]);
}

/** Take the next lines that are bare addresses. If there are many addresses, the table of names is
 * large, so prefetch its memory for several lines at once. */
static void dtrace_bare_addresses(struct dtrace_state *state, struct lines *lines) {
	enum { AT_ONCE = 16 };
	struct intern *names = &state->run->profile->names.table;
	struct str text[AT_ONCE];
	uint64_t hashes[AT_ONCE];
	size_t n = 0, len;
	if (names->count == 0) {
		return; // an empty table has no seed for hashes yet
	}
	for (struct str rest = lines->rest; n < AT_ONCE && dtrace_has_plain_indent(rest); n++) {
		rest = str_from(rest, INDENT);
		len = rest.p[0] == '0' ? str_find(rest, '\n') : STR_NONE;
		if (len == STR_NONE) {
			break;
		}
		text[n] = str_to(rest, len);
		hashes[n] = hash_bytes(rest.p, len, names->seed);
		intern_prefetch_slot(names, hashes[n]);
		rest = str_from(rest, len + 1);
	}
	for (size_t i = 0; i < n; i++) {
		intern_guess(names, hashes[i]);
	}
	for (size_t i = 0; i < n; i++) {
		const struct intern_key *key =
			intern_find_hashed(names, text[i].p, text[i].n, hashes[i]);
		if (key == NULL || key->value != BARE_ADDRESS) {
			if (!dtrace_is_bare_address(text[i])) {
				break;
			}
			key = dtrace_bare_address(names, text[i], hashes[i]);
		}
		stack_push(&state->stack, key->id);
		lines->rest = str_from(lines->rest, INDENT + text[i].n + 1);
		lines->number++;
	}
}

/** Read the next lines as long as they are known frames in the usual column. Most lines are read by
 * this function. */
static void dtrace_known_frames(struct dtrace_state *state, struct lines *lines) {
	if (state->options->includeoffset && stack_depth(&state->stack) == 0) {
		return; // a line has different meanings as a leaf and as a caller
	}
	while (dtrace_has_plain_indent(lines->rest)) {
		struct str text = str_from(lines->rest, INDENT);
		uint64_t before = lines->number;
		if (text.p[0] == '0') {
			dtrace_bare_addresses(state, lines);
			if (lines->number == before) {
				return;
			}
			continue;
		}
		size_t n = memo_step(&state->memo, text);
		if (n == 0 || !stack_push_meaning(&state->stack, &state->lists,
						  memo_meaning(&state->memo, 0))) {
			return;
		}
		*lines = (struct lines){str_from(text, n), before + 1};
	}
}

static void dtrace_data_line(struct dtrace_state *state, struct str line) {
	uint64_t count;
	if (line.n == 0) {
		return;
	}
	if (!num_parse_count(line, &count)) {
		dtrace_frame_line(state, line);
		return;
	}
	state->run->samples++;
	stack_end(&state->stack, state->run, count, TALLY_NO_FRAMES);
	memo_start(&state->memo);
}

/** Parse the lines of the supposed first header as data. */
static void dtrace_replay_header(struct dtrace_state *state) {
	struct lines lines = {.rest = buf_str(&state->header)};
	state->in_data = true;
	for (struct str line; lines_next(&lines, &line);) {
		dtrace_data_line(state, str_trim(line));
	}
	buf_clear(&state->header);
}

/** Return the last line of the header so far. */
static struct str dtrace_last_header_line(const struct dtrace_state *state) {
	struct str header = buf_str(&state->header);
	header.n -= header.n > 0; // leave out the line end
	size_t at = str_find_last(header, '\n');
	return str_trim(at == STR_NONE ? header : str_from(header, at + 1));
}

/** Read a line of the first header, which ends at an empty line. `dtrace -q` prints no header: then
 * the first block has frames, or ends in a count. */
static void dtrace_header_line(struct dtrace_state *state, struct str line) {
	uint64_t count;
	if (str_starts(line, STR("dtrace: "))) {
		return; // skip a message of dtrace
	}
	if (dtrace_is_named_frame(line)) {
		dtrace_replay_header(state);
		dtrace_data_line(state, line);
	} else if (line.n > 0) {
		buf_add_str(&state->header, line);
		buf_add_char(&state->header, '\n');
		if (state->header.n > HEADER_MOST) {
			dtrace_replay_header(state);
		}
	} else if (num_parse_count(dtrace_last_header_line(state), &count)) {
		dtrace_replay_header(state);
	} else {
		state->in_data = true;
	}
}

/** Return whether a line has the column titles with which a header begins. The line still has its
 * blanks. */
static bool dtrace_is_title(struct str line) {
	return str_starts(line, STR("CPU ")) && str_ends(str_trim_end(line), STR("FUNCTION:NAME"));
}

/**
 * Begin to skip a header that comes after data. Drop the lines directly before it that are not a
 * stack with its count, such as warnings.
 */
static int dtrace_enter_header(struct dtrace_state *state, uint64_t number) {
	size_t pending = stack_depth(&state->stack);
	state->in_header = true;
	stack_clear(&state->stack);
	memo_start(&state->memo);
	return pending == 0
		       ? 0
		       : run_warn(state->run, number,
				  "left out lines before this header that are not a stack: %zu",
				  pending);
}

static bool dtrace_is_count(struct str line) {
	uint64_t count;
	return num_parse_count(str_trim(line), &count);
}

/**
 * Read a line after the first header. A later header ends at an empty line, or at a count, because
 * a block of the input may end after a count.
 */
static int dtrace_later_line(struct dtrace_state *state, struct str line, struct lines *lines) {
	struct str text = str_trim(line);
	if (state->in_header) {
		state->in_header = text.n > 0 && !dtrace_is_count(text);
		return 0;
	}
	if (dtrace_is_title(line)) {
		return dtrace_enter_header(state, lines->number);
	}
	dtrace_data_line(state, text);
	dtrace_known_frames(state, lines);
	return 0;
}

static int dtrace_end_of_input(struct dtrace_state *state) {
	uint64_t count;
	int result = 0;
	if (!state->in_data && num_parse_count(dtrace_last_header_line(state), &count)) {
		dtrace_replay_header(state);
	}
	if (!state->in_data) {
		result = run_warn(state->run, 0, "file ended while skipping headers");
	} else if (stack_depth(&state->stack) > 0) {
		result = run_bad(state->run, RUN_AT_END,
				 "the file ends in the middle of a stack; its count is missing");
	}
	buf_clear(&state->header);
	stack_clear(&state->stack);
	return result;
}

static int dtrace_block(void *memory, const struct block *block) {
	struct dtrace_state *state = memory;
	struct lines lines = {.rest = block->bytes};
	int result = 0;
	if (block->first) {
		state->in_data = state->in_header = false;
	}
	for (struct str line; result == 0 && lines_next(&lines, &line);) {
		if (state->in_data) {
			result = dtrace_later_line(state, line, &lines);
		} else {
			dtrace_header_line(state, str_trim(line));
		}
	}
	state->run->lines = lines.number;
	return result == 0 && block->last ? dtrace_end_of_input(state) : result;
}

static bool dtrace_ready(const void *memory) {
	const struct dtrace_state *state = memory;
	return state->in_data && !state->in_header && stack_depth(&state->stack) == 0;
}

static void dtrace_follow(void *memory, const void *first) {
	(void)first;
	((struct dtrace_state *)memory)->in_data = true;
}

/** Return the end of the last stack in a block. A stack ends with a line of digits, the count. */
static size_t dtrace_cut(struct str bytes) {
	return cut_after(bytes, dtrace_is_count);
}

static void dtrace_release(void *memory) {
	struct dtrace_state *state = memory;
	memo_release(&state->memo);
	ids_release(&state->lists);
	stack_release(&state->stack);
	buf_release(&state->header);
	buf_release(&state->scratch);
}

/**
 * Search for a stack with its count. A stack with a frame of the form MODULE`FUNCTION proves that
 * DTrace has printed the input. A stack of addresses only is weaker evidence. Before the first
 * empty line, lines may have any form. After it, some frames may have other forms.
 */
static int dtrace_sniff(struct str bytes, bool whole) {
	enum { PATIENCE = 8 };
	struct lines lines = {.rest = bytes};
	size_t named = 0, addresses = 0, others = 0;
	bool header = true, announced = false, hopeless = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		uint64_t count;
		line = str_trim(line);
		announced |= str_starts(line, STR("dtrace: "));
		if (line.n == 0) {
			header = false;
		} else if (num_parse_count(line, &count) && named + addresses > 0) {
			return named > 0 ? 3 * SNIFF_SHAPE : 2 * SNIFF_SHAPE;
		} else if (dtrace_is_named_frame(line) && !names_ends_in_count(line)) {
			named++; // a line with a count may be folded text
		} else if (dtrace_is_address(line)) {
			addresses++;
		} else if (!header && ++others > PATIENCE * (1 + named + addresses)) {
			hopeless = true;
			break;
		}
	}
	if (!whole && !hopeless) {
		return SNIFF_MORE;
	}
	return announced || named > 0 ? SNIFF_COULD_BE : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct dtrace_options, includeoffset), .name = "includeoffset",
	 .help = "keep the offset of every frame except the leaf"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"dtrace -n 'profile-97 { @[ustack(100)] = count(); }' -o out.dtrace",
	 "sample until Ctrl-C"},
	{"inferno collapse dtrace out.dtrace > out.folded", "fold the stacks"},
	{NULL, NULL},
};

const struct collapser collapse_dtrace = {
	.name = "dtrace",
	.aliases = (const char *const[]){"stackcollapse", NULL},
	.brief = "fold the stacks that a DTrace aggregation prints",
	.about = "Reads the output of an aggregation over stack() or ustack(): frames from the "
		 "leaf to the root, one on each line, then the count. A header, which ends at the "
		 "first empty line, is skipped; 'dtrace -q' prints none. If one count follows a "
		 "kernel stack and a user stack, both are joined into one stack.",
	.examples = examples,
	.options = {options, sizeof(struct dtrace_options)},
	.state_size = sizeof(struct dtrace_state),
	.sniff = dtrace_sniff,
	.block = dtrace_block,
	.ready = dtrace_ready,
	.follow = dtrace_follow,
	.cut = dtrace_cut,
	.release = dtrace_release,
	.tallies = {[TALLY_NO_FRAMES] = "left out counts without frames"},
};
