/*
 * pprof: profiles in the protocol buffers of pprof, which Go, Rust, Envoy and many others write.
 *
 * Fields may come in any order, and often samples come before the locations, functions and strings
 * that they refer to. So a file is kept as numbers until it ends, each distinct sample once.
 */
#include <stdlib.h>

#include "base/regexp.h"
#include "base/utf8.h"
#include "collapse/collapser.h"
#include "collapse/text.h"
#include "collapse/wire.h"

struct pprof_options {
	struct opt_list label_frames;
	const char *sample_type;
};

/** A part of `lines`, or of `frames`. */
struct pprof_span {
	size_t at, n;
};

struct pprof_mapping {
	uint64_t start, offset;  // in memory; in the file
	uint64_t file, build_id; // strings
};

struct pprof_mappings {
	struct pprof_mapping *items;
	size_t n, capacity;
};

/** Where a function calls the next one, if the profile wants sites. */
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
	struct pprof_span frames; // outermost first; set at the end
	bool pruned;              // the outermost function is dropped
	bool pruned_beneath;      // an inner one is
};

struct pprof_function {
	uint64_t name, system_name, file, start_line;
};

/** Names of frames that are dropped, or kept. */
struct pprof_pattern {
	struct regexp regexp;
	uint64_t text; // a string; 0: none
	bool is_set;
};

/** The values of samples. */
struct pprof_sums {
	struct number_list all;                     // by sample: one of each value
	struct number_list negative, negative_sums; // by value: left out; without their signs
};

/** One sample. */
struct pprof_sample {
	struct number_list locations, values, labels;
	struct buf key; // of those that are alike: how many locations, these, the labels
};

/** A file, as numbers. */
struct pprof_file {
	struct input *input;
	uint64_t at; // bytes read
	struct buf field;
	struct buf texts;                             // all strings
	struct number_list text_ends;                 // by string
	struct number_list types;                     // of values: the type and the unit of each
	struct intern samples;                        // labels and locations
	struct intern locations, functions, mappings; // by id; `value` is the place, plus 1
	struct pprof_location *location_items;
	size_t locations_n, locations_capacity;
	struct pprof_function *function_items;
	size_t functions_n, functions_capacity;
	struct pprof_mappings mapped;
	struct number_list lines;
	struct pprof_places places; // of lines
	struct pprof_sums sums;
	struct pprof_sample sample;
	uint64_t default_type;
	struct pprof_pattern dropped, kept;
};

struct pprof_state {
	STATE_HEAD(struct pprof_options);
	struct memo names;
	bool has_unit;
	struct buf unit; // of the counts
	struct pprof_file file;
	struct ids frames, stack;
};

/* --- Messages ------------------------------------------------------------------------------- */

static int pprof_fail(struct pprof_state *state, struct diag *diag, const char *what) {
	return diag_error(diag, "%s: %s before byte %llu: not a profile of pprof, or damaged",
			  input_name(state->file.input), what, (unsigned long long)state->file.at);
}

/** Give an id its place. Return false if it is 0, or has one. */
static bool pprof_place(struct intern *ids, uint64_t id, size_t place) {
	struct intern_key *key = intern_get(ids, &id, sizeof(id));
	bool is_new = id != 0 && key->value == 0;
	key->value = place + 1;
	return is_new;
}

/** Give an id of a file its place. Return 0, or -1 after diag_error(). */
static int pprof_keep_id(const struct pprof_state *state, struct intern *ids, uint64_t id,
			 size_t place, const char *what, struct diag *diag) {
	return pprof_place(ids, id, place)
		       ? 0
		       : diag_error(diag, "%s: byte %llu: the id of %s is 0, or given twice: %llu",
				    input_name(state->file.input),
				    (unsigned long long)state->file.at, what,
				    (unsigned long long)id);
}

/** Return the place of an id; SIZE_MAX if it has none. */
static size_t pprof_find(const struct intern *ids, uint64_t id) {
	const struct intern_key *key = intern_find(ids, &id, sizeof(id));
	return key == NULL ? SIZE_MAX : (size_t)key->value - 1;
}

static bool pprof_read_type(struct pprof_state *state, struct str bytes) {
	uint64_t type = 0, unit = 0;
	bool good = wire_read_pair(bytes, 1, &type, 2, &unit);
	number_list_push(&state->file.types, type);
	number_list_push(&state->file.types, unit);
	return good;
}

enum { LABEL_PARTS = 4 };

/** Keep a label of a sample: its key, its string, its number and the unit of that. */
static bool pprof_read_label(struct pprof_state *state, struct str bytes) {
	uint64_t key = 0, text = 0, number = 0, unit = 0;
	bool good = wire_read_pair(bytes, 1, &key, 2, &text) &&
		    wire_read_pair(bytes, 3, &number, 4, &unit);
	number_list_push(&state->file.sample.labels, key);
	number_list_push(&state->file.sample.labels, text);
	number_list_push(&state->file.sample.labels, number);
	number_list_push(&state->file.sample.labels, unit);
	return good;
}

/** Add the values of a sample to its sums. Those that are negative are only counted. */
static void pprof_add_values(struct pprof_state *state, uint32_t sample, bool is_new) {
	const struct number_list *values = &state->file.sample.values;
	for (size_t i = 0; i < values->n && is_new; i++) {
		number_list_push(&state->file.sums.all, 0);
	}
	for (size_t i = 0; i < values->n; i++) {
		uint64_t value = values->items[i],
			 *sum = &state->file.sums.all.items[sample * values->n + i];
		while (state->file.sums.negative.n <= i) {
			number_list_push(&state->file.sums.negative, 0);
			number_list_push(&state->file.sums.negative_sums, 0);
		}
		if (value > INT64_MAX) {
			state->file.sums.negative.items[i]++;
			state->file.sums.negative_sums.items[i] += 0 - value;
		} else if (*sum > INT64_MAX - value) {
			state->run->profile->overflow = true;
		} else {
			*sum += value;
		}
	}
}

/** Put the locations and the labels of the sample into its key. Most numbers take a byte or two. */
static void pprof_make_key(struct pprof_sample *sample) {
	buf_clear(&sample->key);
	buf_add_varint(&sample->key, sample->locations.n);
	for (size_t i = 0; i < sample->locations.n; i++) {
		buf_add_varint(&sample->key, sample->locations.items[i]);
	}
	for (size_t i = 0; i < sample->labels.n; i++) {
		buf_add_varint(&sample->key, sample->labels.items[i]);
	}
}

/** Take the locations and the labels of a sample out of its key. */
static void pprof_take_key(struct pprof_sample *sample, struct str key) {
	uint64_t depth = 0, number;
	sample->locations.n = sample->labels.n = 0;
	wire_take_number(&key, &depth);
	while (key.n > 0 && wire_take_number(&key, &number)) {
		number_list_push(sample->locations.n < depth ? &sample->locations : &sample->labels,
				 number);
	}
}

static int pprof_read_sample(struct pprof_state *state, struct str rest, struct diag *diag) {
	struct pprof_file *file = &state->file;
	struct pprof_sample *sample = &file->sample;
	struct wire_field field;
	bool labels =
		state->options->label_frames.n > 0 || profile_wants_sites(state->run->profile);
	sample->locations.n = sample->values.n = sample->labels.n = 0;
	while (rest.n > 0) {
		bool good = wire_take_field(&rest, &field);
		good = good && (field.number == 1   ? wire_add_numbers(&field, &sample->locations)
				: field.number == 2 ? wire_add_numbers(&field, &sample->values)
				: field.number == 3 && labels ? pprof_read_label(state, field.bytes)
							      : true);
		if (!good) {
			return pprof_fail(state, diag, "a bad sample");
		}
	}
	uint32_t before = file->samples.count;
	size_t n = before == 0 ? sample->values.n : file->sums.all.n / before;
	if (sample->values.n != n) {
		return diag_error(diag, "%s: byte %llu: a sample has %zu values, others have %zu",
				  input_name(file->input), (unsigned long long)file->at,
				  sample->values.n, n);
	}
	pprof_make_key(sample);
	uint32_t id = intern_get(&file->samples, sample->key.p, sample->key.n)->id;
	pprof_add_values(state, id, id == before);
	state->run->samples++;
	return 0;
}

/** Read a line of a location. Return false if it is none. */
static bool pprof_read_line(struct pprof_state *state, struct str bytes) {
	struct pprof_file *file = &state->file;
	struct pprof_place place = {0, 0};
	uint64_t function = 0, none = 0;
	bool good = wire_read_pair(bytes, 1, &function, 0, &none);
	number_list_push(&file->lines, function);
	if (good && profile_wants_sites(state->run->profile)) {
		good = wire_read_pair(bytes, 2, &place.line, 3, &place.column);
		struct pprof_places *places = &file->places;
		places->items =
			mem_grow(places->items, &places->capacity, places->n + 1, sizeof(place));
		places->items[places->n++] = place;
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
	state->file.location_items =
		mem_grow(state->file.location_items, &state->file.locations_capacity,
			 state->file.locations_n + 1, sizeof(location));
	state->file.location_items[state->file.locations_n] = location;
	return pprof_keep_id(state, &state->file.locations, id, state->file.locations_n++,
			     "a location", diag);
}

static int pprof_read_function(struct pprof_state *state, struct str bytes, struct diag *diag) {
	struct pprof_function function = {0};
	uint64_t id = 0, none = 0;
	if (!wire_read_pair(bytes, 1, &id, 0, &none) ||
	    !wire_read_pair(bytes, 2, &function.name, 3, &function.system_name) ||
	    !wire_read_pair(bytes, 4, &function.file, 5, &function.start_line)) {
		return pprof_fail(state, diag, "a bad function");
	}
	state->file.function_items =
		mem_grow(state->file.function_items, &state->file.functions_capacity,
			 state->file.functions_n + 1, sizeof(function));
	state->file.function_items[state->file.functions_n] = function;
	return pprof_keep_id(state, &state->file.functions, id, state->file.functions_n++,
			     "a function", diag);
}

static int pprof_read_mapping(struct pprof_state *state, struct str bytes, struct diag *diag) {
	struct pprof_mappings *mapped = &state->file.mapped;
	struct pprof_mapping mapping = {0};
	uint64_t id = 0, none = 0;
	if (!wire_read_pair(bytes, 1, &id, 5, &mapping.file) ||
	    !wire_read_pair(bytes, 2, &mapping.start, 4, &mapping.offset) ||
	    !wire_read_pair(bytes, 6, &mapping.build_id, 0, &none)) {
		return pprof_fail(state, diag, "a bad mapping");
	}
	mapped->items = mem_grow(mapped->items, &mapped->capacity, mapped->n + 1, sizeof(mapping));
	mapped->items[mapped->n] = mapping;
	return pprof_keep_id(state, &state->file.mappings, id, mapped->n++, "a mapping", diag);
}

static void pprof_read_text(struct pprof_state *state, struct str bytes) {
	buf_add_str(&state->file.texts, bytes);
	number_list_push(&state->file.text_ends, state->file.texts.n);
}

/** Read a field of the profile. Return 0, or -1 after diag_error(). */
static int pprof_read_field(struct pprof_state *state, const struct wire_field *field,
			    struct diag *diag) {
	enum { TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, TEXT, DROP, KEEP, DEFAULT_TYPE = 14 };
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
		state->file.dropped.text = field->value;
		return 0;
	case KEEP:
		state->file.kept.text = field->value;
		return 0;
	case DEFAULT_TYPE:
		state->file.default_type = field->value;
		return 0;
	default:
		return 0;
	}
}

/** Read bytes to the end of `field`. Return how many were there, or -1 after diag_error(). */
static ptrdiff_t pprof_fill(struct pprof_state *state, size_t n) {
	struct buf *field = &state->file.field;
	ptrdiff_t got = wire_read(state->file.input, field, n);
	state->file.at += got > 0 ? (uint64_t)got : 0;
	return got;
}

/** Read all fields of a file. */
static int pprof_read_fields(struct pprof_state *state, struct diag *diag) {
	enum { HEAD = 20 }; // the longest tag and length
	for (;;) {
		struct str bytes;
		bool whole;
		if (input_peek(state->file.input, HEAD, &bytes, &whole) != 0) {
			return -1;
		}
		if (bytes.n == 0) {
			return 0;
		}
		uint64_t tag, n = 0;
		struct str rest = str_to(bytes, bytes.n < HEAD ? bytes.n : HEAD);
		size_t all = rest.n;
		bool good = wire_take_number(&rest, &tag);
		size_t head = all - rest.n;
		bool is_bytes = good && (tag & 7) == WIRE_BYTES;
		good = good && ((tag & 7) > WIRE_BYTES || (tag & 7) == WIRE_FIXED_64 ||
				wire_take_number(&rest, &n));
		n = is_bytes                     ? (all - rest.n - head) + n
		    : (tag & 7) == WIRE_FIXED_64 ? 8
		    : (tag & 7) == WIRE_FIXED_32 ? 4
						 : all - rest.n - head;
		buf_clear(&state->file.field);
		ptrdiff_t got = good ? pprof_fill(state, head + (size_t)n) : 0;
		struct str text = buf_str(&state->file.field);
		struct wire_field field;
		if (got < 0) {
			return -1;
		}
		if (!good || (size_t)got < head + n || !wire_take_field(&text, &field)) {
			return pprof_fail(state, diag, good ? "unexpected end" : "a bad field");
		}
		if (pprof_read_field(state, &field, diag) != 0) {
			return -1;
		}
	}
}

/* --- Samples, at the end of a file ------------------------------------------------------------ */

/** Return a string of the file. */
static struct str pprof_text(const struct pprof_state *state, uint64_t index) {
	const uint64_t *ends = state->file.text_ends.items;
	size_t start = index == 0 ? 0 : (size_t)ends[index - 1];
	return str_from(str_to(buf_str(&state->file.texts), (size_t)ends[index]), start);
}

/** Check the index of a string. Index 0 is the empty string, even if the file has none. */
static int pprof_check_text(struct pprof_state *state, uint64_t index, const char *what,
			    struct diag *diag) {
	if (state->file.text_ends.n == 0) {
		pprof_read_text(state, STR(""));
	}
	return index < state->file.text_ends.n
		       ? 0
		       : diag_error(diag, "%s: %s has the string %llu, and there are %zu",
				    input_name(state->file.input), what, (unsigned long long)index,
				    state->file.text_ends.n);
}

/** Check all indexes of strings. */
static int pprof_check_texts(struct pprof_state *state, struct diag *diag) {
	int result = pprof_check_text(state, state->file.dropped.text, "drop_frames", diag);
	result = result == 0 ? pprof_check_text(state, state->file.kept.text, "keep_frames", diag)
			     : -1;
	result = result == 0 ? pprof_check_text(state, state->file.default_type, "a default", diag)
			     : -1;
	for (size_t i = 0; i < state->file.types.n && result == 0; i++) {
		result = pprof_check_text(state, state->file.types.items[i], "a type of values",
					  diag);
	}
	for (size_t i = 0; i < state->file.functions_n && result == 0; i++) {
		const struct pprof_function *function = &state->file.function_items[i];
		result = pprof_check_text(state, function->name, "a function", diag);
		result = result == 0 ? pprof_check_text(state, function->system_name, "a function",
							diag)
				     : -1;
		result = result == 0 ? pprof_check_text(state, function->file, "a function", diag)
				     : -1;
	}
	for (size_t i = 0; i < state->file.mapped.n && result == 0; i++) {
		const struct pprof_mapping *mapping = &state->file.mapped.items[i];
		result = pprof_check_text(state, mapping->file, "a mapping", diag);
		result = result == 0 ? pprof_check_text(state, mapping->build_id, "a mapping", diag)
				     : -1;
	}
	return result;
}

/** Compile a pattern, which matches whole names. */
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
		       : run_warn(state->run, 0, "%s is no regular expression, and left out: '%s'",
				  what, quote(given).text);
}

/** Return whether a name up to its parameters matches. */
static bool pprof_matches(const struct pprof_pattern *pattern, struct str name) {
	struct buf text = {0};
	size_t end = str_find(name, '(');
	buf_add_str(&text, end == STR_NONE || end == 0 ? name : str_to(name, end));
	bool matches =
		pattern->is_set && regexp_matches(&pattern->regexp, buf_text(&text), 0, NULL, 0);
	buf_release(&text);
	return matches;
}

static struct str pprof_function_name(const struct pprof_state *state, size_t place) {
	const struct pprof_function *function = &state->file.function_items[place];
	struct str name = pprof_text(state, function->name);
	name = name.n > 0 ? name : pprof_text(state, function->system_name);
	return name.n > 0 ? name : STR("[unknown]");
}

/** Return the number of a string in the profile's sites. */
static uint32_t pprof_site_text(struct pprof_state *state, uint64_t index) {
	struct buf *text = &state->run->text;
	buf_clear(text);
	utf8_repair(text, pprof_text(state, index));
	return sites_text(state->run->profile->sites, buf_str(text));
}

static uint32_t pprof_small(uint64_t number) {
	return number > UINT32_MAX ? 0 : (uint32_t)number;
}

/** Fill in the module of a location, and the address in its file. */
static void pprof_set_module(struct pprof_state *state, const struct pprof_location *location,
			     struct site *site) {
	struct sites *sites = state->run->profile->sites;
	size_t place = pprof_find(&state->file.mappings, location->mapping);
	site->address = location->address;
	if (place != SIZE_MAX) {
		const struct pprof_mapping *mapping = &state->file.mapped.items[place];
		uint32_t file = pprof_site_text(state, mapping->file),
			 build_id = pprof_site_text(state, mapping->build_id);
		site->module = sites_module(sites, sites_text_of(sites, file),
					    sites_text_of(sites, build_id));
		site->address -=
			location->address < mapping->start ? 0 : mapping->start - mapping->offset;
	}
}

/** Push a frame of a location: of line `i` and a function, or of neither if that is NULL. */
static void pprof_push_frame(struct pprof_state *state, struct str name,
			     const struct pprof_location *location,
			     const struct pprof_function *function, size_t i) {
	uint32_t id = text_frame(state->run, &state->names, name);
	if (profile_wants_sites(state->run->profile)) {
		struct site site = {.name = id};
		pprof_set_module(state, location, &site);
		if (function != NULL) {
			const struct pprof_place *place =
				&state->file.places.items[location->lines.at + i];
			site.file = pprof_site_text(state, function->file);
			site.system = pprof_site_text(state, function->system_name);
			site.line = pprof_small(place->line);
			site.column = pprof_small(place->column);
			site.start_line = pprof_small(function->start_line);
			site.inlined = i + 1 < location->lines.n;
		}
		id = profile_site(state->run->profile, &site);
	}
	ids_push(&state->frames, id);
}

/** Add the frame of a location without functions: `[FILE]`. */
static void pprof_add_module(struct pprof_state *state, const struct pprof_location *location) {
	size_t place = pprof_find(&state->file.mappings, location->mapping);
	struct str path = place == SIZE_MAX
				  ? STR("")
				  : pprof_text(state, state->file.mapped.items[place].file);
	struct buf name = {0};
	text_add_module(&name, path);
	pprof_push_frame(state, buf_str(&name), location, NULL, 0);
	buf_release(&name);
}

/** Find the frames of a location, without those that are dropped. */
static int pprof_resolve(struct pprof_state *state, struct pprof_location *location,
			 struct diag *diag) {
	location->frames.at = state->frames.n;
	if (location->lines.n == 0) {
		pprof_add_module(state, location);
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
		struct str name = pprof_function_name(state, place);
		if (pprof_matches(&state->file.dropped, name) &&
		    !pprof_matches(&state->file.kept, name)) {
			location->pruned = i == location->lines.n;
			location->pruned_beneath = !location->pruned;
		}
		if (!location->pruned_beneath) {
			pprof_push_frame(state, name, location, &state->file.function_items[place],
					 i - 1);
		}
	}
	location->frames.n = state->frames.n - location->frames.at;
	return 0;
}

/** Add the frame of a label to the stack. */
static void pprof_add_label(struct pprof_state *state, const char *wanted, const uint64_t *labels,
			    size_t n) {
	struct buf name = {0};
	for (size_t i = 0; i < n && name.n == 0; i += LABEL_PARTS) {
		uint64_t key = labels[i], text = labels[i + 1];
		if (key < state->file.text_ends.n &&
		    str_eq(pprof_text(state, key), str_of(wanted))) {
			if (text != 0 && text < state->file.text_ends.n) {
				buf_add_str(&name, pprof_text(state, text));
			} else {
				buf_printf(&name, "%lld", (long long)labels[i + 2]);
			}
		}
	}
	if (name.n == 0) {
		buf_printf(&name, "(no %s)", wanted);
	}
	ids_push(&state->stack, text_frame(state->run, &state->names, buf_str(&name)));
	buf_release(&name);
}

/** Add all labels of the sample to the stack, as sites. */
static void pprof_keep_labels(struct pprof_state *state) {
	const struct number_list *labels = &state->file.sample.labels;
	struct sites *sites = state->run->profile->sites;
	for (size_t i = 0; i < labels->n; i += LABEL_PARTS) {
		const uint64_t *parts = &labels->items[i], texts = state->file.text_ends.n;
		if (parts[0] < texts && parts[1] < texts && parts[3] < texts) {
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
}

/** Put the stack of a sample into `stack`. Return 0, 1 to leave it out, or -1 after diag_error().
 */
static int pprof_find_stack(struct pprof_state *state, struct str key) {
	const struct opt_list *labels = &state->options->label_frames;
	struct pprof_sample *sample = &state->file.sample;
	size_t depth;
	bool found_user = false;
	pprof_take_key(sample, key);
	depth = sample->locations.n;
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
		ids_add(&state->stack, &state->frames.items[location->frames.at],
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

/** Find the value that is counted. Return its number, SIZE_MAX after diag_error(). */
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

/** Note the unit of the value that is counted. Inputs of several units have none. */
static void pprof_note_unit(struct pprof_state *state, size_t column) {
	struct buf text = {0};
	struct str type = pprof_text(state, state->file.types.items[2 * column]);
	struct str unit = pprof_text(state, state->file.types.items[2 * column + 1]);
	utf8_repair(&text, str_eq(unit, STR("count")) ? type : unit);
	bool differs = state->has_unit && !str_eq(buf_str(&text), buf_str(&state->unit));
	state->has_unit = true;
	buf_clear(&state->unit);
	buf_add_str(&state->unit, differs ? STR("") : buf_str(&text));
	buf_release(&text);
}

/** Pass all values of the next stack to the profile. */
static void pprof_tell_values(struct pprof_state *state, uint32_t sample) {
	size_t n = state->file.types.n / 2;
	for (size_t i = 0; i < n && n > 1; i++) {
		struct buf *text = &state->run->name;
		buf_clear(text);
		utf8_repair(text, pprof_text(state, state->file.types.items[2 * i]));
		size_t end = text->n;
		utf8_repair(text, pprof_text(state, state->file.types.items[2 * i + 1]));
		profile_next_value(state->run->profile, str_to(buf_str(text), end),
				   str_from(buf_str(text), end),
				   state->file.sums.all.items[sample * n + i]);
	}
}

static int pprof_count_samples(struct pprof_state *state, size_t column) {
	size_t n = state->file.types.n / 2;
	for (uint32_t i = 0; i < state->file.samples.count; i++) {
		const struct intern_key *key = state->file.samples.keys[i];
		uint64_t count = state->file.sums.all.items[i * n + column];
		int result = pprof_find_stack(state, (struct str){key->bytes, key->len});
		if (result < 0) {
			return -1;
		}
		bool wants_all = profile_wants_values(state->run->profile) && n > 1;
		if (result == 0 && state->stack.n > 0 && (count > 0 || wants_all)) {
			if (wants_all) {
				pprof_tell_values(state, i);
			}
			profile_add(state->run->profile, state->stack.items, state->stack.n, count);
		}
	}
	if (state->file.sums.negative.n > column && state->file.sums.negative.items[column] > 0) {
		return run_warn(state->run, 0, "left out %llu negative values, -%llu in all",
				(unsigned long long)state->file.sums.negative.items[column],
				(unsigned long long)state->file.sums.negative_sums.items[column]);
	}
	return 0;
}

static int pprof_end_file(struct pprof_state *state, struct diag *diag) {
	if (pprof_check_texts(state, diag) != 0) {
		return -1;
	}
	size_t column = pprof_choose(state, diag), n = state->file.types.n / 2;
	if (column == SIZE_MAX) {
		return -1;
	}
	if (state->file.samples.count > 0 &&
	    state->file.sums.all.n / state->file.samples.count != n) {
		return diag_error(diag,
				  "%s: samples have %zu values, and there are %zu types of them",
				  input_name(state->file.input),
				  state->file.sums.all.n / state->file.samples.count, n);
	}
	pprof_note_unit(state, column);
	int result = pprof_compile(state, &state->file.dropped, "drop_frames");
	result = result == 0 ? pprof_compile(state, &state->file.kept, "keep_frames") : -1;
	for (size_t i = 0; i < state->file.locations_n && result == 0; i++) {
		result = pprof_resolve(state, &state->file.location_items[i], diag);
	}
	return result == 0 ? pprof_count_samples(state, column) : -1;
}

static void pprof_forget_file(struct pprof_state *state) {
	struct pprof_file *file = &state->file;
	struct number_list *numbers[] = {
		&file->text_ends,        &file->types,         &file->lines,
		&file->sums.all,         &file->sums.negative, &file->sums.negative_sums,
		&file->sample.locations, &file->sample.values, &file->sample.labels};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		free(numbers[i]->items);
	}
	struct intern *tables[] = {&file->samples, &file->locations, &file->functions,
				   &file->mappings};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		intern_release(tables[i]);
	}
	struct pprof_pattern *patterns[] = {&file->dropped, &file->kept};
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		if (patterns[i]->is_set) {
			regexp_release(&patterns[i]->regexp);
		}
	}
	buf_release(&file->field);
	buf_release(&file->sample.key);
	buf_release(&file->texts);
	free(file->location_items);
	free(file->mapped.items);
	free(file->places.items);
	free(file->function_items);
	*file = (struct pprof_file){0};
	state->frames.n = 0;
}

/* --- The collapser -------------------------------------------------------------------------- */

/** Return whether the bytes of a message are fields with numbers up to `most`. */
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

/** Return whether a field may be one of a profile. */
static bool pprof_is_field(const struct wire_field *field) {
	enum { PAIR = 2, MESSAGE = 10, FIELDS = 15 };
	static const char kinds[FIELDS + 1] = " pmmmmtnnnnpn?nn"; // by number
	char kind = field->number <= FIELDS ? kinds[field->number] : ' ';
	bool is_bytes = field->wire == WIRE_BYTES, is_number = field->wire == WIRE_NUMBER;
	return kind == 'p'   ? is_bytes && pprof_is_message(field->bytes, PAIR)
	       : kind == 'm' ? is_bytes && pprof_is_message(field->bytes, MESSAGE)
	       : kind == 't' ? is_bytes
	       : kind == 'n' ? is_number
			     : kind == '?' && (is_bytes || is_number);
}

/** Return whether bytes begin with fields of a profile, and a type of values or a sample is among
 * them. The last field may go on after the bytes. */
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

static int pprof_read(void *memory, struct input *input, struct diag *diag) {
	struct pprof_state *state = memory;
	state->file.input = input;
	int result = pprof_read_fields(state, diag);
	result = result == 0 ? pprof_end_file(state, diag) : -1;
	pprof_forget_file(state);
	return result;
}

/** Refuse text, which is not read here. */
static int pprof_block(void *memory, const struct block *block) {
	struct pprof_state *state = memory;
	return block->bytes.n == 0 ? 0
				   : run_error(state->run, 1,
					       "not a profile in the protocol buffers of pprof; "
					       "'inferno collapse "
					       "go' reads the text of 'go tool pprof -raw'");
}

static void pprof_find_unit(const void *memory, struct buf *unit) {
	const struct pprof_state *state = memory;
	buf_add_str(unit, buf_str(&state->unit));
}

static void pprof_release(void *memory) {
	struct pprof_state *state = memory;
	pprof_forget_file(state);
	memo_release(&state->names);
	buf_release(&state->unit);
	ids_release(&state->frames);
	ids_release(&state->stack);
}

static int pprof_sniff_read(struct str start) {
	return pprof_is_profile(start) ? SNIFF_MAGIC : SNIFF_NO;
}

static int pprof_sniff(struct str bytes, bool whole) {
	(void)whole;
	return pprof_sniff_read(bytes);
}

static const struct opt options[] = {
	{OPT_IS_LIST(struct pprof_options, label_frames), .name = "label-frames", .value = "KEY",
	 .help = "add the value of this label, such as thread, as a root frame; given again, one "
		 "below"},
	{OPT_IS_TEXT(struct pprof_options, sample_type), .name = "sample-type", .value = "TYPE",
	 .help = "what to count, such as cpu or alloc_space, instead of the profile's default, or "
		 "the last one"},
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
		 "those that they called. Labels are not shown without --label-frames. Addresses "
		 "without functions get the name of their file in brackets.",
	.examples = examples,
	.options = {options, sizeof(struct pprof_options)},
	.values = values,
	.state_size = sizeof(struct pprof_state),
	.sniff = pprof_sniff,
	.sniff_read = pprof_sniff_read,
	.read = pprof_read,
	.block = pprof_block,
	.find_unit = pprof_find_unit,
	.release = pprof_release,
	.expects = "a profile of pprof, with samples",
};
