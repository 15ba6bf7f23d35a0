/*
 * instruments: a call tree that was copied from Xcode's Instruments ("Deep Copy") into a file.
 *
 * Each call has a row. The indentation of a row gives the depth of the call. The self time of the
 * call is counted.
 */
#include <math.h>

#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/text.h"

enum instruments_unit { UNIT_MS, UNIT_US };

struct instruments_options {
	unsigned unit;
};

struct instruments_state {
	STATE_HEAD(struct instruments_options);
	bool begun;        // the first line was read
	struct buf header; // the first line, if it was not a row
	uint64_t rows;     // number of rows in this input
	// `inner`: some row is below another row; `inner_time`: some such row has self time
	bool inner, inner_time;
	struct ids ids; // frames from the root to the current row
};

/* --- Rows ----------------------------------------------------------------------------------- */

struct instruments_row {
	struct str self; // self time of the call, as text
	double unit;     // unit of the self time, in milliseconds
	size_t depth;
	struct str name;
};

static bool instruments_take(struct str *line, struct str what) {
	if (!str_starts(*line, what)) {
		return false;
	}
	*line = str_from(*line, what.n);
	return true;
}

static size_t instruments_take_blanks(struct str *line) {
	size_t n = 0;
	while (n < line->n && line->p[n] == ' ') {
		n++;
	}
	*line = str_from(*line, n);
	return n;
}

static size_t instruments_take_digits(struct str *line) {
	size_t n = 0;
	while (n < line->n && is_digit(line->p[n])) {
		n++;
	}
	*line = str_from(*line, n);
	return n;
}

/** Remove a number from the start of a line. The number must have decimals if `decimals` is set.
 * Otherwise, it may have decimals. */
static bool instruments_take_number(struct str *line, bool decimals, struct str *number) {
	struct str start = *line;
	bool whole = instruments_take_digits(line) > 0;
	bool fraction =
		whole && instruments_take(line, STR(".")) && instruments_take_digits(line) > 0;
	*number = str_to(start, start.n - line->n);
	return whole && (fraction || (!decimals && str_all_digits(*number)));
}

/** Remove a unit of time from the start of a line. Set `*unit` to the unit in milliseconds. */
static bool instruments_take_unit(struct str *line, double *unit) {
	static const struct {
		struct str name;
		double ms;
	} units[] = {
		{STR_INIT("min"), 60e3},
		{STR_INIT("ms"), 1},
		{STR_INIT("us"), 1e-3},
		{STR_INIT("\xc2\xb5s"), 1e-3},
		{STR_INIT("\xce\xbcs"), 1e-3}, // two characters look like "µ": the micro sign
					       // (above), and the Greek letter mu (here)
		{STR_INIT("ns"), 1e-6},
		{STR_INIT("s"), 1e3},
	};
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (instruments_take(line, units[i].name)) {
			*unit = units[i].ms;
			return true;
		}
	}
	return false;
}

/** Read the end of a row, which is TAB, blank, TAB, and the indented name. */
static bool instruments_parse_place(struct str line, struct instruments_row *row) {
	if (!instruments_take(&line, STR("\t \t"))) {
		return false;
	}
	row->depth = instruments_take_blanks(&line);
	row->name = line;
	return line.n > 0;
}

/** Read a row: WEIGHT UNIT PERCENT%, TAB, SELF UNIT, and the end of the row. */
static bool instruments_parse_row(struct str line, struct instruments_row *row) {
	double unit;
	struct str number;
	return instruments_take_number(&line, true, &number) &&
	       instruments_take_blanks(&line) > 0 && instruments_take_unit(&line, &unit) &&
	       instruments_take_blanks(&line) > 0 &&
	       instruments_take_number(&line, true, &number) &&
	       instruments_take(&line, STR("%\t")) &&
	       instruments_take_number(&line, false, &row->self) &&
	       instruments_take_blanks(&line) > 0 && instruments_take_unit(&line, &row->unit) &&
	       instruments_parse_place(line, row);
}

/** Put a row into the tree. Return false if the row is more than one level below the previous
 * row. */
static bool instruments_place_row(struct instruments_state *state,
				  const struct instruments_row *row) {
	if (row->depth > state->ids.n) {
		return false;
	}
	state->ids.n = row->depth;
	ids_push(&state->ids, run_frame(state->run, row->name));
	return true;
}

/** Set `*time` to a row's self time in the unit that is counted, rounded to a whole number. */
static bool instruments_self_time(const struct instruments_state *state,
				  const struct instruments_row *row, uint64_t *time) {
	double value;
	if (!num_parse_real(row->self, &value)) {
		return false;
	}
	value = nearbyint(value * row->unit * (state->options->unit == UNIT_US ? 1e3 : 1));
	*time = value < 0x1p64 ? (uint64_t)value : 0;
	return value < 0x1p64;
}

static int instruments_add_row(struct instruments_state *state, const struct instruments_row *row,
			       struct str line, uint64_t number) {
	uint64_t time;
	if (!instruments_place_row(state, row)) {
		return run_warn(state->run, number, "skipped indentation level: '%s'",
				quote(line).text);
	}
	if (!instruments_self_time(state, row, &time)) {
		return run_warn(state->run, number, "the time is too large: '%s'",
				quote(line).text);
	}
	state->inner |= row->depth > 0;
	for (size_t i = 0; row->depth > 0 && i < row->self.n; i++) {
		state->inner_time |= row->self.p[i] >= '1' && row->self.p[i] <= '9';
	}
	state->rows++;
	state->run->samples++;
	profile_add(state->run->profile, state->ids.items, state->ids.n, time);
	return 0;
}

/** Report a line that is not a row. If the line has an indented name, put the name into the tree,
 * so that the rows below it keep their depths. */
static int instruments_bad_row(struct instruments_state *state, struct str line, uint64_t number) {
	struct instruments_row row;
	size_t at = str_find_str(line, STR("\t \t"));
	if (at != STR_NONE && instruments_parse_place(str_from(line, at), &row)) {
		instruments_place_row(state, &row);
	}
	return run_warn(state->run, number, "not a row of a call tree: '%s'", quote(line).text);
}

/* --- Lines ---------------------------------------------------------------------------------- */

static int instruments_line(void *memory, struct str raw, uint64_t number) {
	struct instruments_state *state = memory;
	struct str line = text_line(raw);
	struct instruments_row row;
	bool first = !state->begun;
	state->begun = true;
	if (instruments_parse_row(line, &row)) {
		return instruments_add_row(state, &row, line, number);
	}
	if (first) {
		buf_add_str(&state->header, line);
		return 0;
	}
	return str_trim(line).n == 0 ? 0 : instruments_bad_row(state, line, number);
}

static int instruments_end_of_input(struct instruments_state *state) {
	if (state->begun && state->rows == 0) {
		return run_error(state->run, 0,
				 "no row has a time; is this a Deep Copy of Time Profiler's call "
				 "tree? Its header is '%s'",
				 quote(buf_str(&state->header)).text);
	}
	if (state->inner && !state->inner_time) {
		return run_warn(state->run, RUN_AT_END,
				"only the outermost calls took time; was the call tree inverted?");
	}
	return 0;
}

static int instruments_block(void *memory, const struct block *block) {
	struct instruments_state *state = memory;
	int result = run_lines(state->run, block, state, instruments_line);
	if (block->last) {
		result = result == 0 ? instruments_end_of_input(state) : result;
		state->begun = state->inner = state->inner_time = false;
		state->rows = 0;
		state->ids.n = 0;
		buf_clear(&state->header);
	}
	return result;
}

static void instruments_release(void *memory) {
	struct instruments_state *state = memory;
	buf_release(&state->header);
	ids_release(&state->ids);
}

/** Return whether a line has the form of a row, for any quantity: a share, a tab, text, and then
 * tab, blank, tab. */
static bool instruments_is_row_like(struct str line) {
	size_t share = str_find_str(line, STR("%\t"));
	struct str rest = share == STR_NONE ? STR("") : str_from(line, share + 2);
	size_t end = str_find(rest, '\t');
	return end != STR_NONE && end > 0 && str_starts(str_from(rest, end), STR("\t \t"));
}

static int instruments_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	struct str first, second;
	struct instruments_row row;
	if (!lines_next_whole(&lines, whole, &first)) {
		return whole ? SNIFF_NO : SNIFF_MORE;
	}
	first = str_trim_end(first);
	bool titled = str_ends(first, STR("Symbol Name"));
	if (!titled || str_find(first, '\t') == STR_NONE) {
		return instruments_parse_row(first, &row) ? 2 * SNIFF_SHAPE
		       : titled                           ? SNIFF_HINT
							  : SNIFF_NO;
	}
	if (!lines_next_whole(&lines, whole, &second)) {
		return whole ? SNIFF_COULD_BE : SNIFF_MORE;
	}
	return instruments_is_row_like(second) ? 2 * SNIFF_MAGIC : SNIFF_COULD_BE;
}

static const char *const unit_names[] = {"ms", "us", NULL};

static const struct opt options[] = {
	{OPT_IS_CHOICE(struct instruments_options, unit), .name = "unit", .value = "UNIT",
	 .help = "count in milliseconds or microseconds", .initial = "ms", .choices = unit_names},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"pbpaste > calls.txt",
	 "in Time Profiler, select the topmost call, choose Edit > Deep Copy, then run this"},
	{"inferno collapse instruments calls.txt > out.folded", "fold the call tree"},
	{NULL, NULL},
};

const struct collapser collapse_instruments = {
	.name = "instruments",
	.aliases = (const char *const[]){"stackcollapse-instruments", NULL},
	.brief = "fold a call tree copied from Xcode's Instruments",
	.about = "Reads the text that Edit > Deep Copy of a call tree in Time Profiler puts on the "
		 "clipboard. Each call counts its self time, rounded to milliseconds or, with "
		 "--unit us, to microseconds. The tree must not be inverted: in an inverted tree, "
		 "only the outermost calls have self time.\n\nFor the XML that 'xctrace export' "
		 "writes, see 'inferno collapse xctrace'.",
	.examples = examples,
	.options = {options, sizeof(struct instruments_options)},
	.state_size = sizeof(struct instruments_state),
	.sniff = instruments_sniff,
	.block = instruments_block,
	.release = instruments_release,
	.unit = "milliseconds",
	.expects = "a Deep Copy from Instruments",
};
