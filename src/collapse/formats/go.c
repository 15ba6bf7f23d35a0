/*
 * go: the text of `go tool pprof -raw`. A table of samples comes first. A sample has values and the
 * ids of its locations, leaf first. Then comes a table of locations. A location has a line for its
 * function. If the function was inlined, further lines name its callers. Samples are kept until all
 * locations are known. Equal samples are added up.
 */
#include <stdlib.h>

#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/text.h"

struct go_options {
	bool no_inline;
	const char *sample_type;
};

enum go_tally { TALLY_NO_FRAMES };

enum go_section { BEFORE_SAMPLES, BELOW_SAMPLES, IN_SAMPLES, IN_LOCATIONS, AFTER_LOCATIONS };

/** The values of all columns of samples, if the profile keeps all values. */
struct go_values {
	struct buf types; // the line that names the columns
	uint64_t *row;    // values of the current sample
	size_t row_capacity;
	uint64_t *sums; // sum of each column, for each sample
	size_t capacity;
};

struct go_state {
	STATE_HEAD(struct go_options);
	struct memo names; // memo of names, as pprof prints them
	enum go_section section;
	uint64_t lines; // number of lines before the current block

	size_t columns, column; // number of columns; index of the column that is counted
	struct buf unit;        // unit of the column that is counted
	struct go_values all;
	bool units_differ;     // the units of the inputs differ
	struct intern samples; // keys are stacks of location ids; the value is the sum of their
			       // values
	uint64_t *first_lines; // for each sample, the line at which it first occurs
	size_t first_lines_capacity;
	uint64_t *ids; // location ids of the current sample
	size_t ids_n, ids_capacity;

	struct memo locations; // meanings of locations; the key is the bytes of the id
	struct ids lists;
	bool in_location;   // a location is being read
	uint64_t location;  // id of this location
	struct ids open;    // frames of this location so far, leaf first
	struct str address; // address of this location, in `address_text`
	struct buf address_text;
	struct stack stack;
};

/* --- Samples -------------------------------------------------------------------------------- */

/** Set `*type` to TYPE/UNIT of the next column. Return false after the last column. */
static bool go_next_type(struct str *rest, struct str *type) {
	// pprof marks its default column with this word
	static const struct str chosen = STR_INIT("[dflt]");
	do {
		*type = text_next_word(rest);
	} while (str_eq(*type, chosen));
	type->n -= str_ends(*type, chosen) ? chosen.n : 0;
	return str_has(*type, STR("/"));
}

/** Return whether --sample-type names this column. The option may have the type, the type and the
 * unit, or the number of the column. Without the option, the first column is wanted. */
static bool go_is_wanted(const char *wanted, struct str type, size_t number) {
	uint64_t value;
	struct str name = wanted == NULL ? STR("1") : str_of(wanted);
	return str_eq(type, name) || str_eq(str_to(type, str_find(type, '/')), name) ||
	       (num_parse_u64(name, &value) && value == number);
}

/** Store the unit of a column. For example, the unit is "nanoseconds of cpu" for cpu/nanoseconds,
 * and "samples" for samples/count. */
static void go_note_unit(struct go_state *state, struct str type) {
	struct buf unit = {0};
	struct str name = str_cut(&type, '/');
	if (!str_eq(type, STR("count"))) {
		utf8_repair(&unit, type);
		buf_add_text(&unit, " of ");
	}
	utf8_repair(&unit, name);
	state->units_differ |= state->unit.n > 0 && !str_eq(buf_str(&unit), buf_str(&state->unit));
	buf_release(&state->unit);
	state->unit = unit;
}

static void go_find_unit(const void *memory, struct buf *unit) {
	const struct go_state *state = memory;
	buf_add_str(unit, state->units_differ ? STR("") : buf_str(&state->unit));
}

/** Read the line that names the columns. */
static int go_types_line(struct go_state *state, struct str line, uint64_t number) {
	const char *wanted = state->options->sample_type;
	struct str rest = line, type;
	bool found = false;
	state->columns = 0;
	while (go_next_type(&rest, &type)) {
		state->columns++;
		if (!found && go_is_wanted(wanted, type, state->columns)) {
			state->column = state->columns;
			go_note_unit(state, type);
			found = true;
		}
	}
	buf_set_str(&state->all.types, line);
	state->section = IN_SAMPLES;
	if (state->columns == 0) {
		return run_error(state->run, number,
				 "expected the types of samples, such as samples/count, found '%s'",
				 quote(line).text);
	}
	return found ? 0
		     : run_error(state->run, number, "there is no sample type '%s' in '%s'",
				 quote(str_of(wanted)).text, quote(text_trim(line)).text);
}

static bool go_is_integer(struct str word) {
	struct str digits = str_from(word, str_starts(word, STR("-")));
	return digits.n > 0 && str_all_digits(digits);
}

/** Return whether a line is a sample, such as "26 260000000: 1 2". A label, such as "bytes:[48]",
 * is not a sample. */
static bool go_is_sample(struct str line) {
	size_t colon = str_find(line, ':');
	if (colon == STR_NONE || (colon + 1 < line.n && !text_is_blank(line.p[colon + 1]))) {
		return false;
	}
	struct str values = str_to(line, colon), word;
	bool any = false;
	while ((word = text_next_word(&values)).n > 0) {
		if (!go_is_integer(word)) {
			return false;
		}
		any = true;
	}
	return any;
}

/** Put the ids of a sample into state->ids. Return false if one of the ids is not a number. */
static bool go_read_ids(struct go_state *state, struct str text) {
	struct str word;
	state->ids_n = 0;
	while ((word = text_next_word(&text)).n > 0) {
		MEM_GROW(state->ids, state->ids_capacity, state->ids_n + 1);
		if (!num_parse_u64(word, &state->ids[state->ids_n++])) {
			return false;
		}
	}
	return true;
}

/** Read all columns of the current sample. */
static int go_read_row(struct go_state *state, struct str values, uint64_t number) {
	struct go_values *all = &state->all;
	int result = 0;
	MEM_GROW(all->row, all->row_capacity, state->columns);
	for (size_t i = 0; i < state->columns && result == 0; i++) {
		struct str word = text_next_word(&values);
		if (!num_parse_u64(word, &all->row[i])) {
			all->row[i] = 0;
			result = run_warn(state->run, number,
					  "a value is negative or too large, and counts as 0: '%s'",
					  quote(word).text);
		}
	}
	return result;
}

/** Add the current row to the columns of a sample. */
static void go_keep_row(struct go_state *state, uint32_t sample, bool is_new) {
	struct go_values *all = &state->all;
	size_t n = state->columns;
	all->sums =
		mem_grow(all->sums, &all->capacity, (sample + (size_t)1) * n, sizeof(*all->sums));
	uint64_t *sums = &all->sums[sample * n];
	for (size_t i = 0; i < n; i++) {
		sums[i] = is_new ? 0 : sums[i];
		state->run->profile->overflow |= !num_add(sums[i], all->row[i], &sums[i]);
	}
}

/** Pass the sums of a sample in all columns to the profile, for the next stack. */
static void go_tell_row(struct go_state *state, uint32_t sample) {
	struct str rest = buf_str(&state->all.types), type;
	for (size_t i = 0; go_next_type(&rest, &type); i++) {
		struct str name = str_cut(&type, '/');
		struct buf *text = &state->run->name;
		buf_clear(text);
		utf8_repair(text, name);
		size_t n = text->n;
		utf8_repair(text, type);
		profile_next_value(state->run->profile, str_to(buf_str(text), n),
				   str_from(buf_str(text), n),
				   state->all.sums[sample * state->columns + i]);
	}
}

/** Keep a sample. Its locations are in state->ids, which is not empty. */
static void go_keep_sample(struct go_state *state, uint64_t value, uint64_t number) {
	struct intern *samples = &state->samples;
	uint32_t before = samples->count;
	struct intern_key *sample =
		intern_get(samples, state->ids, state->ids_n * sizeof(*state->ids));
	if (sample->id == before) {
		MEM_GROW(state->first_lines, state->first_lines_capacity, before + (size_t)1);
		state->first_lines[before] = state->lines + number;
	}
	if (!num_add(sample->value, value, &sample->value)) {
		state->run->profile->overflow = true;
	}
	if (profile_wants_values(state->run->profile)) {
		go_keep_row(state, sample->id, sample->id == before);
	}
}

static int go_sample_line(struct go_state *state, struct str line, uint64_t number) {
	size_t colon = str_find(line, ':'), columns = 0;
	struct str values = str_to(line, colon), word, chosen = STR("");
	while ((word = text_next_word(&values)).n > 0) {
		chosen = ++columns == state->column ? word : chosen;
	}
	uint64_t value;
	if (columns != state->columns || !go_read_ids(state, str_from(line, colon + 1))) {
		return run_warn(
			state->run, number,
			"expected a value for each sample type, then ids of locations, found '%s'",
			quote(line).text);
	}
	if (!num_parse_u64(chosen, &value)) {
		return run_warn(state->run, number, "the value is negative or too large: '%s'",
				quote(chosen).text);
	}
	state->run->tallies[TALLY_NO_FRAMES] += state->ids_n == 0;
	int result = profile_wants_values(state->run->profile)
			     ? go_read_row(state, str_to(line, colon), number)
			     : 0;
	if (state->ids_n > 0) {
		go_keep_sample(state, value, number);
	}
	return result;
}

/* --- Locations ------------------------------------------------------------------------------ */

/** Return the index of the ` s=N` at the end of a line. After it, the line may have the name of the
 * symbol in parentheses. If the line has no ` s=N`, return STR_NONE. */
static size_t go_find_start_line(struct str text) {
	struct str before = text;
	for (;;) {
		size_t at = str_find_last_str(before, STR(" s="));
		if (at == STR_NONE) {
			return STR_NONE;
		}
		struct str rest = str_from(text, at + 3);
		rest = str_from(rest, str_starts(rest, STR("-")));
		size_t digits = text_digits(rest);
		rest = text_trim_start(str_from(rest, digits));
		if (digits > 0 && (rest.n == 0 || rest.p[0] == '(')) {
			return at;
		}
		before = str_to(before, at);
	}
}

/** Return the name in "NAME FILE:LINE:COLUMN s=N". The file either begins with a slash or has no
 * blanks. */
static struct str go_name_of(struct str text) {
	size_t end = go_find_start_line(text);
	if (end == STR_NONE) {
		return text_trim(text);
	}
	struct str body = str_to(text, end);
	size_t file = str_find_str(body, STR(" /"));
	if (file == STR_NONE) {
		file = str_find_last(body, ' ');
	}
	return file == STR_NONE ? STR("") : text_trim(str_to(body, file));
}

/** Add a function to the open location. `text` is the line of the function. If the line has an
 * address, `text` is the text after it. */
static void go_add_function(struct go_state *state, struct str text) {
	struct str name = go_name_of(text);
	if (name.n == 0 || str_eq(name, STR("??"))) {
		name = state->address;
	}
	ids_push(&state->open, text_frame(state->run, &state->names, name));
}

/** Return the bytes of an id, without a copy. */
static struct str go_bytes_of(const uint64_t *id) {
	return (struct str){(const char *)id, sizeof(*id)};
}

/** End the open location, and store the list of its frames, root first. */
static void go_close_location(struct go_state *state) {
	if (!state->in_location) {
		return;
	}
	size_t list = frame_lists_open(&state->lists);
	for (size_t i = state->options->no_inline ? 1 : state->open.n; i > 0; i--) {
		ids_push(&state->lists, state->open.items[i - 1]);
	}
	memo_add(&state->locations, go_bytes_of(&state->location), 0,
		 frame_lists_close(&state->lists, list));
	state->in_location = false;
}

/** Read the id and the address of a location such as " 1: 0x40adbc M=1 NAME FILE:LINE s=N". Set
 * `*rest` to the text after them. */
static bool go_read_location(struct str line, uint64_t *id, struct str *address, struct str *rest) {
	line = text_trim_start(line);
	struct str number = str_to(line, text_digits(line));
	line = str_from(line, number.n);
	if (!num_parse_u64(number, id) || !text_take(&line, STR(": "))) {
		return false;
	}
	*address = text_next_word(&line);
	*rest = line;
	return str_starts(*address, STR("0x")) && address->n > 2 &&
	       str_all_hex(str_from(*address, 2));
}

/** Return text without the mapping, `M=1`, and the mark of a folded location, `[F]`. */
static struct str go_cut_mapping(struct str text) {
	struct str rest = text;
	if (text_take(&rest, STR(" M=")) && text_digits(rest) > 0) {
		text = str_from(rest, text_digits(rest));
	}
	rest = text;
	return text_take(&rest, STR(" [F]")) ? rest : text;
}

static int go_location_line(struct go_state *state, struct str line, uint64_t number) {
	uint64_t id;
	struct str address, rest;
	if (!go_read_location(line, &id, &address, &rest)) {
		if (!state->in_location || text_blanks(line) == 0) {
			return run_warn(state->run, number, "expected a location, found '%s'",
					quote(line).text);
		}
		go_add_function(state, line);
		return 0;
	}
	go_close_location(state);
	if (memo_find(&state->locations, go_bytes_of(&id), 0).kind != MEANS_UNKNOWN) {
		return run_warn(state->run, number, "location %llu is defined again",
				(unsigned long long)id);
	}
	state->in_location = true;
	state->location = id;
	state->open.n = 0;
	buf_set_str(&state->address_text, address);
	state->address = buf_str(&state->address_text);
	go_add_function(state, go_cut_mapping(rest));
	return 0;
}

/* --- A profile's end ------------------------------------------------------------------------ */

/** Push the frames of a location. If the location is not defined, push a frame with its id. */
static int go_push_location(struct go_state *state, uint64_t id, uint64_t line) {
	struct meaning location = memo_find(&state->locations, go_bytes_of(&id), 0);
	if (location.kind != MEANS_UNKNOWN) {
		stack_push_meaning(&state->stack, &state->lists, location);
		return 0;
	}
	char text[NUM_U64_MAX];
	size_t n = num_format_u64(text, id);
	stack_push(&state->stack, text_frame(state->run, &state->names, (struct str){text, n}));
	return run_warn(state->run, run_line((int64_t)(line - state->lines)),
			"location %llu is not defined", (unsigned long long)id);
}

static int go_add_sample(struct go_state *state, const struct intern_key *sample) {
	int result = 0;
	for (size_t at = 0; at < sample->len && result == 0; at += sizeof(uint64_t)) {
		uint64_t id;
		memcpy(&id, sample->bytes + at, sizeof(id));
		result = go_push_location(state, id, state->first_lines[sample->id]);
	}
	if (profile_wants_values(state->run->profile)) {
		go_tell_row(state, sample->id);
	}
	stack_count(&state->stack, state->run->profile, sample->value);
	return result;
}

/** At the end of a profile, when all locations are known, make stacks of the samples. Then drop the
 * samples and locations. */
static int go_end_profile(struct go_state *state) {
	int result = 0;
	go_close_location(state);
	for (uint32_t i = 0; i < state->samples.count && result == 0; i++) {
		result = go_add_sample(state, state->samples.keys[i]);
	}
	intern_release(&state->samples);
	memo_release(&state->locations);
	state->lists.n = 0;
	state->section = BEFORE_SAMPLES;
	return result;
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** Read a line that begins a table, or that comes between tables. Return false for any other
 * line. */
static bool go_change_section(struct go_state *state, struct str line) {
	if (str_eq(line, STR("Samples:"))) {
		state->section = BELOW_SAMPLES;
		state->run->samples++;
	} else if (str_eq(line, STR("Locations")) && state->section == IN_SAMPLES) {
		state->section = IN_LOCATIONS;
	} else if (str_eq(line, STR("Mappings")) && state->section == IN_LOCATIONS) {
		state->section = AFTER_LOCATIONS;
	} else {
		return false;
	}
	return true;
}

static int go_line(void *memory, struct str line, uint64_t number) {
	struct go_state *state = memory;
	line = text_trim_end(text_line(line));
	bool begins = str_starts(line, STR("PeriodType: ")) || str_eq(line, STR("Samples:"));
	if (begins && state->section != BEFORE_SAMPLES && go_end_profile(state) != 0) {
		return -1; // the line begins another profile
	}
	if (line.n == 0 || str_starts(line, STR("#")) || go_change_section(state, line)) {
		return 0;
	}
	switch (state->section) {
	case BELOW_SAMPLES:
		return go_types_line(state, line, number);
	case IN_SAMPLES:
		if (go_is_sample(line)) {
			return go_sample_line(state, line, number);
		}
		return str_has(line, STR(":[")) // labels
			       ? 0
			       : run_warn(state->run, number, "expected a sample, found '%s'",
					  quote(line).text);
	case IN_LOCATIONS:
		return go_location_line(state, line, number);
	case BEFORE_SAMPLES:
	case AFTER_LOCATIONS:
		break;
	}
	return 0;
}

static int go_block(void *memory, const struct block *block) {
	struct go_state *state = memory;
	int result = run_lines(state->run, block, state, go_line);
	if (result == 0 && block->last) {
		if (state->section == BELOW_SAMPLES || state->section == IN_SAMPLES) {
			result = run_warn(state->run, RUN_AT_END,
					  "the file ends before the locations");
		}
		result = go_end_profile(state) != 0 ? -1 : result;
	}
	state->lines = block->last ? 0 : state->lines + state->run->lines;
	return result;
}

static void go_release(void *memory) {
	struct go_state *state = memory;
	memo_release(&state->names);
	intern_release(&state->samples);
	memo_release(&state->locations);
	ids_release(&state->lists);
	ids_release(&state->open);
	buf_release(&state->address_text);
	buf_release(&state->unit);
	stack_release(&state->stack);
	buf_release(&state->all.types);
	free(state->all.row);
	free(state->all.sums);
	free(state->first_lines);
	free(state->ids);
}

/** Search for the first line of pprof's output, and for the title of the samples with their types
 * after it. */
static int go_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	int period = SNIFF_NO;
	bool samples = false;
	for (struct str line, type; lines_next_whole(&lines, whole, &line);) {
		line = text_trim_end(text_line(line));
		if (samples) {
			struct str rest = line;
			if (go_next_type(&rest, &type)) {
				return period + 2 * SNIFF_SHAPE;
			}
		}
		if (str_starts(line, STR("PeriodType: "))) {
			period = SNIFF_MAGIC;
		}
		samples = str_eq(line, STR("Samples:"));
	}
	return period;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct go_options, no_inline), .name = "no-inline",
	 .help = "leave out the functions that others were inlined into"},
	{OPT_IS_TEXT(struct go_options, sample_type), .name = "sample-type", .value = "NAME",
	 .help = "count this sample type: its name, such as alloc_space, or the number of its "
		 "column, starting at 1"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"sample-type", NULL, NULL, NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"go tool pprof -raw -output=out.txt http://localhost:6060/debug/pprof/profile",
	 "record a Go program for 30 seconds"},
	{"inferno collapse go out.txt > out.folded", "fold the profile"},
	{"inferno collapse go --sample-type cpu out.txt", "count nanoseconds instead of samples"},
	{NULL, NULL},
};

const struct collapser collapse_go = {
	.name = "go",
	.aliases = (const char *const[]){"stackcollapse-go", NULL},
	.brief = "fold the text of 'go tool pprof -raw'",
	.about = "Reads the samples and locations of any profile that pprof can read. Counts are "
		 "those of the first sample type, which are samples in a CPU profile. Inlined "
		 "functions are frames, and so are the functions that they were inlined into. The "
		 "frame of a location without a name is its address.",
	.examples = examples,
	.options = {options, sizeof(struct go_options)},
	.values = values,
	.state_size = sizeof(struct go_state),
	.sniff = go_sniff,
	.block = go_block,
	.release = go_release,
	.find_unit = go_find_unit,
	.tallies = {[TALLY_NO_FRAMES] = "left out samples without locations"},
	.expects = "the text of 'go tool pprof -raw'",
};
