/*
 * vtune-mc: the CSV of `amplxe-cl -R top-down` for a memory consumption result. The CSV is a tree
 * of calls: the indentation of a row gives the depth of the call.
 */
#include <stdlib.h>

#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/csv.h"
#include "collapse/text.h"

struct vtune_mc_options {
	bool size;
};

#define NO_COLUMN SIZE_MAX
#define NO_FRAME UINT32_MAX // in place of the frame of a row that does not fit the header

/** The cells of a line. The bytes of all cells are in `text`. */
struct cells {
	struct str *items;
	size_t n, capacity;
	struct buf text;
};

struct vtune_mc_state {
	STATE_HEAD(struct vtune_mc_options);
	size_t columns;        // number of columns in the header; 0: no header yet
	size_t weight, module; // indices of the columns with the counted value and the module;
			       // NO_COLUMN: missing
	// indices of the columns with the number and the size of allocations; one of them is
	// `weight`
	size_t number, size;
	struct ids ids;    // frames from the root to the current row
	struct ids depths; // for each row of the path, the number of blanks before it
	struct ids stack;  // frames of the path, without NO_FRAME
	struct cells cells;
	struct buf scratch;
};

/* --- Cells ---------------------------------------------------------------------------------- */

static void vtune_mc_add_cell(struct cells *cells, struct str text) {
	size_t at = cells->text.n;
	buf_add_str(&cells->text, text);
	*MEM_APPEND(cells->items, cells->n, cells->capacity) =
		(struct str){cells->text.p + at, text.n};
}

/** Split a line that is not well-formed CSV at each comma, and remove its quotes. */
static void vtune_mc_cut_at_commas(struct cells *cells, struct buf *scratch, struct str line) {
	buf_clear(scratch);
	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] != '"') {
			buf_add_char(scratch, line.p[i]);
		}
	}
	struct str rest = buf_str(scratch);
	for (bool more = true; more;) {
		more = str_find(rest, ',') != STR_NONE;
		vtune_mc_add_cell(cells, str_cut(&rest, ','));
	}
}

static void vtune_mc_cut_cells(struct cells *cells, struct buf *scratch, struct str line) {
	struct csv csv = csv_start(line);
	struct str field;
	enum csv_result result;
	cells->n = 0;
	buf_clear(&cells->text);
	buf_room(&cells->text, line.n + 1); // make room first: cells point into this text, so it
					    // must not move
	while ((result = csv_next(&csv, scratch, &field)) == CSV_FIELD) {
		vtune_mc_add_cell(cells, field);
	}
	if (result == CSV_BAD) {
		cells->n = 0;
		buf_clear(&cells->text);
		vtune_mc_cut_at_commas(cells, scratch, line);
	}
}

/** Return whether a text is empty or a number: digits, optionally followed by a dot and more
 * digits. */
static bool vtune_mc_is_number(struct str text) {
	struct str fraction = text, whole = str_cut(&fraction, '.');
	bool dot = whole.n < text.n;
	return text.n == 0 || (whole.n > 0 && str_all_digits(whole) && str_all_digits(fraction) &&
			       (!dot || fraction.n > 0));
}

/** Read a number, and round it. Return false if the number needs more than 64 bits. */
static bool vtune_mc_parse_number(struct str text, uint64_t *value) {
	struct str fraction = text, whole = str_cut(&fraction, '.');
	bool up = whole.n < text.n && fraction.p[0] >= '5';
	return num_parse_u64(whole, value) && num_add(*value, up, value);
}

/* --- The header ----------------------------------------------------------------------------- */

static size_t vtune_mc_find_column(const struct cells *cells, const char *name) {
	for (size_t i = 1; i < cells->n; i++) {
		if (str_eq(cells->items[i], str_of(name))) {
			return i;
		}
	}
	return NO_COLUMN;
}

static int vtune_mc_read_header(struct vtune_mc_state *state, struct str line, uint64_t number) {
	static const char count[] = "Allocations:Self", size[] = "Allocation Size:Self";
	struct cells *cells = &state->cells;
	vtune_mc_cut_cells(cells, &state->scratch, line);
	if (!str_eq(cells->items[0], STR("Function Stack"))) {
		return 0; // skip a line before the header, for example a warning of amplxe-cl
	}
	state->number = vtune_mc_find_column(cells, count);
	state->size = vtune_mc_find_column(cells, size);
	state->weight = state->options->size ? state->size : state->number;
	state->module = vtune_mc_find_column(cells, "Module");
	if (state->weight == NO_COLUMN) {
		return run_error(state->run, number, "the header has no '%s' column",
				 state->options->size ? size : count);
	}
	state->columns = cells->n;
	return state->module != NO_COLUMN
		       ? 0
		       : run_warn(state->run, number, "the header has no 'Module' column");
}

/* --- Rows ----------------------------------------------------------------------------------- */

/** Return whether the row has numbers in all columns of numbers, if `shift` commas belong to the
 * name of the function. */
static bool vtune_mc_fits(const struct vtune_mc_state *state, size_t shift) {
	for (size_t i = 1; i < state->columns; i++) {
		if (i != state->module && (i + shift >= state->cells.n ||
					   !vtune_mc_is_number(state->cells.items[i + shift]))) {
			return false;
		}
	}
	return true;
}

/**
 * Find how many commas belong to the name of the function. The result is the smallest number with
 * which the row fits the header. If the module is the last column, further commas belong to the
 * module. Return false if no number fits.
 */
static bool vtune_mc_find_shift(const struct vtune_mc_state *state, size_t *shift) {
	size_t n = state->cells.n, columns = state->columns;
	bool open_end = state->module == columns - 1;
	if (n < columns) {
		*shift = 0;
		return open_end && n == columns - 1 &&
		       vtune_mc_fits(state, 0); // the row has no module
	}
	for (*shift = open_end ? 0 : n - columns; *shift <= n - columns; ++*shift) {
		if (vtune_mc_fits(state, *shift)) {
			return true;
		}
	}
	return false;
}

static void vtune_mc_add_joined(struct buf *out, const struct cells *cells, size_t from,
				size_t end) {
	for (size_t i = from; i < end; i++) {
		buf_add_text(out, i > from ? "," : "");
		buf_add_str(out, cells->items[i]);
	}
}

/** Make the name of the frame: the function, and the module in brackets. */
static void vtune_mc_name_frame(struct vtune_mc_state *state, size_t shift) {
	const struct cells *cells = &state->cells;
	bool last = state->module == state->columns - 1;
	struct buf *name = &state->run->name;
	buf_clear(name);
	vtune_mc_add_joined(name, cells, 0, shift + 1);
	buf_add_char(name, '(');
	if (state->module != NO_COLUMN && state->module + shift < cells->n) {
		size_t from = state->module + shift;
		vtune_mc_add_joined(name, cells, from, last ? cells->n : from + 1);
	}
	buf_add_char(name, ')');
}

/** Find the place of a row in the tree. The caller of the row is the last row with fewer blanks,
 * even if a level is missing between them. */
static int vtune_mc_place(struct vtune_mc_state *state, size_t depth, uint32_t frame,
			  uint64_t number) {
	struct ids *depths = &state->depths;
	while (depths->n > 0 && depths->items[depths->n - 1] >= depth) {
		depths->n--;
	}
	size_t expected = depths->n == 0 ? 0 : depths->items[depths->n - 1] + 1u;
	state->ids.n = depths->n;
	ids_push(depths, (uint32_t)depth);
	ids_push(&state->ids, frame);
	return depth <= expected || frame == NO_FRAME
		       ? 0
		       : run_warn(state->run, number, "skipped indentation level: '%s'",
				  quote(buf_str(&state->run->name)).text);
}

static void vtune_mc_add_stack(struct vtune_mc_state *state, uint64_t count) {
	state->stack.n = 0;
	for (size_t i = 0; i < state->ids.n; i++) {
		if (state->ids.items[i] != NO_FRAME) {
			ids_push(&state->stack, state->ids.items[i]);
		}
	}
	profile_add(state->run->profile, state->stack.items, state->stack.n, count);
}

/** Pass both counts of a row to the profile, if the report has both. */
static void vtune_mc_tell_values(struct vtune_mc_state *state, size_t shift) {
	const struct str *cells = state->cells.items + shift;
	uint64_t allocations, bytes;
	if (state->number != NO_COLUMN && state->size != NO_COLUMN &&
	    vtune_mc_parse_number(cells[state->number], &allocations) &&
	    vtune_mc_parse_number(cells[state->size], &bytes)) {
		struct profile *profile = state->run->profile;
		profile_next_value(profile, STR("allocations"), STR("allocations"), allocations);
		profile_next_value(profile, STR("bytes"), STR("bytes"), bytes);
	}
}

static int vtune_mc_count_row(struct vtune_mc_state *state, size_t shift, uint64_t number) {
	struct str weight = state->cells.items[state->weight + shift];
	uint64_t count;
	state->run->samples++;
	if (weight.n == 0) {
		return 0;
	}
	if (!vtune_mc_parse_number(weight, &count)) {
		return run_warn(state->run, number, "the number is too large: '%s'",
				quote(weight).text);
	}
	if (count > 0 || state->options->size) {
		if (profile_wants_values(state->run->profile)) {
			vtune_mc_tell_values(state, shift);
		}
		vtune_mc_add_stack(state, count);
	}
	return 0;
}

static size_t vtune_mc_count_blanks(struct str text) {
	size_t n = 0;
	while (n < text.n && (text.p[n] == ' ' || text.p[n] == '\t')) {
		n++;
	}
	return n;
}

/** Read a row. Its indentation is before or inside its quotes. If a row does not fit the header,
 * leave it out: the rows below it then belong to its parent. */
static int vtune_mc_row(struct vtune_mc_state *state, struct str line, uint64_t number) {
	size_t outside = vtune_mc_count_blanks(line), shift;
	vtune_mc_cut_cells(&state->cells, &state->scratch, str_from(line, outside));
	size_t inside = vtune_mc_count_blanks(state->cells.items[0]);
	state->cells.items[0] = str_from(state->cells.items[0], inside);
	if (!vtune_mc_find_shift(state, &shift)) {
		(void)vtune_mc_place(state, outside + inside, NO_FRAME, number);
		return run_warn(state->run, number,
				"left out a row that does not fit the header: '%s'",
				quote(line).text);
	}
	vtune_mc_name_frame(state, shift);
	uint32_t frame = run_frame(state->run, buf_str(&state->run->name));
	int result = vtune_mc_place(state, outside + inside, frame, number);
	return result != 0 ? result : vtune_mc_count_row(state, shift, number);
}

static int vtune_mc_line(void *memory, struct str line, uint64_t number) {
	struct vtune_mc_state *state = memory;
	line = text_line(line);
	if (state->columns == 0) {
		return vtune_mc_read_header(state, line, number);
	}
	return vtune_mc_count_blanks(line) == line.n ? 0 : vtune_mc_row(state, line, number);
}

static int vtune_mc_block(void *memory, const struct block *block) {
	struct vtune_mc_state *state = memory;
	int result = run_lines(state->run, block, state, vtune_mc_line);
	if (block->last) {
		state->columns = 0;
		state->ids.n = state->depths.n = 0;
	}
	return result;
}

static void vtune_mc_release(void *memory) {
	struct vtune_mc_state *state = memory;
	free(state->cells.items);
	buf_release(&state->cells.text);
	buf_release(&state->scratch);
	ids_release(&state->ids);
	ids_release(&state->depths);
	ids_release(&state->stack);
}

/** Search for a header whose first column is `Function Stack` and which has a column of
 * allocations. */
static int vtune_mc_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		bool stack = str_starts(line, STR("Function Stack,")) ||
			     str_starts(line, STR("\"Function Stack\","));
		if (stack &&
		    (str_has(line, STR(",Allocation")) || str_has(line, STR(",\"Allocation")))) {
			return 4 * SNIFF_MAGIC;
		}
	}
	return whole ? SNIFF_NO : SNIFF_MORE;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct vtune_mc_options, size), .name = "size", .letter = 's',
	 .help = "count allocated bytes instead of allocations"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"", "allocations", NULL, NULL},
	{"size", "bytes", NULL, "bytes"},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"amplxe-cl -R top-down -format csv -csv-delimiter comma -report-out out.csv",
	 "report what 'amplxe-cl -collect memory-consumption' recorded; see below for the columns"},
	{"inferno collapse vtune-mc out.csv > out.folded", "fold the report"},
	{NULL, NULL},
};

const struct collapser collapse_vtune_mc = {
	.name = "vtune-mc",
	.aliases = (const char *const[]){"stackcollapse-vtune-mc", NULL},
	.brief = "fold VTune's CSV report of memory consumption",
	.about = "Reads the columns Function Stack, Allocations:Self or Allocation Size:Self, and "
		 "Module. To get them, give amplxe-cl the options -call-stack-mode all "
		 "-column='Allocations:Self','Allocation Size:Self','Module'. Function Stack comes "
		 "first, the others in any order. Everything before the header is skipped. "
		 "Functions are named FUNCTION(MODULE).",
	.examples = examples,
	.options = {options, sizeof(struct vtune_mc_options)},
	.values = values,
	.state_size = sizeof(struct vtune_mc_state),
	.sniff = vtune_mc_sniff,
	.block = vtune_mc_block,
	.release = vtune_mc_release,
	.unit = "allocations",
	.expects = "VTune's CSV report of memory consumption",
};
