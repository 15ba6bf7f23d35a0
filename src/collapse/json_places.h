/**
 * JSON for formats that know the places of their values. A table of rules gives a place, a small
 * number, to each object and array that matters; the rest is checked and dropped. Open values cost
 * a byte each.
 */
#ifndef INFERNO_JSON_PLACES_H
#define INFERNO_JSON_PLACES_H

#include "collapse/collapser.h"
#include "collapse/json_parser.h"

enum { JSON_NOWHERE, JSON_TOP, JSON_PLACES_MOST = 127 }; // JSON_TOP: the outermost object

#define JSON_ANY_KEY "*" // in a rule: any member of an object

/** An object or an array in a place has a place of its own. */
struct json_rule {
	uint8_t in;
	const char *key; // NULL: an item of an array
	uint8_t place;   // JSON_NOWHERE ends the table
};

/** The functions to call for values in places. Each returns false to stop, after run_error() or the
 * like. */
struct json_places_calls {
	const struct json_rule *rules;
	/** An object or an array with this place begins, or ends. */
	bool (*open)(void *state, unsigned place);
	bool (*close)(void *state, unsigned place);
	/** A member of an object in this place, or with an empty key, an item of an array, is a
	 * string, a number or something else. The texts are valid until it returns. */
	bool (*value)(void *state, unsigned place, struct str key, enum json_kind kind,
		      struct str text);
	/** Take items of an array in this place, one after another, which are numbers of digits
	 * only. NULL: value() takes them. */
	bool (*integers)(void *state, unsigned place, const uint64_t *items, size_t n);
};

/** A zeroed one is closed. */
struct json_places {
	const struct json_places_calls *calls;
	void *state;
	struct json_parser *parser;
	struct buf levels; // of open values: the place, and JSON_IS_ARRAY
	struct buf key;    // the last one
	bool stopped;
	bool open_line; // the last block ended inside a line
};

/** Read a block of a file. `what` the file should be is for messages, as in "a profile". Return 0,
 * or -1 if the run must end. */
int json_places_block(struct json_places *places, struct run *run, const struct block *block,
		      const char *what);

void json_places_release(struct json_places *places);

#endif
