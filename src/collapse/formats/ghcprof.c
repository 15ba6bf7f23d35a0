/* ghcprof: the .prof file of a Haskell program that GHC built for profiling. */
#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"

struct ghcprof_options {
	bool time, ticks, bytes;
};

enum ghcprof_value { VALUE_TIME, VALUE_TICKS, VALUE_BYTES, GHCPROF_VALUES };

enum ghcprof_section { BEFORE_TREE, BELOW_HEADER, IN_TREE, AFTER_TREE };

struct ghcprof_state {
	STATE_HEAD(struct ghcprof_options);
	enum ghcprof_section section;
	size_t module_column;                 // column of the modules, in characters
	size_t value_columns[GHCPROF_VALUES]; // columns of the values; STR_NONE: missing
	struct ids ids;                       // frames from the root to the current line
};

/** Remove the next word from the start of a line, and return it. At the end, return an empty
 * word. */
static struct str ghcprof_next_word(struct str *rest) {
	*rest = str_trim_start(*rest);
	size_t n = 0;
	while (n < rest->n && utf8_space_at_start(str_from(*rest, n)) == 0) {
		n++;
	}
	struct str word = str_to(*rest, n);
	*rest = str_from(*rest, n);
	return word;
}

/**
 * Return whether a line is the header of the tree of calls. The table of cost centres, which comes
 * first, has a different header.
 */
static bool ghcprof_is_header(struct str line) {
	static const char *const words[] = {"COST",    "CENTRE", "MODULE", "SRC",   "no.",
					    "entries", "%time",  "%alloc", "%time", "%alloc"};
	if (!str_starts(str_trim_start(line), STR("COST"))) { // a quick check that most lines fail
		return false;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!str_eq(ghcprof_next_word(&line), str_of(words[i]))) {
			return false;
		}
	}
	return true;
}

/** Return the column of a value in the header, or STR_NONE if the value is missing. */
static size_t ghcprof_find_column(struct str header, const char *name) {
	size_t at = str_find_str(header, str_of(name));
	if (at != STR_NONE && name[0] != '%') {
		// A value is right-aligned, so its column begins at the end of the previous column.
		at = str_trim_end(str_to(header, at)).n;
	}
	return at == STR_NONE ? STR_NONE : utf8_count(str_to(header, at));
}

/** Return the value that the options choose to count. */
static enum ghcprof_value ghcprof_counted(const struct ghcprof_state *state) {
	return state->options->ticks   ? VALUE_TICKS
	       : state->options->bytes ? VALUE_BYTES
				       : VALUE_TIME;
}

/** Find the columns in the header. */
static int ghcprof_read_header(struct ghcprof_state *state, struct str line, uint64_t number) {
	static const char *const names[GHCPROF_VALUES] = {"%time", "ticks", "bytes"};
	enum ghcprof_value counted = ghcprof_counted(state);
	for (size_t i = 0; i < GHCPROF_VALUES; i++) {
		state->value_columns[i] = ghcprof_find_column(line, names[i]);
	}
	if (state->value_columns[counted] == STR_NONE) {
		state->section = AFTER_TREE;
		return run_error(state->run, number,
				 "the header has no '%s' column; was the program run with +RTS -P?",
				 names[counted]);
	}
	state->module_column = utf8_count(str_to(line, str_find_str(line, STR("MODULE"))));
	state->section = BELOW_HEADER;
	return 0;
}

/** Return the word at or after a column. */
static struct str ghcprof_word_at(struct str line, size_t column) {
	struct str rest = str_from(line, utf8_prefix(line, column));
	return ghcprof_next_word(&rest);
}

/** Convert a value to a count, rounded down. The count of a time is in tenths of a per cent. A
 * negative value counts 0. Return false if the word is not a number or is too large. */
static bool ghcprof_parse_value(enum ghcprof_value kind, struct str word, uint64_t *count) {
	double value;
	if (!num_parse_real(word, &value)) {
		return false;
	}
	bool share = kind == VALUE_TIME;
	if (!share && num_parse_count(word, count)) {
		return true; // the integer is exact, unlike a double
	}
	value = share ? value * 10 : value;
	*count = value >= 0x1p64 ? UINT64_MAX : value > 0 ? (uint64_t)value : 0;
	return value == value && value < 0x1p64;
}

/** Pass all values of a line to the profile. */
static void ghcprof_tell_values(struct ghcprof_state *state, struct str line) {
	static const struct str values[GHCPROF_VALUES][2] = {
		{STR_INIT("time"), STR_INIT("tenths of a per cent")},
		{STR_INIT("ticks"), STR_INIT("ticks")},
		{STR_INIT("bytes"), STR_INIT("bytes")}};
	for (size_t i = 0; i < GHCPROF_VALUES; i++) {
		uint64_t count;
		if (state->value_columns[i] != STR_NONE &&
		    ghcprof_parse_value((enum ghcprof_value)i,
					ghcprof_word_at(line, state->value_columns[i]), &count)) {
			profile_next_value(state->run->profile, values[i][0], values[i][1], count);
		}
	}
}

static int ghcprof_tree_line(struct ghcprof_state *state, struct str line, uint64_t number) {
	size_t depth = 0;
	while (depth < line.n && line.p[depth] == ' ') {
		depth++;
	}
	if (depth > state->ids.n) {
		return run_bad(state->run, number, "skipped indentation level: '%s'",
			       quote(line).text);
	}
	enum ghcprof_value counted = ghcprof_counted(state);
	struct str value = ghcprof_word_at(line, state->value_columns[counted]);
	uint64_t count;
	if (!ghcprof_parse_value(counted, value, &count)) {
		return run_bad(state->run, number, "invalid cost: expected a number, found '%s'",
			       quote(value).text);
	}
	buf_set_str(&state->run->name, ghcprof_word_at(line, state->module_column));
	buf_add_char(&state->run->name, '.');
	buf_add_str(&state->run->name, ghcprof_word_at(line, 0));
	state->ids.n = depth;
	ids_push(&state->ids, profile_frame(state->run->profile, buf_str(&state->run->name)));
	state->run->samples++;
	if (profile_wants_values(state->run->profile)) {
		ghcprof_tell_values(state, line);
	}
	profile_add(state->run->profile, state->ids.items, state->ids.n, count);
	return 0;
}

static int ghcprof_line(void *memory, struct str raw, uint64_t number) {
	struct ghcprof_state *state = memory;
	struct str line = utf8_repaired(&state->run->text, raw);
	switch (state->section) {
	case BEFORE_TREE:
		return ghcprof_is_header(line) ? ghcprof_read_header(state, line, number) : 0;
	case BELOW_HEADER: // skip the empty line below the header
		state->section = IN_TREE;
		return 0;
	case IN_TREE:
		line = str_trim_end(line);
		if (line.n > 0) {
			return ghcprof_tree_line(state, line, number);
		}
		state->section = AFTER_TREE;
		return 0;
	case AFTER_TREE:
		break;
	}
	return 0;
}

static int ghcprof_block(void *memory, const struct block *block) {
	struct ghcprof_state *state = memory;
	int result = run_lines(state->run, block, state, ghcprof_line);
	if (result == 0 && block->last) {
		result = state->section == BEFORE_TREE
				 ? run_warn(state->run, 0, "file ended before start of call graph")
				 : 0;
		state->section = BEFORE_TREE;
		state->ids.n = 0;
	}
	return result;
}

static void ghcprof_release(void *memory) {
	struct ghcprof_state *state = memory;
	ids_release(&state->ids);
}

static int ghcprof_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool other_table = false;
	for (struct str line; lines_next(&lines, &line);) {
		if (ghcprof_is_header(line)) {
			return 4 * SNIFF_MAGIC;
		}
		other_table |= str_starts(line, STR("COST CENTRE"));
	}
	return !whole ? SNIFF_MORE : other_table ? SNIFF_COULD_BE : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct ghcprof_options, time), .name = "time",
	 .help = "count each call's share of the time, in tenths of a per cent (default)",
	 .conflicts = "ticks bytes"},
	{OPT_IS_BOOL(struct ghcprof_options, ticks), .name = "ticks", .help = "count timer ticks",
	 .conflicts = "time bytes"},
	{OPT_IS_BOOL(struct ghcprof_options, bytes), .name = "bytes",
	 .help = "count allocated bytes", .conflicts = "time ticks"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"time", "time", NULL, NULL},
	{"ticks", "ticks", NULL, "ticks"},
	{"bytes", "bytes", NULL, "bytes"},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"ghc -prof -fprof-auto app.hs && ./app +RTS -P", "profile a Haskell program"},
	{"inferno collapse ghcprof app.prof > app.folded", "fold its report"},
	{NULL, NULL},
};

const struct collapser collapse_ghcprof = {
	.name = "ghcprof",
	.aliases = (const char *const[]){"stackcollapse-ghc", NULL},
	.brief = "fold the .prof file of a Haskell program",
	.about = "Reads the tree of cost centres in the report that '+RTS -p' writes; --ticks and "
		 "--bytes need the columns that '+RTS -P' adds. Frames are named MODULE.CENTRE.",
	.examples = examples,
	.options = {options, sizeof(struct ghcprof_options)},
	.values = values,
	.state_size = sizeof(struct ghcprof_state),
	.sniff = ghcprof_sniff,
	.block = ghcprof_block,
	.release = ghcprof_release,
};
