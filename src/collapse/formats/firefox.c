/*
 * firefox: profiles of the Firefox Profiler, which samply and others write, too.
 *
 * A stack is a row of a table, with its frame and with the stack of its caller. A frame refers to a
 * row in a table of functions, and a function refers to a text in another table. There are two
 * forms. A processed profile has an array for each column of a table. Since version 56, a processed
 * profile has one set of tables for all threads. A Gecko profile, as Firefox itself writes it, has
 * an array for each row, and a schema that names the columns. The parts of a file may come in any
 * order, so all tables are kept as numbers until the file ends.
 */
#include <stdlib.h>

#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/json_places.h"
#include "collapse/text.h"
#include "collapse/times.h"

struct firefox_options {
	struct opt_list label_frames;
	bool samples;
};

enum firefox_tally { TALLY_VANISHED };

enum firefox_place {
	IN_META = JSON_TOP + 1,
	IN_PROCESSES,
	IN_PROCESS,
	IN_THREADS,
	IN_THREAD,
	IN_SHARED,
	IN_STRINGS,
	IN_STACKS,
	IN_FRAMES,
	IN_FUNCS,
	IN_SOURCES,
	IN_SAMPLES,
	IN_SAMPLE_STACKS,
	IN_WEIGHTS,
	IN_TIMES,
	IN_DELTAS,
	IN_SCHEMA,
	IN_ROWS,
	IN_ROW,
	IN_CELL,
	IN_WRONG,   // an object or an array in a column, where only numbers are allowed
	IN_OFFSETS, // the column of callers, stored as distances in rows
	IN_COLUMNS  // the first of the columns of numbers
};

/** The columns of numbers in the tables. */
enum firefox_table_column {
	COLUMN_PREFIX, // of a stack: the stack of the caller, or its distance in rows
	COLUMN_FRAME,  // of a stack: its frame
	// of a frame: its function; in a Gecko profile, the text with the name and the place
	COLUMN_FUNC,
	COLUMN_NAME, // of a function: the text of its name
	// details of frames, which may be missing
	COLUMN_LINE,
	COLUMN_COLUMN,
	COLUMN_START,       // of a function: its first line
	COLUMN_FILE,        // of a function: the text of its file
	COLUMN_SOURCE,      // of a function: its source
	COLUMN_SOURCE_FILE, // of a source: the text of its file
	COLUMNS
};

#define NONE UINT32_MAX
#define CALL_UNKNOWN UINT32_MAX
#define NO_CELL INT64_MIN

/** The columns of Gecko tables that the reader uses. */
enum firefox_field { FIELD_PREFIX, FIELD_FRAME, FIELD_LOCATION, FIELD_STACK, FIELD_TIME, FIELDS };

static const char *const fields[FIELDS] = {"prefix", "frame", "location", "stack", "time"};

enum { CELLS = 8, MILLION = 1000000 }; // number of columns that are kept of a Gecko table

/** A unit of a thread's weights. */
struct firefox_weight {
	const char *name, *unit;
	int shift; // a count is a weight times this power of ten
};

static const struct firefox_weight weight_types[] = {
	{"samples", "samples", 0}, {"tracing-ms", "nanoseconds", 6}, {"bytes", "bytes", 0}};

/** The tables of a thread, or the tables that all threads share, as columns. */
struct firefox_tables {
	struct ids columns[COLUMNS];
	struct ids strings; // for each text of this table, its id in `texts`
	bool has_offsets, is_gecko;
};

struct firefox_thread {
	struct firefox_tables tables;
	struct buf name, process;
	const struct firefox_weight *type;
	size_t owner;           // index of the thread's process
	struct ids stacks;      // for each sample, its stack
	struct buf weights;     // for each sample, its unscaled weight, a struct decimal; empty:
				// each sample counts 1
	struct buf times;       // for each sample, its time in ns, an int64_t, if the profile keeps
				// times
	size_t times_n;         // number of times in the file
	struct decimal elapsed; // sum of the times between samples
};

struct firefox_process {
	size_t outer;
	struct decimal start; // start of the process, in ns
};

/** A table of a Gecko profile that is being read. */
struct firefox_rows {
	uint64_t schema[FIELDS]; // for each column, its index in a row; UINT64_MAX: the table lacks
				 // the column
	int64_t row[CELLS];      // the cells of the current row, in millionths
	size_t row_n;
	struct buf rows; // all rows so far
};

struct firefox_state {
	STATE_HEAD(struct firefox_options);
	// `inner` parses a thread or a process that is stored as a text
	struct json_places json, inner;
	bool is_inner;
	struct memo names;
	struct intern texts;          // texts of all tables
	struct ids text_frames[2];    // for each text, its frame; the second array is for Gecko
				      // profiles, in which texts end in a place
	struct firefox_tables shared; // tables that all threads share
	struct firefox_thread *threads;
	size_t threads_n, threads_capacity;
	struct firefox_process *processes; // the processes; the first process is the file itself
	size_t processes_n, processes_capacity, process;
	bool in_thread;
	struct firefox_rows gecko;
	struct ids calls, path; // `calls`: for each stack, its call, in the thread that is being
				// counted
	const struct firefox_weight *type; // the unit that is counted; NULL: not known yet
	struct decimal negative;           // sum of the negative weights that were left out
	uint64_t negative_n;
	struct ids labels; // frames for --label-frames, for the current thread
	struct times times;
};

/* --- Where values go ------------------------------------------------------------------------ */

static struct firefox_thread *firefox_last(struct firefox_state *state) {
	return &state->threads[state->threads_n - 1];
}

static struct firefox_tables *firefox_tables(struct firefox_state *state) {
	return state->in_thread ? &firefox_last(state)->tables : &state->shared;
}

static bool firefox_fail(struct firefox_state *state, const char *what, struct str found) {
	if (state->in_thread) {
		run_error(state->run, 0, "thread %zu: %s, found '%s'", state->threads_n, what,
			  quote(found).text);
	} else {
		run_error(state->run, 0, "%s, found '%s'", what, quote(found).text);
	}
	return false;
}

/** Return the array for the column in this place of the file. If the place has no column of
 * numbers, return NULL. */
static struct ids *firefox_column(struct firefox_state *state, unsigned place) {
	size_t column = place == IN_OFFSETS ? COLUMN_PREFIX : place - (size_t)IN_COLUMNS;
	if (place == IN_SAMPLE_STACKS) {
		return &firefox_last(state)->stacks;
	}
	return column < COLUMNS ? &firefox_tables(state)->columns[column] : NULL;
}

/* --- Objects and arrays --------------------------------------------------------------------- */

static void firefox_open_process(struct firefox_state *state) {
	MEM_GROW(state->processes, state->processes_capacity, state->processes_n + 1);
	state->processes[state->processes_n] = (struct firefox_process){.outer = state->process};
	state->process = state->processes_n++;
}

static void firefox_open_thread(struct firefox_state *state) {
	*MEM_APPEND(state->threads, state->threads_n, state->threads_capacity) =
		(struct firefox_thread){.type = &weight_types[0], .owner = state->process};
	state->in_thread = true;
}

/** Begin a column. If a name occurs twice, use the last column, as usual in JSON. */
static void firefox_open_column(struct firefox_state *state, unsigned place) {
	struct ids *column = firefox_column(state, place);
	if (column != NULL) {
		column->n = 0;
	}
	if (place == IN_COLUMNS + COLUMN_PREFIX || place == IN_OFFSETS) {
		firefox_tables(state)->has_offsets = place == IN_OFFSETS;
	} else if (place == IN_STRINGS) {
		firefox_tables(state)->strings.n = 0;
	} else if (place == IN_WEIGHTS) {
		buf_clear(&firefox_last(state)->weights);
	} else if (place == IN_TIMES || place == IN_DELTAS) {
		struct firefox_thread *thread = firefox_last(state);
		buf_clear(&thread->times);
		thread->times_n = 0;
		thread->elapsed = (struct decimal){0, 0};
	}
}

static bool firefox_open(void *memory, unsigned place) {
	struct firefox_state *state = memory;
	switch (place) {
	case JSON_TOP:
		if (!state->is_inner) {
			firefox_open_process(state);
		}
		return true;
	case IN_PROCESS:
		firefox_open_process(state);
		return true;
	case IN_THREAD:
		firefox_open_thread(state);
		return true;
	case IN_STACKS:
	case IN_FRAMES:
	case IN_SAMPLES:
		memset(state->gecko.schema, 0xff, sizeof(state->gecko.schema));
		buf_clear(&state->gecko.rows);
		return true;
	case IN_ROW:
		state->gecko.row_n = 0;
		return true;
	case IN_CELL:
		if (state->gecko.row_n < CELLS) {
			state->gecko.row[state->gecko.row_n++] = NO_CELL;
		}
		return true;
	case IN_WRONG:
		run_error(state->run, 0, "a column has an array or an object in it");
		return false;
	default:
		firefox_open_column(state, place);
		return true;
	}
}

/** Return a cell in a row of a Gecko table, or NO_CELL if the table lacks the column. */
static int64_t firefox_cell(const struct firefox_state *state, size_t row,
			    enum firefox_field field) {
	uint64_t column = state->gecko.schema[field];
	int64_t cell = NO_CELL;
	if (column < CELLS) {
		memcpy(&cell, state->gecko.rows.p + (row * CELLS + column) * sizeof(cell),
		       sizeof(cell));
	}
	return cell;
}

/** Store the cells of a Gecko column in the same array as a column of a processed profile. */
static bool firefox_take_column(struct firefox_state *state, struct ids *column,
				enum firefox_field field) {
	size_t n = state->gecko.rows.n / sizeof(state->gecko.row);
	column->n = 0;
	for (size_t i = 0; i < n; i++) {
		int64_t cell = firefox_cell(state, i, field);
		if (cell != NO_CELL &&
		    (cell < 0 || cell % MILLION != 0 || cell / MILLION >= NONE)) {
			run_error(state->run, 0,
				  "thread %zu: '%s' of row %zu is not a number of a row",
				  state->threads_n, fields[field], i);
			return false;
		}
		ids_push(column, cell == NO_CELL ? NONE : (uint32_t)(cell / MILLION));
	}
	return true;
}

/** Count the time of a sample. If the profile keeps times, store the time, in nanoseconds. */
static void firefox_add_time(struct firefox_state *state, int64_t time) {
	struct firefox_thread *thread = firefox_last(state);
	thread->times_n++;
	if (profile_wants_times(state->run->profile)) {
		buf_add(&thread->times, &time, sizeof(time));
	}
}

/** At the end of a Gecko table, convert its rows to columns. The schema may come after the rows, so
 * this cannot be done earlier. */
static bool firefox_take_rows(struct firefox_state *state, unsigned place) {
	struct firefox_tables *tables = firefox_tables(state);
	size_t n = state->gecko.rows.n / sizeof(state->gecko.row);
	if (n == 0 || !state->in_thread) {
		return true;
	}
	for (size_t i = 0; i < FIELDS; i++) {
		if (state->gecko.schema[i] != UINT64_MAX && state->gecko.schema[i] >= CELLS) {
			run_error(state->run, 0, "thread %zu: the schema has '%s' in column %llu",
				  state->threads_n, fields[i],
				  (unsigned long long)state->gecko.schema[i]);
			return false;
		}
	}
	if (place == IN_STACKS) {
		return firefox_take_column(state, &tables->columns[COLUMN_PREFIX], FIELD_PREFIX) &&
		       firefox_take_column(state, &tables->columns[COLUMN_FRAME], FIELD_FRAME);
	}
	if (place == IN_FRAMES) {
		tables->is_gecko = true;
		return firefox_take_column(state, &tables->columns[COLUMN_FUNC], FIELD_LOCATION);
	}
	firefox_open_column(state, IN_TIMES);
	for (size_t i = 0; i < n && state->gecko.schema[FIELD_TIME] < CELLS; i++) {
		int64_t time = firefox_cell(state, i, FIELD_TIME);
		firefox_add_time(state, time == NO_CELL ? 0 : time);
	}
	return firefox_take_column(state, &firefox_last(state)->stacks, FIELD_STACK);
}

static bool firefox_close(void *memory, unsigned place) {
	struct firefox_state *state = memory;
	switch (place) {
	case IN_PROCESS:
		state->process = state->processes[state->process].outer;
		return true;
	case IN_THREAD:
		state->in_thread = false;
		return true;
	case IN_STACKS:
	case IN_FRAMES:
	case IN_SAMPLES:
		return firefox_take_rows(state, place);
	case IN_ROW:
		while (state->gecko.row_n < CELLS) {
			state->gecko.row[state->gecko.row_n++] = NO_CELL;
		}
		buf_add(&state->gecko.rows, state->gecko.row, sizeof(state->gecko.row));
		return true;
	default:
		return true;
	}
}

/* --- Values, as they come ------------------------------------------------------------------- */

/** Read a thread or a process that is stored as a text, as early versions of Firefox wrote them. */
static bool firefox_read_text(struct firefox_state *state, unsigned place, enum json_kind kind,
			      struct str text) {
	if (kind == JSON_MISSING) {
		return true;
	}
	if (kind != JSON_STRING || state->is_inner) {
		return firefox_fail(state, "expected a thread or a process", text);
	}
	struct str parts[] = {place == IN_THREADS ? STR("{\"threads\":[") : STR("{\"processes\":["),
			      text, STR("]}")};
	enum { PARTS = sizeof(parts) / sizeof(parts[0]) };
	bool good = true;
	state->is_inner = true;
	for (size_t i = 0; i < PARTS && good; i++) {
		struct block block = {parts[i], i == 0, i + 1 == PARTS};
		good = json_places_block(&state->inner, state->json.calls, state, &block,
					 "a thread") == 0;
	}
	state->is_inner = false;
	return good;
}

/** Return whether a column has details of frames. Bad details are left out, without an error. */
static bool firefox_is_detail(unsigned place) {
	return place >= IN_COLUMNS + COLUMN_LINE;
}

/** Read the number of a row, or a detail of a frame. The value null stands for no row or detail.
 * The value -1 does so, too, except for the stack of a sample. */
static bool firefox_read_index(struct firefox_state *state, unsigned place, struct ids *column,
			       enum json_kind kind, struct str text) {
	uint64_t number = NONE;
	bool is_none = kind == JSON_MISSING || (kind == JSON_NUMBER && place != IN_SAMPLE_STACKS &&
						str_eq(text, STR("-1")));
	if (!is_none && (kind != JSON_NUMBER || !num_parse_u64(text, &number) || number >= NONE)) {
		if (!firefox_is_detail(place)) {
			return firefox_fail(state, "expected the number of a row", text);
		}
		number = NONE;
	}
	ids_push(column, (uint32_t)number);
	return true;
}

/** Return the id of a text. Add the text if it is new. */
static uint32_t firefox_text(struct firefox_state *state, struct str text) {
	uint32_t id = intern_get(&state->texts, text.p, text.n)->id;
	while (state->text_frames[0].n < state->texts.count) {
		ids_push(&state->text_frames[0], NONE);
		ids_push(&state->text_frames[1], NONE);
	}
	return id;
}

static bool firefox_read_weight(struct firefox_state *state, enum json_kind kind, struct str text) {
	struct decimal weight;
	if (kind != JSON_NUMBER || !decimal_parse(text, 0, &weight)) {
		return firefox_fail(state, "expected a weight below 2^62", text);
	}
	buf_add(&firefox_last(state)->weights, &weight, sizeof(weight));
	return true;
}

/** Read the time of a sample, or the time since the previous sample, in milliseconds. */
static bool firefox_read_time(struct firefox_state *state, unsigned place, enum json_kind kind,
			      struct str text) {
	struct decimal time = {0, 0};
	struct decimal *sum = &firefox_last(state)->elapsed;
	enum { TO_NS = 6 };
	if (kind != JSON_MISSING && (kind != JSON_NUMBER || !decimal_parse(text, TO_NS, &time) ||
				     (place == IN_DELTAS && !decimal_add(sum, time)))) {
		return firefox_fail(state, "expected a time in milliseconds", text);
	}
	firefox_add_time(state, place == IN_DELTAS ? sum->whole : time.whole);
	return true;
}

static bool firefox_read_weight_type(struct firefox_state *state, struct str text) {
	for (size_t i = 0; i < sizeof(weight_types) / sizeof(weight_types[0]); i++) {
		if (str_eq(text, str_of(weight_types[i].name))) {
			firefox_last(state)->type = &weight_types[i];
			return true;
		}
	}
	return firefox_fail(state, "expected the weightType samples, tracing-ms or bytes", text);
}

static bool firefox_read_schema(struct firefox_state *state, struct str key, enum json_kind kind,
				struct str text) {
	for (size_t i = 0; i < FIELDS; i++) {
		if (str_eq(key, str_of(fields[i]))) {
			return (kind == JSON_NUMBER &&
				num_parse_u64(text, &state->gecko.schema[i])) ||
			       firefox_fail(state, "expected the number of a column", text);
		}
	}
	return true;
}

/** Read a cell in a row of a Gecko table. Use only cells with numbers. */
static void firefox_read_cell(struct firefox_state *state, enum json_kind kind, struct str text) {
	struct decimal cell;
	enum { TO_MILLIONTHS = 6 };
	if (state->gecko.row_n < CELLS) {
		bool good = kind == JSON_NUMBER && decimal_parse(text, TO_MILLIONTHS, &cell);
		state->gecko.row[state->gecko.row_n++] = good ? cell.whole : NO_CELL;
	}
}

static void firefox_read_thread(struct firefox_state *state, struct str key, enum json_kind kind,
				struct str text) {
	struct firefox_thread *thread = firefox_last(state);
	struct buf *into = str_eq(key, STR("name"))          ? &thread->name
			   : str_eq(key, STR("processName")) ? &thread->process
							     : NULL;
	if (into != NULL && kind == JSON_STRING) {
		buf_set_str(into, text);
	}
}

static bool firefox_value(void *memory, unsigned place, struct str key, enum json_kind kind,
			  struct str text) {
	struct firefox_state *state = memory;
	struct ids *column = firefox_column(state, place);
	enum { TO_NS = 6 };
	if (column != NULL) {
		return firefox_read_index(state, place, column, kind, text);
	}
	switch (place) {
	case IN_META:
		return !str_eq(key, STR("startTime")) ||
		       decimal_parse(text, TO_NS, &state->processes[state->process].start) ||
		       firefox_fail(state, "expected a startTime in milliseconds", text);
	case IN_PROCESSES:
	case IN_THREADS:
		return firefox_read_text(state, place, kind, text);
	case IN_THREAD:
		firefox_read_thread(state, key, kind, text);
		return true;
	case IN_STRINGS:
		ids_push(&firefox_tables(state)->strings,
			 kind == JSON_STRING ? firefox_text(state, text) : NONE);
		return true;
	case IN_SAMPLES:
		return !str_eq(key, STR("weightType")) || firefox_read_weight_type(state, text);
	case IN_WEIGHTS:
		return firefox_read_weight(state, kind, text);
	case IN_TIMES:
	case IN_DELTAS:
		return firefox_read_time(state, place, kind, text);
	case IN_SCHEMA:
		return firefox_read_schema(state, key, kind, text);
	case IN_ROW:
		firefox_read_cell(state, kind, text);
		return true;
	default:
		return true;
	}
}

static bool firefox_integers(void *memory, unsigned place, const uint64_t *items, size_t n) {
	struct firefox_state *state = memory;
	struct ids *column = firefox_column(state, place);
	bool good = true;
	for (size_t i = 0; i < n && good; i++) {
		char text[NUM_U64_MAX];
		if (column != NULL && items[i] < NONE) {
			ids_push(column, (uint32_t)items[i]);
		} else if (place == IN_ROW && items[i] < NONE && state->gecko.row_n < CELLS) {
			state->gecko.row[state->gecko.row_n++] = (int64_t)items[i] * MILLION;
		} else {
			struct str number = {text, num_format_u64(text, items[i])};
			good = firefox_value(state, place, STR(""), JSON_NUMBER, number);
		}
	}
	return good;
}

/* --- Stacks, at the end of a file ----------------------------------------------------------- */

/** The tables with the stacks, frames, functions and texts of a thread, and the fault of a sample.
 * Each table belongs to the thread or, if the thread has no such table, to all threads. */
struct firefox_view {
	const struct firefox_tables *stacks, *frames, *funcs, *strings;
	bool is_shared;           // all tables are shared
	const char *what, *fault; // `what` has a fault; NULL: no fault
	uint32_t missing;         // number of the missing row
};

static struct firefox_view firefox_view(const struct firefox_state *state,
					const struct firefox_thread *thread) {
	const struct firefox_tables *own = &thread->tables, *shared = &state->shared;
	struct firefox_view view = {.stacks = own->columns[COLUMN_FRAME].n > 0 ||
							      own->columns[COLUMN_PREFIX].n > 0
						      ? own
						      : shared,
				    .frames = own->columns[COLUMN_FUNC].n > 0 ? own : shared,
				    .funcs = own->columns[COLUMN_NAME].n > 0 ? own : shared,
				    .strings = own->strings.n > 0 ? own : shared};
	view.is_shared = view.stacks == shared && view.frames == shared && view.funcs == shared &&
			 view.strings == shared;
	return view;
}

/** Remember a fault, unless one is remembered already. */
static void firefox_fault(struct firefox_view *view, const char *what, uint32_t number,
			  const char *fault) {
	if (view->what == NULL) {
		view->what = what;
		view->fault = fault;
		view->missing = number;
	}
}

/** Return the cell `number` of a column. If there is no such cell, note the fault and return
 * NONE. */
static uint32_t firefox_get(struct firefox_view *view, const struct ids *column, uint32_t number,
			    const char *what) {
	if (number >= column->n) {
		firefox_fault(view, what, number, "is not there");
		return NONE;
	}
	return column->items[number];
}

/** Return a cell of a column, or NONE if the cell is missing. */
static uint32_t firefox_detail(const struct ids *column, uint32_t row) {
	return row < column->n ? column->items[row] : NONE;
}

/** Return a cell of a column with lines or columns of the source, or 0 if the cell is missing. */
static uint64_t firefox_place_number(const struct ids *column, uint32_t row) {
	uint32_t number = firefox_detail(column, row);
	return number == NONE ? 0 : number;
}

/** Return the file of a function of a processed profile, or an empty text if the file is not known.
 */
static struct str firefox_file(const struct firefox_state *state, const struct firefox_view *view,
			       uint32_t function) {
	const struct firefox_tables *funcs = view->funcs;
	uint32_t source = firefox_detail(&funcs->columns[COLUMN_SOURCE], function);
	uint32_t file =
		source == NONE ? firefox_detail(&funcs->columns[COLUMN_FILE], function)
			       : firefox_detail(&state->shared.columns[COLUMN_SOURCE_FILE], source);
	uint32_t text = firefox_detail(&view->strings->strings, file);
	return text == NONE ? STR("") : intern_str(state->texts.keys[text]);
}

/** Remove a number and the colon before it from the end of a place. Set `*number` to the number.
 * Return whether there was one. */
static bool firefox_cut_number(struct str *place, uint64_t *number) {
	size_t at = str_find_last(*place, ':');
	if (at == STR_NONE || at == 0 || !num_parse_u64(str_from(*place, at + 1), number)) {
		return false;
	}
	*place = str_to(*place, at);
	return true;
}

/** Set `name` and `place` to the parts of a Gecko frame of a script: "f (file.js:1:2)[3]", or only
 * "file.js:1:2" for the code outside of functions. [3] is the number of the script. Return false
 * for other frames. */
static bool firefox_cut_script(struct str full, struct str *name, struct frame_place *place) {
	size_t at = str_ends(full, STR("]")) ? str_find_last(full, '[') : STR_NONE;
	uint64_t last, line;
	if (at != STR_NONE && num_parse_u64(str_from(str_to(full, full.n - 1), at + 1), &last)) {
		full = str_to(full, at);
	}
	bool in_function = str_ends(full, STR(")"));
	at = in_function ? str_find_last_str(full, STR(" (")) : 0;
	if (at == STR_NONE) {
		return false;
	}
	struct str file = in_function ? str_from(str_to(full, full.n - 1), at + 2) : full;
	if (!firefox_cut_number(&file, &last)) {
		return false;
	}
	bool has_column = firefox_cut_number(&file, &line);
	*name = str_to(full, at);
	at = str_find_last_str(file, STR(" -> ")); // the loader's file, and the loaded one
	*place = (struct frame_place){.file = at == STR_NONE ? file : str_from(file, at + 4),
				      .line = has_column ? line : last,
				      .column = has_column ? last : 0};
	return true;
}

/** Return the name of a Gecko frame of native code: "f" for "f (in file)", which an offset or a
 * place may follow. */
static struct str firefox_cut_native(struct str full) {
	size_t at = str_find_last_str(full, STR(" (in "));
	struct str rest = at == STR_NONE ? STR("") : str_from(full, at);
	size_t end = str_find(rest, ')');
	rest = end == STR_NONE ? STR("") : str_from(rest, end);
	bool is_native = str_eq(rest, STR(")")) || str_starts(rest, STR(") + ")) ||
			 (str_starts(rest, STR(") (")) && str_ends(rest, STR(")")));
	return is_native ? str_to(full, at) : full;
}

/** Return the frame of the name of a Gecko frame, without its place. */
static uint32_t firefox_gecko_frame(struct firefox_state *state, struct str full) {
	struct frame_place place;
	struct str name = firefox_cut_native(full);
	bool is_script = name.n == full.n && firefox_cut_script(full, &name, &place);
	if (!is_script || name.n > 0) {
		return text_frame(state->run, &state->names, name);
	}
	struct buf text = {0}; // as Firefox names the code outside of functions
	buf_add_text(&text, "(root scope) ");
	buf_add_str(&text, place.file);
	uint32_t frame = text_frame(state->run, &state->names, buf_str(&text));
	buf_release(&text);
	return frame;
}

/** Return the frame `name` or, if the profile keeps sites, its site. `number` is the frame's row,
 * and `text` the id of its text. */
static uint32_t firefox_site(struct firefox_state *state, const struct firefox_view *view,
			     uint32_t number, uint32_t text, uint32_t name) {
	const struct firefox_tables *frames = view->frames;
	uint32_t function = firefox_detail(&frames->columns[COLUMN_FUNC], number);
	struct frame_place place = {
		.file = frames->is_gecko ? STR("") : firefox_file(state, view, function),
		.line = firefox_place_number(&frames->columns[COLUMN_LINE], number),
		.column = firefox_place_number(&frames->columns[COLUMN_COLUMN], number),
		.start_line = firefox_place_number(&view->funcs->columns[COLUMN_START], function)};
	struct str name_of_script;
	if (frames->is_gecko &&
	    !firefox_cut_script(intern_str(state->texts.keys[text]), &name_of_script, &place)) {
		place = (struct frame_place){0};
	}
	return run_site(state->run, name, &place);
}

/** Return the frame of a row of the table of frames. If a part of the row is missing, note the
 * fault in `view`, and return NONE. */
static uint32_t firefox_frame(struct firefox_state *state, struct firefox_view *view,
			      uint32_t number) {
	bool is_gecko = view->frames->is_gecko;
	uint32_t name = firefox_get(view, &view->frames->columns[COLUMN_FUNC], number, "frame");
	if (view->what == NULL && !is_gecko) {
		name = firefox_get(view, &view->funcs->columns[COLUMN_NAME], name, "function");
	}
	uint32_t text = view->what != NULL
				? NONE
				: firefox_get(view, &view->strings->strings, name, "string");
	if (view->what == NULL && text == NONE) {
		firefox_fault(view, "string", name, "is not a text");
	}
	if (view->what != NULL) {
		return NONE;
	}
	uint32_t *frame = &state->text_frames[is_gecko].items[text];
	if (*frame == NONE) {
		struct str full = intern_str(state->texts.keys[text]);
		full = full.n > 0 ? full : STR("[unknown]");
		*frame = is_gecko ? firefox_gecko_frame(state, full)
				  : text_frame(state->run, &state->names, full);
	}
	return firefox_site(state, view, number, text, *frame);
}

/** Return the stack of the caller. If there is no caller, return NONE. If a row is missing, note
 * the fault in `view`, and return NONE. */
static uint32_t firefox_prefix(struct firefox_view *view, uint32_t stack) {
	uint32_t prefix = firefox_get(view, &view->stacks->columns[COLUMN_PREFIX], stack, "stack");
	if (view->what != NULL || !view->stacks->has_offsets || prefix == NONE) {
		return prefix;
	}
	if (prefix > stack) {
		firefox_fault(view, "stack", stack, "has a prefixOffset beyond the first stack");
	}
	return prefix == 0 || prefix > stack ? NONE : stack - prefix;
}

/** Return the call of the last root frame for --label-frames. */
static uint32_t firefox_root(struct firefox_state *state) {
	uint32_t call = TIMES_ROOT;
	for (size_t i = 0; i < state->labels.n; i++) {
		call = times_call(&state->times, call, state->labels.items[i]);
	}
	return call;
}

/** Return the call in which a stack ends. If a row is missing, note the fault in `view`, and return
 * CALL_UNKNOWN. */
static uint32_t firefox_call_of(struct firefox_state *state, struct firefox_view *view,
				uint32_t stack) {
	uint32_t at = stack, call = CALL_UNKNOWN;
	state->path.n = 0;
	view->what = NULL;
	while (at != NONE && view->what == NULL && call == CALL_UNKNOWN) {
		call = firefox_get(view, &state->calls, at, "stack");
		if (view->what == NULL && call == CALL_UNKNOWN) {
			ids_push(&state->path, at);
			at = firefox_prefix(view, at);
		}
		if (state->path.n > state->calls.n) {
			firefox_fault(view, "stack", at, "is its own caller");
		}
	}
	call = call == CALL_UNKNOWN ? firefox_root(state) : call;
	while (state->path.n > 0 && view->what == NULL) {
		at = state->path.items[--state->path.n];
		uint32_t number =
			firefox_get(view, &view->stacks->columns[COLUMN_FRAME], at, "stack");
		uint32_t frame = view->what == NULL ? firefox_frame(state, view, number) : NONE;
		if (view->what == NULL) {
			call = times_call(&state->times, call, frame);
			state->calls.items[at] = call;
		}
	}
	return view->what == NULL ? call : CALL_UNKNOWN;
}

/* --- Samples, at the end of a file ---------------------------------------------------------- */

static struct str firefox_name(const struct firefox_thread *thread) {
	return buf_str(&thread->name);
}

/** Return the time of a sample, in ns since the start of the file's first process, or 0 if the time
 * is earlier. */
static int64_t firefox_time(const struct firefox_state *state, const struct firefox_thread *thread,
			    size_t sample) {
	int64_t time;
	struct decimal sum =
		decimal_minus(state->processes[thread->owner].start, state->processes[0].start);
	memcpy(&time, thread->times.p + sample * sizeof(time), sizeof(time));
	return !decimal_add(&sum, (struct decimal){time, 0}) || sum.whole < 0 ? 0 : sum.whole;
}

static int firefox_too_large(struct firefox_state *state, const struct firefox_thread *thread) {
	return run_error(state->run, 0, "thread '%s': a weight is too large",
			 quote(firefox_name(thread)).text);
}

/** Add a weight to the count of a call, and pass the time of the sample to the profile. */
static void firefox_count(struct firefox_state *state, const struct firefox_thread *thread,
			  size_t sample, uint32_t call, struct decimal weight) {
	struct profile *profile = state->run->profile;
	if (profile_wants_times(profile) && thread->times_n > 0) {
		uint64_t from = (uint64_t)firefox_time(state, thread, sample), to = from;
		uint64_t counts = (uint64_t)weight.whole + (weight.whole == 0);
		if (state->type->shift > 0 && !state->options->samples) {
			to += counts;
		}
		times_weight(&state->times, profile, call, firefox_name(thread), from, to, counts);
	}
	times_add(&state->times, profile, call, weight);
}

/** Compute the count of a sample from its weight. Return false if the count is too large. */
static bool firefox_weigh(const struct firefox_state *state, const struct firefox_thread *thread,
			  size_t sample, struct decimal *weight) {
	*weight = (struct decimal){1, 0};
	if (thread->weights.n > 0 && !state->options->samples) {
		memcpy(weight, thread->weights.p + sample * sizeof(*weight), sizeof(*weight));
	}
	return state->options->samples || decimal_shift(weight, (unsigned)thread->type->shift);
}

/** Count a sample. Return 0, or -1 if the run must end. */
static int firefox_count_sample(struct firefox_state *state, const struct firefox_thread *thread,
				struct firefox_view *view, size_t sample) {
	struct decimal weight;
	uint32_t stack = thread->stacks.items[sample];
	if (stack == NONE) {
		return 0;
	}
	if (!firefox_weigh(state, thread, sample, &weight)) {
		return firefox_too_large(state, thread);
	}
	if (weight.whole < 0) {
		state->negative_n++;
		return decimal_add(&state->negative, weight) ? 0 : firefox_too_large(state, thread);
	}
	uint32_t call = firefox_call_of(state, view, stack);
	if (call == CALL_UNKNOWN) {
		return run_bad(state->run, 0, "thread '%s': sample %zu: %s %lu %s",
			       quote(firefox_name(thread)).text, sample + 1, view->what,
			       (unsigned long)view->missing, view->fault);
	}
	if (weight.whole > 0 || weight.part > 0) {
		firefox_count(state, thread, sample, call, weight);
	}
	return 0;
}

/** Set the root frames for --label-frames. */
static void firefox_set_labels(struct firefox_state *state, const struct firefox_thread *thread) {
	const struct opt_list *keys = &state->options->label_frames;
	state->labels.n = 0;
	for (size_t i = 0; i < keys->n; i++) {
		struct buf text = {0};
		const struct buf *label = strcmp(keys->items[i], "thread") == 0 ? &thread->name
					  : strcmp(keys->items[i], "process") == 0
						  ? &thread->process
						  : &text;
		if (label->n > 0) {
			buf_add_str(&text, buf_str(label));
		} else {
			buf_printf(&text, "(no %s)", keys->items[i]);
		}
		ids_push(&state->labels, text_frame(state->run, &state->names, buf_str(&text)));
		buf_release(&text);
	}
}

/** Check that all columns of samples that the file has are equally long. */
static int firefox_check_samples(struct firefox_state *state, const struct firefox_thread *thread) {
	size_t n = thread->stacks.n, weights = thread->weights.n / sizeof(struct decimal);
	bool bad_weights = weights > 0 && weights != n;
	return !bad_weights && (thread->times_n == 0 || thread->times_n == n)
		       ? 0
		       : run_error(state->run, 0, "thread '%s': %zu samples have %zu %s",
				   quote(firefox_name(thread)).text, n,
				   bad_weights ? weights : thread->times_n,
				   bad_weights ? "weights" : "times");
}

/** Count a thread. Return 0, or -1 if the run must end. */
static int firefox_count_thread(struct firefox_state *state, const struct firefox_thread *thread) {
	struct firefox_view view = firefox_view(state, thread);
	if (firefox_check_samples(state, thread) != 0) {
		return -1;
	}
	firefox_set_labels(state, thread);
	if (!view.is_shared || state->labels.n > 0) {
		state->calls.n = 0;
	}
	while (state->calls.n < view.stacks->columns[COLUMN_PREFIX].n) {
		ids_push(&state->calls, CALL_UNKNOWN);
	}
	state->run->samples += thread->stacks.n;
	for (size_t i = 0; i < thread->stacks.n; i++) {
		if (firefox_count_sample(state, thread, &view, i) != 0) {
			return -1;
		}
	}
	if (!view.is_shared) {
		state->calls.n = 0;
	}
	return 0;
}

/** Warn about negative weights that were left out. Return 0, or -1 if the run must end. */
static int firefox_tell_negative(struct firefox_state *state) {
	struct decimal sum = decimal_minus((struct decimal){0, 0}, state->negative);
	uint64_t n = state->negative_n;
	state->negative_n = 0;
	state->negative = (struct decimal){0, 0};
	return n == 0 ? 0
		      : run_warn(state->run, 0, "left out %llu negative values, -%llu in all",
				 (unsigned long long)n, (unsigned long long)decimal_round(sum));
}

static void firefox_forget_tables(struct firefox_tables *tables) {
	for (size_t i = 0; i < COLUMNS; i++) {
		ids_release(&tables->columns[i]);
	}
	ids_release(&tables->strings);
	*tables = (struct firefox_tables){0};
}

static void firefox_forget_file(struct firefox_state *state) {
	for (size_t i = 0; i < state->threads_n; i++) {
		struct firefox_thread *thread = &state->threads[i];
		firefox_forget_tables(&thread->tables);
		buf_release(&thread->name);
		buf_release(&thread->process);
		ids_release(&thread->stacks);
		buf_release(&thread->weights);
		buf_release(&thread->times);
	}
	firefox_forget_tables(&state->shared);
	state->threads_n = state->processes_n = state->process = state->calls.n = 0;
}

/** Count the threads of a file. Return 0, or -1 if the run must end. */
static int firefox_end_file(struct firefox_state *state) {
	int result = 0;
	for (size_t i = 0; i < state->threads_n && result == 0; i++) {
		const struct firefox_thread *thread = &state->threads[i];
		if (thread->stacks.n == 0) {
			continue;
		}
		state->type = state->type == NULL ? thread->type : state->type;
		result = thread->type == state->type || state->options->samples
				 ? firefox_count_thread(state, thread)
				 : run_warn(state->run, 0,
					    "left out the thread '%s', which counts %s, not %s",
					    quote(firefox_name(thread)).text, thread->type->unit,
					    state->type->unit);
	}
	firefox_forget_file(state);
	return result == 0 ? firefox_tell_negative(state) : result;
}

/* --- The collapser -------------------------------------------------------------------------- */

static const struct json_rule rules[] = {
	{IN_ROWS, NULL, IN_ROW},
	{IN_ROW, NULL, IN_CELL},
	{JSON_TOP, "meta", IN_META},
	{JSON_TOP, "shared", IN_SHARED},
	{JSON_TOP, "threads", IN_THREADS},
	{JSON_TOP, "processes", IN_PROCESSES},
	{IN_PROCESSES, NULL, IN_PROCESS},
	{IN_PROCESS, "meta", IN_META},
	{IN_PROCESS, "threads", IN_THREADS},
	{IN_PROCESS, "processes", IN_PROCESSES},
	{IN_THREADS, NULL, IN_THREAD},
	{IN_SHARED, "stringArray", IN_STRINGS},
	{IN_SHARED, "stackTable", IN_STACKS},
	{IN_SHARED, "frameTable", IN_FRAMES},
	{IN_SHARED, "funcTable", IN_FUNCS},
	{IN_SHARED, "sources", IN_SOURCES},
	{IN_THREAD, "stringArray", IN_STRINGS},
	{IN_THREAD, "stringTable", IN_STRINGS},
	{IN_THREAD, "stackTable", IN_STACKS},
	{IN_THREAD, "frameTable", IN_FRAMES},
	{IN_THREAD, "funcTable", IN_FUNCS},
	{IN_THREAD, "samples", IN_SAMPLES},
	{IN_STACKS, "prefix", IN_COLUMNS + COLUMN_PREFIX},
	{IN_STACKS, "prefixOffset", IN_OFFSETS},
	{IN_STACKS, "frame", IN_COLUMNS + COLUMN_FRAME},
	{IN_STACKS, "schema", IN_SCHEMA},
	{IN_STACKS, "data", IN_ROWS},
	{IN_FRAMES, "func", IN_COLUMNS + COLUMN_FUNC},
	{IN_FRAMES, "schema", IN_SCHEMA},
	{IN_FRAMES, "data", IN_ROWS},
	{IN_FRAMES, "line", IN_COLUMNS + COLUMN_LINE},
	{IN_FRAMES, "column", IN_COLUMNS + COLUMN_COLUMN},
	{IN_FUNCS, "name", IN_COLUMNS + COLUMN_NAME},
	{IN_FUNCS, "lineNumber", IN_COLUMNS + COLUMN_START},
	{IN_FUNCS, "fileName", IN_COLUMNS + COLUMN_FILE},
	{IN_FUNCS, "source", IN_COLUMNS + COLUMN_SOURCE},
	{IN_SOURCES, "filename", IN_COLUMNS + COLUMN_SOURCE_FILE},
	{IN_SAMPLES, "stack", IN_SAMPLE_STACKS},
	{IN_SAMPLES, "weight", IN_WEIGHTS},
	{IN_SAMPLES, "time", IN_TIMES},
	{IN_SAMPLES, "timeDeltas", IN_DELTAS},
	{IN_SAMPLES, "schema", IN_SCHEMA},
	{IN_SAMPLES, "data", IN_ROWS},
	{IN_STRINGS, NULL, IN_WRONG},
	{IN_COLUMNS + COLUMN_PREFIX, NULL, IN_WRONG},
	{IN_OFFSETS, NULL, IN_WRONG},
	{IN_COLUMNS + COLUMN_FRAME, NULL, IN_WRONG},
	{IN_COLUMNS + COLUMN_FUNC, NULL, IN_WRONG},
	{IN_COLUMNS + COLUMN_NAME, NULL, IN_WRONG},
	{IN_SAMPLE_STACKS, NULL, IN_WRONG},
	{IN_WEIGHTS, NULL, IN_WRONG},
	{IN_TIMES, NULL, IN_WRONG},
	{IN_DELTAS, NULL, IN_WRONG},
	{JSON_NOWHERE, NULL, JSON_NOWHERE},
};

static const struct json_places_calls calls = {rules, firefox_open, firefox_close, firefox_value,
					       .integers = firefox_integers};

static int firefox_block(void *memory, const struct block *block) {
	struct firefox_state *state = memory;
	int result = json_places_block(&state->json, &calls, state, block, "a profile of Firefox");
	return result == 0 && block->last ? firefox_end_file(state) : result;
}

static void firefox_find_unit(const void *memory, struct buf *unit) {
	const struct firefox_state *state = memory;
	buf_add_text(unit, state->type == NULL || state->options->samples ? weight_types[0].unit
									  : state->type->unit);
}

static void firefox_finish(void *memory) {
	struct firefox_state *state = memory;
	state->run->tallies[TALLY_VANISHED] = times_finish(&state->times, state->run->profile);
}

static void firefox_release(void *memory) {
	struct firefox_state *state = memory;
	firefox_forget_file(state);
	json_places_release(&state->json);
	json_places_release(&state->inner);
	memo_release(&state->names);
	intern_release(&state->texts);
	ids_release(&state->text_frames[0]);
	ids_release(&state->text_frames[1]);
	ids_release(&state->calls);
	ids_release(&state->path);
	ids_release(&state->labels);
	buf_release(&state->gecko.rows);
	times_release(&state->times);
	free(state->threads);
	free(state->processes);
}

static int firefox_sniff(struct str bytes, bool whole) {
	if (!str_starts(str_trim_start(bytes), STR("{"))) {
		return SNIFF_NO;
	}
	if (str_has(bytes, STR("\"preprocessedProfileVersion\""))) {
		return 2 * SNIFF_MAGIC;
	}
	if (str_has(bytes, STR("stackTable")) && str_has(bytes, STR("frameTable"))) {
		return SNIFF_MAGIC + SNIFF_SHAPE;
	}
	return whole ? SNIFF_NO : SNIFF_MORE;
}

static const struct opt options[] = {
	{OPT_IS_LIST(struct firefox_options, label_frames), .name = "label-frames", .value = "KEY",
	 .help = "add the name of the thread (KEY: thread) or of the process (KEY: "
		 "process) as a root frame"},
	{OPT_IS_BOOL(struct firefox_options, samples), .name = "samples",
	 .help = "count samples, not their weights"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"", "weight", NULL, NULL},
	{"samples", "samples", NULL, "samples"},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"samply record --save-only -o app.json.gz ./app", "sample a program with samply"},
	{"inferno collapse firefox app.json.gz > app.folded", "fold the profile"},
	{"inferno collapse firefox --label-frames thread app.json.gz", "tell threads apart"},
	{NULL, NULL},
};

const struct collapser collapse_firefox = {
	.name = "firefox",
	.brief = "fold profiles of the Firefox Profiler and samply",
	.about =
		"Reads the JSON of the Firefox Profiler: processed profiles of all versions, which "
		"samply and the profiler's page save, and Gecko profiles, which Firefox writes. "
		"All threads are added up. A sample counts its weight, or 1. Threads that count "
		"something other than the first thread does are left out with a warning. Samples "
		"without a stack are left out, as in the Firefox Profiler.",
	.examples = examples,
	.options = {options, sizeof(struct firefox_options)},
	.values = values,
	.state_size = sizeof(struct firefox_state),
	.flags = FORMAT_ANY_CUT,
	.sniff = firefox_sniff,
	.block = firefox_block,
	.find_unit = firefox_find_unit,
	.finish = firefox_finish,
	.release = firefox_release,
	.tallies = {[TALLY_VANISHED] = "stacks that count 0, being less than half a unit"},
	.expects = "a profile of Firefox, with samples",
};
