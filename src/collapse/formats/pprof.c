/*
 * pprof: profiles in the protocol buffers of pprof, which many programs write, for example programs
 * in Go. This format also includes the older CPU profiles and contention profiles of gperftools,
 * because pprof reads them, too.
 *
 * Fields may come in any order. Samples often come before their locations, functions and strings.
 * So the bytes of samples are kept until the file ends.
 */
#include <stdlib.h>

#include "base/regexp.h"
#include "base/utf8.h"
#include "collapse/collapser.h"
#include "collapse/native.h"
#include "collapse/pprof_legacy.h"
#include "collapse/text.h"
#include "collapse/wire.h"
#include "profile/unit.h"

struct pprof_options {
	struct opt_list label_frames;
	const char *sample_type;
	struct native_options native;
};

/** A range of items in `lines` or in `frames`. */
struct pprof_span {
	size_t at, n;
};

/** The source line and column at which a function calls the next function. Places are kept only if
 * the profile keeps sites. */
struct pprof_place {
	uint64_t line, column;
};

struct pprof_places {
	struct pprof_place *items;
	size_t n, capacity;
};

struct pprof_location {
	uint64_t mapping, address;
	struct pprof_span lines;  // ids of functions, innermost first
	struct pprof_span frames; // frames of the location, outermost first; set at the end of the
				  // file
	bool pruned;              // the outermost function is dropped
	bool pruned_beneath;      // an inner function is dropped
};

struct pprof_function {
	uint64_t name, system_name, file, start_line;
	uint32_t frame;  // frame of the function; set at the end of the file
	bool is_dropped; // the function is dropped; set at the end of the file
};

struct pprof_mapping {
	uint64_t start, end, offset;
	uint64_t file, build_id; // indices of strings
};

/** A pattern for names of frames to drop, or to keep. */
struct pprof_pattern {
	struct regexp regexp;
	uint64_t text; // index of the pattern's string; 0: no pattern
	bool is_set;
};

struct pprof_prune {
	struct pprof_pattern dropped, kept;
};

/** A map from ids to indexes. In most files, ids count from 1. */
struct pprof_ids {
	uint32_t *places; // for each small id, 1 + its index; 0: the id has no index
	size_t n, capacity;
	struct intern others; // keys are larger ids; the value is 1 + the index
	uint32_t count;
};

/** The bytes of samples as in the file. The length of each sample comes before its bytes. */
struct pprof_samples {
	struct buf bytes;
	uint64_t n;
	size_t values;      // number of values of each sample
	struct intern keys; // indices of strings: keys of labels that are not kept
};

/** The largest index of a string that the file uses, and the kind of the item that uses it. */
struct pprof_largest {
	uint64_t index;
	const char *what;
};

/** The sample that is being read. */
struct pprof_sample {
	struct number_list locations, values, labels;
};

/** The number of negative values that were left out, and the sum of their absolute values. */
struct pprof_negative {
	uint64_t n, sum;
};

/** The settings of the profiler: the period, its unit, the start and the duration. */
struct pprof_period {
	uint64_t type, unit; // indices of strings
	uint64_t n, start, duration;
};

/** The contents of a file, as numbers. */
struct pprof_file {
	struct input *input;
	uint64_t at; // number of bytes that were read
	struct buf field;
	struct buf texts;             // all strings, one after another
	struct number_list text_ends; // for each string, its end in `texts`
	struct pprof_largest largest;
	struct number_list types; // for each type of value, the strings of the type and of the unit
	struct pprof_ids locations, functions, mappings;
	struct pprof_location *location_items;
	size_t locations_capacity;
	struct pprof_function *function_items;
	size_t functions_capacity;
	struct pprof_mapping *mapping_items;
	size_t mappings_capacity;
	struct number_list lines;
	struct pprof_places places; // place of each line
	struct pprof_samples samples;
	struct pprof_sample sample;
	struct number_list sums; // sum of each type of value
	struct pprof_negative negative;
	struct pprof_period period;
	uint64_t default_type;
	struct pprof_prune prune;
};

struct pprof_state {
	STATE_HEAD(struct pprof_options);
	struct memo names;
	bool has_unit;
	struct buf unit; // unit of the counts
	struct pprof_file file;
	struct native *native; // NULL: no file was read yet
	struct pprof_legacy legacy;
	struct ids frames, stack;
};

/* --- Messages ------------------------------------------------------------------------------- */

static int pprof_fail(struct pprof_state *state, struct diag *diag, const char *what) {
	return diag_error(diag, "%s: %s before byte %llu: not a profile of pprof, or damaged",
			  input_name(state->file.input), what, (unsigned long long)state->file.at);
}

/** Give an id the next index. Return false if the id is 0 or already has an index. */
static bool pprof_place(struct pprof_ids *ids, uint64_t id) {
	enum {
		SPARSE = 1024
	}; // an id is small if it is at most twice the number of ids plus this
	   // number
	uint32_t place = ++ids->count;
	if (id > SPARSE + 2 * (uint64_t)place) {
		struct intern_key *key = intern_get(&ids->others, &id, sizeof(id));
		bool is_new = key->value == 0;
		key->value = place;
		return is_new;
	}
	if (id >= ids->n) {
		size_t n = ids->n;
		ids->n = (size_t)id + 1;
		MEM_GROW(ids->places, ids->capacity, ids->n);
		memset(ids->places + n, 0, (ids->n - n) * sizeof(*ids->places));
	}
	bool is_new = id != 0 && ids->places[id] == 0 &&
		      intern_find(&ids->others, &id, sizeof(id)) == NULL;
	ids->places[id] = place;
	return is_new;
}

/** Give an id of a file the next index, and report a bad id. Return 0, or -1 after diag_error(). */
static int pprof_keep_id(const struct pprof_state *state, struct pprof_ids *ids, uint64_t id,
			 const char *what, struct diag *diag) {
	return pprof_place(ids, id)
		       ? 0
		       : diag_error(diag, "%s: byte %llu: the id of %s is 0, or given twice: %llu",
				    input_name(state->file.input),
				    (unsigned long long)state->file.at, what,
				    (unsigned long long)id);
}

/** Return the index of an id, or SIZE_MAX if the id has no index. */
static size_t pprof_find(const struct pprof_ids *ids, uint64_t id) {
	if (id < ids->n && ids->places[id] != 0) {
		return ids->places[id] - 1;
	}
	const struct intern_key *key = intern_find(&ids->others, &id, sizeof(id));
	return key == NULL ? SIZE_MAX : (size_t)key->value - 1;
}

static void pprof_release_ids(struct pprof_ids *ids) {
	free(ids->places);
	intern_release(&ids->others);
}

/** Remember the index of a string. The index is checked at the end of the file. */
static void pprof_note_text(struct pprof_state *state, uint64_t index, const char *what) {
	if (index > state->file.largest.index) {
		state->file.largest = (struct pprof_largest){index, what};
	}
}

static bool pprof_read_type(struct pprof_state *state, struct str bytes) {
	uint64_t type = 0, unit = 0;
	bool good = wire_read_pair(bytes, 1, &type, 2, &unit);
	pprof_note_text(state, type, "a type of values");
	pprof_note_text(state, unit, "a type of values");
	number_list_push(&state->file.types, type);
	number_list_push(&state->file.types, unit);
	return good;
}

static bool pprof_read_period_type(struct pprof_state *state, struct str bytes) {
	struct pprof_period *period = &state->file.period;
	bool good = wire_read_pair(bytes, 1, &period->type, 2, &period->unit);
	pprof_note_text(state, period->type, "the type of the period");
	pprof_note_text(state, period->unit, "the type of the period");
	return good;
}

enum { LABEL_PARTS = 4 };

static bool pprof_wants_labels(const struct pprof_state *state) {
	return state->options->label_frames.n > 0 || profile_wants_sites(state->run->profile);
}

/** Keep a label of a sample: its key, its string, its number and the unit of the number. */
static bool pprof_read_label(struct pprof_state *state, struct str bytes) {
	uint64_t parts[LABEL_PARTS] = {0};
	bool good = wire_read_pair(bytes, 1, &parts[0], 2, &parts[1]) &&
		    wire_read_pair(bytes, 3, &parts[2], 4, &parts[3]);
	pprof_note_text(state, parts[0], "a label");
	pprof_note_text(state, parts[1], "a label");
	pprof_note_text(state, parts[3], "a label");
	if (!profile_wants_sites(state->run->profile)) {
		intern_get(&state->file.samples.keys, &parts[0], sizeof(parts[0]));
	}
	for (size_t i = 0; i < LABEL_PARTS; i++) {
		number_list_push(&state->file.sample.labels, parts[i]);
	}
	return good;
}

/** Read a sample. Return false if the bytes are not a valid sample. */
static bool pprof_take_sample(struct pprof_state *state, struct str rest) {
	struct pprof_sample *sample = &state->file.sample;
	struct wire_field field;
	sample->locations.n = sample->values.n = sample->labels.n = 0;
	while (rest.n > 0) {
		bool good = wire_take_field(&rest, &field);
		good = good && (field.number == 1   ? wire_add_numbers(&field, &sample->locations)
				: field.number == 2 ? wire_add_numbers(&field, &sample->values)
				: field.number == 3 ? field.wire == WIRE_BYTES &&
							      pprof_read_label(state, field.bytes)
						    : true);
		if (!good) {
			return false;
		}
	}
	return true;
}

/** Keep the bytes of a sample. Leave out its labels unless they are needed. */
static void pprof_keep_sample(struct pprof_state *state, struct str bytes) {
	struct pprof_samples *samples = &state->file.samples;
	char *room = buf_room(&samples->bytes, sizeof(uint32_t) + bytes.n);
	char *to = room + sizeof(uint32_t);
	bool labels = pprof_wants_labels(state);
	struct wire_field field;
	while (bytes.n > 0) {
		const char *start = bytes.p;
		(void)wire_take_field(&bytes, &field);
		if (field.number == 1 || field.number == 2 || labels) {
			size_t n = (size_t)(bytes.p - start);
			memcpy(to, start, n);
			to += n;
		}
	}
	uint32_t n = (uint32_t)(to - room - (ptrdiff_t)sizeof(uint32_t));
	memcpy(room, &n, sizeof(n));
	samples->bytes.n += sizeof(n) + n;
	samples->n++;
}

static int pprof_read_sample(struct pprof_state *state, struct str bytes, struct diag *diag) {
	struct pprof_file *file = &state->file;
	if (bytes.n > INT32_MAX || !pprof_take_sample(state, bytes)) {
		return pprof_fail(state, diag, "a bad sample");
	}
	size_t n = file->samples.n == 0 ? file->sample.values.n : file->samples.values;
	if (file->sample.values.n != n) {
		return diag_error(diag, "%s: byte %llu: a sample has %zu values, others have %zu",
				  input_name(file->input), (unsigned long long)file->at,
				  file->sample.values.n, n);
	}
	file->samples.values = n;
	pprof_keep_sample(state, bytes);
	state->run->samples++;
	return 0;
}

/** Read a line of a location. Return false if the bytes are not a valid line. */
static bool pprof_read_line(struct pprof_state *state, struct str bytes) {
	struct pprof_file *file = &state->file;
	struct pprof_place place = {0, 0};
	uint64_t function = 0, none = 0;
	bool good = wire_read_pair(bytes, 1, &function, 2, &place.line);
	number_list_push(&file->lines, function);
	state->run->profile->skipped.lines |=
		place.line > 0 && !profile_wants_sites(state->run->profile);
	if (good && profile_wants_sites(state->run->profile)) {
		good = wire_read_pair(bytes, 3, &place.column, 0, &none);
		struct pprof_places *places = &file->places;
		*MEM_APPEND(places->items, places->n, places->capacity) = place;
	}
	return good;
}

static int pprof_read_location(struct pprof_state *state, struct str rest, struct diag *diag) {
	struct pprof_location location = {.lines = {state->file.lines.n, 0}};
	struct wire_field field;
	uint64_t id = 0;
	while (rest.n > 0) {
		if (!wire_take_field(&rest, &field)) {
			return pprof_fail(state, diag, "a bad location");
		}
		id = field.number == 1 ? field.value : id;
		location.mapping = field.number == 2 ? field.value : location.mapping;
		location.address = field.number == 3 ? field.value : location.address;
		if (field.number == 4) {
			if (!pprof_read_line(state, field.bytes)) {
				return pprof_fail(state, diag, "a bad line");
			}
			location.lines.n++;
		}
	}
	MEM_GROW(state->file.location_items, state->file.locations_capacity,
		 (size_t)state->file.locations.count + 1);
	state->file.location_items[state->file.locations.count] = location;
	return pprof_keep_id(state, &state->file.locations, id, "a location", diag);
}

static int pprof_read_function(struct pprof_state *state, struct str bytes, struct diag *diag) {
	struct pprof_function function = {0};
	uint64_t id = 0, none = 0;
	if (!wire_read_pair(bytes, 1, &id, 0, &none) ||
	    !wire_read_pair(bytes, 2, &function.name, 3, &function.system_name) ||
	    !wire_read_pair(bytes, 4, &function.file, 5, &function.start_line)) {
		return pprof_fail(state, diag, "a bad function");
	}
	pprof_note_text(state, function.name, "a function");
	pprof_note_text(state, function.system_name, "a function");
	pprof_note_text(state, function.file, "a function");
	MEM_GROW(state->file.function_items, state->file.functions_capacity,
		 (size_t)state->file.functions.count + 1);
	state->file.function_items[state->file.functions.count] = function;
	return pprof_keep_id(state, &state->file.functions, id, "a function", diag);
}

static int pprof_read_mapping(struct pprof_state *state, struct str bytes, struct diag *diag) {
	struct pprof_mapping mapping = {0};
	uint64_t id = 0;
	if (!wire_read_pair(bytes, 1, &id, 2, &mapping.start) ||
	    !wire_read_pair(bytes, 3, &mapping.end, 4, &mapping.offset) ||
	    !wire_read_pair(bytes, 5, &mapping.file, 6, &mapping.build_id)) {
		return pprof_fail(state, diag, "a bad mapping");
	}
	pprof_note_text(state, mapping.file, "a mapping");
	pprof_note_text(state, mapping.build_id, "a mapping");
	MEM_GROW(state->file.mapping_items, state->file.mappings_capacity,
		 (size_t)state->file.mappings.count + 1);
	state->file.mapping_items[state->file.mappings.count] = mapping;
	return pprof_keep_id(state, &state->file.mappings, id, "a mapping", diag);
}

static void pprof_read_text(struct pprof_state *state, struct str bytes) {
	buf_add_str(&state->file.texts, bytes);
	number_list_push(&state->file.text_ends, state->file.texts.n);
}

/** Read a field of the profile. Return 0, or -1 after diag_error(). */
static int pprof_read_field(struct pprof_state *state, const struct wire_field *field,
			    struct diag *diag) {
	enum {
		TYPE = 1,
		SAMPLE,
		MAPPING,
		LOCATION,
		FUNCTION,
		TEXT,
		DROP,
		KEEP,
		START,
		DURATION,
		PERIOD_TYPE,
		PERIOD,
		DEFAULT_TYPE = 14
	};
	bool is_message = field->number >= TYPE && field->number <= TEXT;
	if (is_message && field->wire != WIRE_BYTES) {
		return pprof_fail(state, diag, "a bad field");
	}
	switch (field->number) {
	case TYPE:
		return pprof_read_type(state, field->bytes)
			       ? 0
			       : pprof_fail(state, diag, "a bad type of values");
	case SAMPLE:
		return pprof_read_sample(state, field->bytes, diag);
	case MAPPING:
		return pprof_read_mapping(state, field->bytes, diag);
	case LOCATION:
		return pprof_read_location(state, field->bytes, diag);
	case FUNCTION:
		return pprof_read_function(state, field->bytes, diag);
	case TEXT:
		pprof_read_text(state, field->bytes);
		return 0;
	case DROP:
		state->file.prune.dropped.text = field->value;
		pprof_note_text(state, field->value, "drop_frames");
		return 0;
	case KEEP:
		state->file.prune.kept.text = field->value;
		pprof_note_text(state, field->value, "keep_frames");
		return 0;
	case START:
		state->file.period.start = field->value;
		return 0;
	case DURATION:
		state->file.period.duration = field->value;
		return 0;
	case PERIOD:
		state->file.period.n = field->value;
		return 0;
	case PERIOD_TYPE:
		return pprof_read_period_type(state, field->bytes)
			       ? 0
			       : pprof_fail(state, diag, "a bad type of the period");
	case DEFAULT_TYPE:
		state->file.default_type = field->value;
		pprof_note_text(state, field->value, "a default");
		return 0;
	default:
		return 0;
	}
}

/** Append `n` bytes of the input to `field`. Return the number of bytes that were read, or -1 after
 * diag_error(). */
static ptrdiff_t pprof_fill(struct pprof_state *state, size_t n) {
	struct buf *field = &state->file.field;
	ptrdiff_t got = wire_read(state->file.input, field, n);
	state->file.at += got > 0 ? (uint64_t)got : 0;
	return got;
}

/** Return the size of the field at the start of `bytes`, or 0 if there is no valid field. If the
 * size is larger than `bytes.n`, the rest of the field was not read yet. */
static uint64_t pprof_field_size(struct str bytes) {
	enum { HEAD = 20 }; // largest number of bytes of a tag and a length
	struct str rest = str_to(bytes, bytes.n < HEAD ? bytes.n : HEAD);
	size_t all = rest.n;
	uint64_t tag, n = 0;
	if (!wire_take_number(&rest, &tag)) {
		return 0;
	}
	unsigned wire = tag & 7;
	size_t head = all - rest.n;
	if (wire == WIRE_FIXED_64 || wire == WIRE_FIXED_32) {
		return head + (wire == WIRE_FIXED_64 ? 8 : 4);
	}
	if (wire > WIRE_BYTES) {
		return head;
	}
	if (!wire_take_number(&rest, &n) || (wire == WIRE_BYTES && n > INT64_MAX)) {
		return 0;
	}
	return all - rest.n + (wire == WIRE_BYTES ? n : 0);
}

/** Read all fields that are complete in some bytes. Set `*used` to the size of these fields. */
static int pprof_read_window(struct pprof_state *state, struct str bytes, size_t *used,
			     struct diag *diag) {
	struct wire_field field;
	for (struct str rest = bytes; rest.n > 0;) {
		uint64_t size = pprof_field_size(rest);
		if (size > rest.n || (size == 0 && *used > 0)) {
			return 0; // the caller reads more bytes, and continues at this field
		}
		if (size == 0 || !wire_take_field(&rest, &field)) {
			return pprof_fail(state, diag, "a bad field");
		}
		state->file.at += size;
		*used += (size_t)size;
		if (pprof_read_field(state, &field, diag) != 0) {
			return -1;
		}
	}
	return 0;
}

/** Read a field that is longer than the bytes in memory. */
static int pprof_read_long_field(struct pprof_state *state, uint64_t size, struct diag *diag) {
	struct wire_field field;
	buf_clear(&state->file.field);
	ptrdiff_t got = pprof_fill(state, (size_t)size);
	struct str text = buf_str(&state->file.field);
	if (got < 0) {
		return -1;
	}
	if ((uint64_t)got < size || !wire_take_field(&text, &field)) {
		return pprof_fail(state, diag, "unexpected end");
	}
	return pprof_read_field(state, &field, diag);
}

static int pprof_read_fields(struct pprof_state *state, struct diag *diag) {
	enum { WINDOW = 1 << 16 };
	for (;;) {
		struct str bytes;
		bool whole;
		size_t used = 0;
		if (input_peek(state->file.input, WINDOW, &bytes, &whole) != 0) {
			return -1;
		}
		if (bytes.n == 0) {
			return 0;
		}
		if (pprof_read_window(state, bytes, &used, diag) != 0) {
			return -1;
		}
		uint64_t size = used > 0 ? 0 : pprof_field_size(bytes);
		input_drop(state->file.input, used);
		if (used == 0 && pprof_read_long_field(state, size, diag) != 0) {
			return -1;
		}
	}
}

/* --- Samples, at the end of a file ------------------------------------------------------------ */

static struct str pprof_text(const struct pprof_state *state, uint64_t index) {
	const uint64_t *ends = state->file.text_ends.items;
	size_t start = index == 0 ? 0 : (size_t)ends[index - 1];
	return str_from(str_to(buf_str(&state->file.texts), (size_t)ends[index]), start);
}

/** Check the indexes of strings. Index 0 is the empty string, even if the file has no strings. */
static int pprof_check_texts(struct pprof_state *state, struct diag *diag) {
	const struct pprof_largest *largest = &state->file.largest;
	if (state->file.text_ends.n == 0) {
		pprof_read_text(state, STR(""));
	}
	return largest->index < state->file.text_ends.n
		       ? 0
		       : diag_error(diag, "%s: %s has the string %llu, and there are %zu",
				    input_name(state->file.input), largest->what,
				    (unsigned long long)largest->index, state->file.text_ends.n);
}

/** Compile a pattern so that it matches only whole names. */
static int pprof_compile(struct pprof_state *state, struct pprof_pattern *pattern,
			 const char *what) {
	struct buf text = {0};
	struct str given = pprof_text(state, pattern->text);
	buf_add_text(&text, "^(");
	buf_add_str(&text, given);
	buf_add_text(&text, ")$");
	pattern->is_set = given.n > 0 && regexp_init(&pattern->regexp, buf_text(&text),
						     REG_EXTENDED | REG_NOSUB, NULL);
	buf_release(&text);
	return given.n == 0 || pattern->is_set
		       ? 0
		       : run_warn(state->run, 0,
				  "%s is left out, because it is not a regular expression: '%s'",
				  what, quote(given).text);
}

/** Return the part of a name before its parameters. Leave out a dot at the start, which some
 * compilers add. */
static struct str pprof_plain_name(struct str name) {
	static const struct str parts[] = {STR_INIT("(anonymous namespace)"),
					   STR_INIT("operator()")};
	name = str_from(name, str_starts(name, STR(".")));
	for (size_t at = 0; at < name.n; at++) {
		struct str rest = str_from(name, at);
		if (str_starts(rest, parts[0])) {
			at += parts[0].n - 1;
		} else if (str_starts(rest, parts[1])) {
			at += parts[1].n - 1;
		} else if (name.p[at] == '(') {
			return str_to(name, at);
		}
	}
	return name;
}

/** Return whether the part of a name before the parameters matches a pattern. */
static bool pprof_matches(const struct pprof_pattern *pattern, struct str name) {
	struct buf text = {0};
	buf_add_str(&text, pprof_plain_name(name));
	bool matches =
		pattern->is_set && regexp_matches(&pattern->regexp, buf_text(&text), 0, NULL, 0);
	buf_release(&text);
	return matches;
}

static struct native_address pprof_address(const struct pprof_state *state,
					   const struct pprof_location *location) {
	return (struct native_address){
		.address = location->address,
		.mapping = pprof_find(&state->file.mappings, location->mapping)};
}

/** Return the id that a string has in the profile's sites. */
static uint32_t pprof_site_text(struct pprof_state *state, uint64_t index) {
	struct buf *text = &state->run->text;
	buf_clear(text);
	utf8_repair(text, pprof_text(state, index));
	return sites_text(state->run->profile->sites, buf_str(text));
}

static uint32_t pprof_small(uint64_t number) {
	return number > UINT32_MAX ? 0 : (uint32_t)number;
}

/** Return the frame of a function in line `i` of a location. If the profile keeps sites, the frame
 * is a site with all details. */
static uint32_t pprof_frame(struct pprof_state *state, const struct pprof_location *location,
			    const struct pprof_function *function, size_t i) {
	if (!profile_wants_sites(state->run->profile)) {
		return function->frame;
	}
	const struct pprof_place *place = &state->file.places.items[location->lines.at + i];
	struct site site = {.name = function->frame};
	native_set_module(state->native, pprof_address(state, location), &site);
	site.file = pprof_site_text(state, function->file);
	site.system = pprof_site_text(state, function->system_name);
	site.line = pprof_small(place->line);
	site.column = pprof_small(place->column);
	site.start_line = pprof_small(function->start_line);
	site.inlined = i + 1 < location->lines.n;
	return profile_site(state->run->profile, &site);
}

/** Set `frame` and `is_dropped` of a function. */
static void pprof_name_function(struct pprof_state *state, struct pprof_function *function) {
	struct str name = pprof_text(state, function->name);
	name = name.n > 0 ? name : pprof_text(state, function->system_name);
	function->is_dropped = name.n > 0 && pprof_matches(&state->file.prune.dropped, name) &&
			       !pprof_matches(&state->file.prune.kept, name);
	name = name.n > 0 ? name : STR("[unknown]");
	function->frame = text_frame(state->run, &state->names, name);
}

/** Remember the files and labels of the input that are not kept. */
static void pprof_note_skipped(struct pprof_state *state) {
	struct skipped *skipped = &state->run->profile->skipped;
	const struct intern *keys = &state->file.samples.keys;
	for (uint32_t i = 0; i < state->file.functions.count; i++) {
		skipped->lines |= state->file.function_items[i].file > 0;
	}
	for (uint32_t i = 0; i < keys->count; i++) {
		uint64_t index;
		memcpy(&index, keys->keys[i]->bytes, sizeof(index));
		struct str key = pprof_text(state, index);
		intern_get(&skipped->labels, key.p, key.n);
	}
}

/** Pass the mappings to native.c, which finds the symbols of addresses. */
static void pprof_map(struct pprof_state *state) {
	if (state->native == NULL) {
		state->native = native_new(&state->options->native, state->run);
	}
	native_clear(state->native);
	for (uint32_t i = 0; i < state->file.mappings.count; i++) {
		const struct pprof_mapping *mapping = &state->file.mapping_items[i];
		const struct native_mapping known = {.start = mapping->start,
						     .end = mapping->end,
						     .offset = mapping->offset,
						     .file = pprof_text(state, mapping->file),
						     .build_id =
							     pprof_text(state, mapping->build_id)};
		struct native_address start = {.address = mapping->start};
		start.mapping = native_map(state->native, &known);
		if (profile_wants_sites(state->run->profile)) {
			struct site site = {0};
			native_set_module(state->native, start, &site);
		}
	}
}

/** Find the frames of a location, outermost first, up to the first function that the profile says
 * to drop. Leave out this function, unless it is the outermost one: pprof_find_stack() needs its
 * frame if no caller precedes it. */
static int pprof_resolve(struct pprof_state *state, struct pprof_location *location,
			 struct diag *diag) {
	location->frames.at = state->frames.n;
	if (location->lines.n == 0) {
		native_frames(state->native, pprof_address(state, location), &state->frames);
	}
	for (size_t i = location->lines.n; i > 0 && !location->pruned && !location->pruned_beneath;
	     i--) {
		uint64_t id = state->file.lines.items[location->lines.at + i - 1];
		size_t place = pprof_find(&state->file.functions, id);
		if (place == SIZE_MAX) {
			return diag_error(diag,
					  "%s: a line has the function %llu, which is not there",
					  input_name(state->file.input), (unsigned long long)id);
		}
		const struct pprof_function *function = &state->file.function_items[place];
		if (function->is_dropped) {
			location->pruned = i == location->lines.n;
			location->pruned_beneath = !location->pruned;
		}
		if (!location->pruned_beneath) {
			ids_push(&state->frames, pprof_frame(state, location, function, i - 1));
		}
	}
	location->frames.n = state->frames.n - location->frames.at;
	return 0;
}

/** Add the frame of a label to the stack. The name of the frame has the label's texts or, if it has
 * none, its first number. */
static void pprof_add_label(struct pprof_state *state, const char *wanted, const uint64_t *labels,
			    size_t n) {
	struct buf *name = &state->run->name;
	const uint64_t *number = NULL;
	buf_clear(name);
	for (size_t i = 0; i < n; i += LABEL_PARTS) {
		if (!str_eq(pprof_text(state, labels[i]), str_of(wanted))) {
			continue;
		}
		if (labels[i + 1] != 0) {
			buf_add_text(name, name->n > 0 ? "," : "");
			buf_add_str(name, pprof_text(state, labels[i + 1]));
		} else {
			number = number == NULL ? &labels[i + 2] : number;
		}
	}
	if (name->n == 0 && number != NULL) {
		buf_printf(name, "%lld", (long long)*number);
	} else if (name->n == 0) {
		buf_printf(name, "(no %s)", wanted);
	}
	ids_push(&state->stack, text_frame(state->run, &state->names, buf_str(name)));
}

/** Add all labels of the sample to the stack of sites. */
static void pprof_keep_labels(struct pprof_state *state) {
	const struct number_list *labels = &state->file.sample.labels;
	struct sites *sites = state->run->profile->sites;
	for (size_t i = 0; i < labels->n; i += LABEL_PARTS) {
		const uint64_t *parts = &labels->items[i];
		uint32_t key = pprof_site_text(state, parts[0]),
			 text = pprof_site_text(state, parts[1]),
			 unit = pprof_site_text(state, parts[3]);
		const struct site_label label = {.key = sites_text_of(sites, key),
						 .text = sites_text_of(sites, text),
						 .unit = sites_text_of(sites, unit),
						 .number = parts[2]};
		ids_push(&state->stack, sites_add_label(sites, &label));
	}
}

/** Put the stack of the sample into `stack`. Return 0 on success, 1 if the sample must be left out,
 * or -1 if the run must end. */
static int pprof_find_stack(struct pprof_state *state) {
	const struct opt_list *labels = &state->options->label_frames;
	struct pprof_sample *sample = &state->file.sample;
	size_t depth = sample->locations.n;
	bool found_user = false;
	state->run->profile->has_lines = true;
	state->stack.n = 0;
	for (size_t i = 0; i < labels->n; i++) {
		pprof_add_label(state, labels->items[i], sample->labels.items, sample->labels.n);
	}
	if (profile_wants_sites(state->run->profile)) {
		pprof_keep_labels(state);
	}
	for (size_t i = depth; i > 0; i--) {
		uint64_t id = sample->locations.items[i - 1];
		size_t place = pprof_find(&state->file.locations, id);
		if (place == SIZE_MAX) {
			return run_bad(state->run, 0,
				       "a sample has the location %llu, which is not there",
				       (unsigned long long)id) == 0
				       ? 1
				       : -1;
		}
		const struct pprof_location *location = &state->file.location_items[place];
		if (location->pruned && found_user) {
			return 0;
		}
		ids_add_part(&state->stack, &state->frames, location->frames.at,
			     location->frames.n);
		found_user |= !location->pruned && !location->pruned_beneath;
		if (location->pruned_beneath && found_user) {
			return 0;
		}
	}
	if (depth == 0) {
		ids_push(&state->stack, text_frame(state->run, &state->names, STR("[unknown]")));
	}
	return 0;
}

/** Return the index of the value that is counted, or SIZE_MAX after diag_error(). */
static size_t pprof_choose(struct pprof_state *state, struct diag *diag) {
	const char *wanted = state->options->sample_type;
	size_t n = state->file.types.n / 2;
	struct str name =
		wanted != NULL ? str_of(wanted) : pprof_text(state, state->file.default_type);
	for (size_t i = 0; i < n; i++) {
		if (name.n > 0 && str_eq(pprof_text(state, state->file.types.items[2 * i]), name)) {
			return i;
		}
	}
	if (wanted != NULL || n == 0) {
		diag_error(diag,
			   n == 0 ? "%s: the profile has no types of values"
				  : "%s: the profile has no value '%s'",
			   input_name(state->file.input), quote(name).text);
	}
	return wanted != NULL || n == 0 ? SIZE_MAX : n - 1;
}

/** Remember the unit of the value that is counted. If inputs have different units, the profile has
 * no unit. */
static void pprof_note_unit(struct pprof_state *state, struct str type, struct str unit) {
	struct buf text = {0};
	unit_name_of_value(&text, type, unit);
	bool differs = state->has_unit && !str_eq(buf_str(&text), buf_str(&state->unit));
	state->has_unit = true;
	buf_set_str(&state->unit, differs ? STR("") : buf_str(&text));
	buf_release(&text);
}

/** Set the unit of the profile to that of a value. Warn if an earlier profile has another one.
 * Return 0, or -1 if the run must end. */
static int pprof_take_unit(struct pprof_state *state, size_t column, struct diag *diag) {
	struct str type = pprof_text(state, state->file.types.items[2 * column]);
	struct str unit = pprof_text(state, state->file.types.items[2 * column + 1]);
	struct buf text = {0};
	unit_name_of_value(&text, type, unit);
	int result = unit_check(buf_str(&state->unit), buf_str(&text),
				input_name(state->file.input), diag);
	pprof_note_unit(state, type, unit);
	buf_release(&text);
	return result;
}

/** Pass all values of the next stack to the profile. */
static void pprof_tell_values(struct pprof_state *state) {
	for (size_t i = 0; i < state->file.types.n / 2; i++) {
		uint64_t value = state->file.sample.values.items[i];
		struct buf *text = &state->run->name;
		buf_clear(text);
		utf8_repair(text, pprof_text(state, state->file.types.items[2 * i]));
		size_t end = text->n;
		utf8_repair(text, pprof_text(state, state->file.types.items[2 * i + 1]));
		profile_next_value(state->run->profile, str_to(buf_str(text), end),
				   str_from(buf_str(text), end), value > INT64_MAX ? 0 : value);
	}
}

/** Pass the settings of the profiler to the profile. */
static void pprof_tell_period(struct pprof_state *state) {
	const struct pprof_period *period = &state->file.period;
	struct value_period known = {
		.period = period->n, .start = period->start, .duration = period->duration};
	utf8_repair(&known.name, pprof_text(state, period->type));
	utf8_repair(&known.unit, pprof_text(state, period->unit));
	values_set_period(state->run->profile->values, &known);
	buf_release(&known.name);
	buf_release(&known.unit);
}

/** Add a value of the current sample to the sum of all samples. Return the value, or 0 if the value
 * is negative. */
static uint64_t pprof_sum(struct pprof_state *state, size_t column) {
	uint64_t value = state->file.sample.values.items[column],
		 *sum = &state->file.sums.items[column];
	if (value > INT64_MAX) {
		return 0;
	}
	if (*sum > INT64_MAX - value) {
		state->run->profile->overflow = true;
	} else {
		*sum += value;
	}
	return value;
}

/** Count a sample. Return 0, or -1 if the run must end. */
static int pprof_count_sample(struct pprof_state *state, size_t column) {
	struct pprof_sample *sample = &state->file.sample;
	bool wants_all = profile_wants_values(state->run->profile);
	uint64_t value = sample->values.items[column];
	if (value == 0 && !wants_all) {
		return 0;
	}
	int result = pprof_find_stack(state);
	if (result != 0) {
		return result < 0 ? -1 : 0;
	}
	if (value > INT64_MAX) {
		state->file.negative.n++;
		state->file.negative.sum += 0 - value;
	}
	for (size_t i = 0; i < sample->values.n && wants_all; i++) {
		(void)pprof_sum(state, i);
	}
	uint64_t count = wants_all ? (value > INT64_MAX ? 0 : value) : pprof_sum(state, column);
	if (state->stack.n > 0 && (count > 0 || wants_all)) {
		if (wants_all) {
			pprof_tell_values(state);
		}
		profile_add(state->run->profile, state->stack.items, state->stack.n, count);
	}
	return 0;
}

static int pprof_count_samples(struct pprof_state *state, size_t column) {
	enum { PART = 4 << 20 };
	const struct pprof_negative *negative = &state->file.negative;
	struct buf *samples = &state->file.samples.bytes;
	size_t discarded = 0;
	int result = 0;
	for (size_t i = 0; i < state->file.types.n / 2; i++) {
		number_list_push(&state->file.sums, 0);
	}
	for (size_t at = 0; at < samples->n && result == 0;) {
		uint32_t n;
		memcpy(&n, samples->p + at, sizeof(n));
		(void)pprof_take_sample(state, (struct str){samples->p + at + sizeof(n), n});
		result = pprof_count_sample(state, column);
		at += sizeof(n) + n;
		if (at - discarded > PART) { // release the memory of samples that are counted
					     // already, because the profile grows
			mem_discard(samples->p + discarded, at - discarded);
			discarded = at;
		}
	}
	if (result == 0 && negative->n > 0) {
		result = run_warn(state->run, 0, "left out %llu negative values, -%llu in all",
				  (unsigned long long)negative->n,
				  (unsigned long long)negative->sum);
	}
	return result;
}

static int pprof_end_file(struct pprof_state *state, struct diag *diag) {
	if (pprof_check_texts(state, diag) != 0) {
		return -1;
	}
	size_t column = pprof_choose(state, diag), n = state->file.types.n / 2;
	if (column == SIZE_MAX) {
		return -1;
	}
	if (state->file.samples.n > 0 && state->file.samples.values != n) {
		return diag_error(diag,
				  "%s: samples have %zu values, and there are %zu types of them",
				  input_name(state->file.input), state->file.samples.values, n);
	}
	int result = pprof_take_unit(state, column, diag);
	result = result == 0 ? pprof_compile(state, &state->file.prune.dropped, "drop_frames") : -1;
	result = result == 0 ? pprof_compile(state, &state->file.prune.kept, "keep_frames") : -1;
	for (uint32_t i = 0; i < state->file.functions.count && result == 0; i++) {
		pprof_name_function(state, &state->file.function_items[i]);
	}
	pprof_map(state);
	for (uint32_t i = 0; i < state->file.locations.count && result == 0; i++) {
		result = pprof_resolve(state, &state->file.location_items[i], diag);
	}
	if (!profile_wants_sites(state->run->profile)) {
		pprof_note_skipped(state);
	}
	if (profile_wants_values(state->run->profile)) {
		pprof_tell_period(state);
	}
	result = result == 0 ? native_report(state->native) : -1;
	return result == 0 ? pprof_count_samples(state, column) : -1;
}

static void pprof_forget_file(struct pprof_state *state) {
	struct pprof_file *file = &state->file;
	struct number_list *numbers[] = {
		&file->text_ends,        &file->types,         &file->lines,        &file->sums,
		&file->sample.locations, &file->sample.values, &file->sample.labels};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		free(numbers[i]->items);
	}
	buf_release(&file->samples.bytes);
	intern_release(&file->samples.keys);
	pprof_release_ids(&file->locations);
	pprof_release_ids(&file->functions);
	pprof_release_ids(&file->mappings);
	struct pprof_pattern *patterns[] = {&file->prune.dropped, &file->prune.kept};
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		if (patterns[i]->is_set) {
			regexp_release(&patterns[i]->regexp);
		}
	}
	buf_release(&file->field);
	buf_release(&file->texts);
	free(file->location_items);
	free(file->function_items);
	free(file->mapping_items);
	free(file->places.items);
	*file = (struct pprof_file){0};
	state->frames.n = 0;
}

/* --- The collapser -------------------------------------------------------------------------- */

/** Return whether the bytes of a message are valid fields, whose numbers are at most `most`. */
static bool pprof_is_message(struct str rest, unsigned most) {
	struct wire_field field;
	while (rest.n > 0) {
		if (!wire_take_field(&rest, &field) || field.number > most ||
		    (field.wire != WIRE_NUMBER && field.wire != WIRE_BYTES)) {
			return false;
		}
	}
	return true;
}

/** Return whether a field may belong to a profile. */
static bool pprof_is_field(const struct wire_field *field) {
	enum { PAIR = 2, MESSAGE = 10, FIELDS = 15 };
	static const char kinds[FIELDS + 1] = " pmmmmtnnnnpn?nn"; // for each number of a field, its
								  // kind
	char kind = field->number <= FIELDS ? kinds[field->number] : ' ';
	bool is_bytes = field->wire == WIRE_BYTES, is_number = field->wire == WIRE_NUMBER;
	return kind == 'p'   ? is_bytes && pprof_is_message(field->bytes, PAIR)
	       : kind == 'm' ? is_bytes && pprof_is_message(field->bytes, MESSAGE)
	       : kind == 't' ? is_bytes
	       : kind == 'n' ? is_number
			     : kind == '?' && (is_bytes || is_number);
}

/** Return whether bytes begin with fields of a profile. At least one field must be a type of values
 * or a sample. The last field may continue after the bytes. */
static bool pprof_is_profile(struct str start) {
	struct wire_field field;
	bool found = false;
	while (start.n > 0 && wire_take_field(&start, &field)) {
		if (!pprof_is_field(&field)) {
			return false;
		}
		found |= (field.number == 1 || field.number == 2) && field.bytes.n > 0;
	}
	return found;
}

/** Remember the unit of the counts of an older profile. */
static void pprof_note_legacy_unit(struct pprof_state *state) {
	struct str type, unit;
	pprof_legacy_unit(&state->legacy, &type, &unit);
	pprof_note_unit(state, type, unit);
}

static int pprof_read(void *memory, struct input *input, struct diag *diag) {
	enum { HEADER = 40 };
	struct pprof_state *state = memory;
	struct str start;
	bool whole;
	if (input_peek(input, HEADER, &start, &whole) != 0) {
		return -1;
	}
	if (pprof_legacy_is_cpu(start)) {
		int result = pprof_legacy_read_cpu(&state->legacy, input, diag);
		pprof_note_legacy_unit(state);
		return result;
	}
	state->file.input = input;
	int result = pprof_read_fields(state, diag);
	result = result == 0 ? pprof_end_file(state, diag) : -1;
	pprof_forget_file(state);
	return result;
}

/** Read the text of an older profile. Refuse any other text. */
static int pprof_block(void *memory, const struct block *block) {
	struct pprof_state *state = memory;
	if (block->first && block->bytes.n > 0 && !pprof_legacy_is_text(block->bytes)) {
		return run_error(
			state->run, 1,
			"not a profile in the protocol buffers of pprof; 'inferno collapse "
			"go' reads the text of 'go tool pprof -raw', and 'inferno collapse "
			"gperftools' that of heap profiles");
	}
	if (block->first) {
		state->legacy.kind.values = 0;
	}
	int result = run_lines(state->run, block, &state->legacy, pprof_legacy_line);
	if (!block->last || result != 0 || state->legacy.kind.values == 0) {
		return result;
	}
	if (block->bytes.n > 0 && block->bytes.p[block->bytes.n - 1] != '\n') {
		result = run_bad(state->run, RUN_AT_END, "unexpected end in the middle of a line");
	}
	pprof_note_legacy_unit(state);
	return result == 0 ? pprof_legacy_end_text(&state->legacy) : -1;
}

static void pprof_init(void *memory) {
	struct pprof_state *state = memory;
	state->run->profile->names.keeps_counts = true;
	state->legacy.run = state->run;
	state->legacy.options = &state->options->native;
	state->legacy.wanted = state->options->sample_type;
}

static void pprof_find_unit(const void *memory, struct buf *unit) {
	const struct pprof_state *state = memory;
	buf_add_str(unit, buf_str(&state->unit));
}

static void pprof_release(void *memory) {
	struct pprof_state *state = memory;
	pprof_forget_file(state);
	pprof_legacy_release(&state->legacy);
	native_free(state->native);
	memo_release(&state->names);
	buf_release(&state->unit);
	ids_release(&state->frames);
	ids_release(&state->stack);
}

static int pprof_sniff_read(struct str start) {
	return pprof_is_profile(start) || pprof_legacy_is_cpu(start) ? SNIFF_MAGIC : SNIFF_NO;
}

static int pprof_sniff(struct str bytes, bool whole) {
	(void)whole;
	return pprof_legacy_is_text(bytes) ? SNIFF_MAGIC : pprof_sniff_read(bytes);
}

static const struct opt options[] = {
	{OPT_IS_LIST(struct pprof_options, label_frames), .name = "label-frames", .value = "KEY",
	 .help = "add the value of this label, such as thread, as a root frame; a second "
		 "--label-frames adds a callee of this frame"},
	{OPT_IS_TEXT(struct pprof_options, sample_type), .name = "sample-type", .value = "TYPE",
	 .help = "count this type of samples, such as cpu or alloc_space (default: the profile's "
		 "own default, or else its last type)"},
	NATIVE_OPTION_ROWS(struct pprof_options, native),
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"sample-type", NULL, NULL, NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"curl -o cpu.pprof http://localhost:6060/debug/pprof/profile",
	 "record a Go program for 30 seconds"},
	{"inferno collapse pprof cpu.pprof > cpu.folded", "fold the profile"},
	{"inferno collapse pprof --value samples cpu.pprof", "count samples, not their time"},
	{NULL, NULL},
};

const struct collapser collapse_pprof = {
	.name = "pprof",
	.brief = "fold profiles of pprof, which Go, Rust and others write",
	.about = "Reads the protocol buffers of pprof, as they are or compressed. The count is the "
		 "profile's default value, or the last one, as 'go tool pprof' has it. Inlined "
		 "functions are frames. Functions that the profile says to drop are left out with "
		 "those that they called. Labels are not shown without --label-frames. If the "
		 "profile has addresses without names, function names are looked up in the "
		 "programs and libraries that the profile lists, on this machine or below the "
		 "--symfs folder; addresses without symbols get the name of their file in "
		 "brackets. Older profiles are read as well: CPU profiles, contentions and threads "
		 "of gperftools, goroutines as text, and profiles of Java.",
	.examples = examples,
	.options = {options, sizeof(struct pprof_options)},
	.values = values,
	.state_size = sizeof(struct pprof_state),
	.init = pprof_init,
	.sniff = pprof_sniff,
	.sniff_read = pprof_sniff_read,
	.read = pprof_read,
	.block = pprof_block,
	.find_unit = pprof_find_unit,
	.release = pprof_release,
	.expects = "a profile of pprof, with samples",
};
