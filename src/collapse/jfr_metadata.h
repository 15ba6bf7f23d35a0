/**
 * The metadata of a chunk of Java Flight Recorder, which names the types of events and their
 * fields. From the metadata, the reader makes lists of steps, which store the needed fields and
 * skip all other fields.
 */
#pragma once

#include "collapse/jfr_chunk.h"

/** The fields that the reader needs, of all types. */
enum jfr_slot {
	JFR_NOWHERE,
	JFR_TEXT,
	JFR_NAME,
	JFR_TYPE,
	JFR_METHOD,
	JFR_LINE,
	JFR_FRAMES,
	JFR_OS_NAME,
	JFR_JAVA_NAME,
	JFR_STACK,
	JFR_THREAD,
	JFR_STATE,
	JFR_START,
	JFR_CLASS,
	JFR_WEIGHT,
	JFR_TLAB_SIZE,
	JFR_ALLOCATION_SIZE,
	JFR_DURATION,
	JFR_SIZE,
	JFR_SAMPLES,
	JFR_SLOTS,
};

/** What to do with the next bytes of an event. */
struct jfr_step {
	enum { JFR_STEP_NUMBER, JFR_STEP_BYTES, JFR_STEP_STRING, JFR_STEP_LIST } what;
	enum jfr_slot slot;
	// number of bytes, or number of the following steps that read one item of a list
	uint32_t n;
};

struct jfr_field {
	struct str name;
	uint64_t type;
	bool pooled, list;
};

/** How samples of an event are counted. */
struct jfr_wanted {
	// fields with the count; the second is used if the first is 0
	enum jfr_slot value, otherwise;
	bool by_state; // whether the state of the thread decides if a sample is counted
	// Whether allocations outside of a new TLAB (thread-local buffer) have separate stacks.
	bool by_tlab;
};

/** A type of events, or of values in them. The reader of events fills the members after
 * `is_compiled`. */
struct jfr_type {
	uint64_t id;
	struct str name;
	size_t fields, fields_n; // range in `fields` of struct jfr_metadata
	size_t steps, steps_n;   // range in `steps` of struct jfr_metadata
	bool is_compiled, is_wanted, has_stack;
	struct jfr_wanted wanted;
	uint64_t events;
};

/** The metadata of a chunk. Initialise the struct with zeros. */
struct jfr_metadata {
	struct buf bytes;
	struct arena texts;
	struct str *strings;
	size_t strings_n, strings_capacity;
	struct jfr_type *types;
	size_t types_n, types_capacity;
	struct jfr_field *fields;
	size_t fields_n, fields_capacity;
	struct jfr_step *steps;
	size_t steps_n, steps_capacity;
	struct intern ids; // ids of types; `value` is the index of the type plus 1
	// index of a type plus 1, by id, for ids below JFR_SMALL_IDS; 0: no such type
	uint32_t *places;
};

enum { JFR_SMALL_IDS = 1 << 13 };

/** Read the metadata of the chunk. Return 0, or -1 after diag_error(). */
int jfr_read_metadata(struct jfr_file *file, struct jfr_metadata *metadata);

/** Return the type with an id, or NULL if there is no such type. */
static inline struct jfr_type *jfr_find_type(const struct jfr_metadata *metadata, uint64_t id) {
	if (id < JFR_SMALL_IDS) { // nearly all ids are small; finding them without a hash saves a
				  // quarter of the time for events
		uint32_t place = metadata->places[id];
		return place == 0 ? NULL : &metadata->types[place - 1];
	}
	const struct intern_key *key = intern_find(&metadata->ids, &id, sizeof(id));
	return key == NULL ? NULL : &metadata->types[key->value - 1];
}

/** Make the list of steps that read the values of a type. Return 0, or -1 after diag_error(). */
int jfr_compile(const struct jfr_file *file, struct jfr_metadata *metadata, struct jfr_type *type);

/** Read the values of a compiled type into `values`, which has an item for each slot. Return false
 * if the bytes end inside the values, or are damaged. */
bool jfr_run(const struct jfr_metadata *metadata, const struct jfr_type *type, struct str *rest,
	     struct jfr_value *values);

/** Read an item of the list whose step is `list` into `values`, as jfr_run() does. */
bool jfr_run_item(const struct jfr_step *list, struct str *rest, struct jfr_value *values);

void jfr_release_metadata(struct jfr_metadata *metadata);
