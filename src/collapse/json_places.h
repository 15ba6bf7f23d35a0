/**
 * Read JSON for formats that find their values by place. A table of rules assigns a place, a small
 * number, to each object and array that the format needs. All other values are checked and dropped.
 * Each open value takes one byte.
 */
#pragma once

#include "collapse/collapser.h"
#include "collapse/json_record.h"

enum { JSON_NOWHERE, JSON_TOP, JSON_PLACES_MOST = 127 }; // JSON_TOP: the outermost object

#define JSON_ANY_KEY "*" // in a rule: any member of an object

/** A rule: the place of an object or an array that is inside another place. */
struct json_rule {
	uint8_t in;
	const char *key; // key of the member; NULL: an item of an array
	uint8_t place;   // JSON_NOWHERE ends the table
};

/** The records of a format. A record is an object of strings and numbers that is an item of an
 * array. */
struct json_records {
	// Place of each record; open(), close() and value() are not called for records.
	uint8_t place;
	// Keys of the wanted members, at most JSON_FIELDS_MOST, ended by NULL.
	const char *const *keys;
	/** A function that is called with each record. The function returns false to stop, after it
	 * has reported an error. */
	bool (*take)(void *state, const struct json_field *fields);
};

/** The functions to call for values in places. Each function returns false to stop, after it has
 * reported an error. */
struct json_places_calls {
	const struct json_rule *rules;
	/** Functions that are called when an object or an array with this place begins, or ends. */
	bool (*open)(void *state, unsigned place);
	bool (*close)(void *state, unsigned place);
	/** A function that is called with each member of an object in this place, and with each
	 * item of an array in this place, whose key is empty. The value is neither an object nor an
	 * array, and members that are null are left out. The texts are valid until the function
	 * returns. */
	bool (*value)(void *state, unsigned place, struct str key, enum json_kind kind,
		      struct str text);
	/** A function that is called with consecutive items of an array in this place that are
	 * numbers of digits only. NULL: value() is called for each of these numbers. */
	bool (*integers)(void *state, unsigned place, const uint64_t *items, size_t n);
	const struct json_records *records; // NULL: no place has records
	// Place of the outermost value if it is an array, which may lack its end. JSON_NOWHERE: the
	// array is dropped.
	uint8_t list;
};

/** A reader, which is zeroed at the start. */
struct json_places {
	const struct json_places_calls *calls;
	void *state;
	struct json_parser *parser;
	uint64_t lines_before;                      // number of lines before this block
	struct buf levels;                          // by open value: its place, and JSON_IS_ARRAY
	struct buf key;                             // the last key in a place
	struct json_shape shape;                    // shape of the records
	struct json_field fields[JSON_FIELDS_MOST]; // fields of the record that is being read
	struct buf texts[JSON_FIELDS_MOST];
	bool stopped;
	bool open_line; // whether the last block ended inside a line
};

/** Read a block of a file, and call the functions with `state`, the state of the format. `what`
 * describes the kind of the file in messages, such as "a profile". Return 0, or -1 if the run must
 * end. */
int json_places_block(struct json_places *places, const struct json_places_calls *calls,
		      void *state, const struct block *block, const char *what);

/** Return whether the innermost open value is an array. */
bool json_places_in_array(const struct json_places *places);

void json_places_release(struct json_places *places);
