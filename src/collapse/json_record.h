/**
 * The fast reader of records: objects of the same shape that fill an array, such as `{"type":"O",
 * "frame":7,"at":1.5}`. The text between the values of the first record is kept, and compared with
 * the text of the next records. Records of another shape are left to the general reader,
 * json_parser.h, which gives the same result.
 */
#pragma once

#include "base/buf.h"
#include "collapse/json_parser.h"

enum { JSON_FIELDS_MOST = 4, JSON_SHAPE_MOST = 8 };

/** A member of a record. */
struct json_field {
	enum json_kind kind; // JSON_MISSING: the record has no such member
	struct str text;     // as for json_calls.value()
};

/** A value of a record, in the order of the file. */
struct json_shape_value {
	size_t from, until; // range of the text before the value, in `example`
	size_t field;       // index of its field; JSON_FIELDS_MOST: not wanted
	bool is_string;
};

/** The shape of a record. A zeroed shape matches nothing. */
struct json_shape {
	struct buf example;
	struct json_shape_value values[JSON_SHAPE_MOST];
	size_t n;   // number of values; 0: no shape was learnt
	size_t end; // index in `example` at which the text after the last value begins
};

/** Return the index of a key in a list that ends with NULL, or JSON_FIELDS_MOST. */
size_t json_record_field(struct str key, const char *const *keys);

/** Set the shape to the shape of the record at the start of a text. `keys` are the keys of the
 * wanted fields, with NULL at the end. If the record has escapes, more than JSON_SHAPE_MOST
 * members, or values other than strings and numbers, make the shape empty. */
void json_shape_learn(struct json_shape *shape, struct str text, const char *const *keys);

/** Read a record at the start of a text. Set the fields of the record, an array of JSON_FIELDS_MOST
 * items, and return the length of the record. Return 0 if the record has another shape, or may
 * continue after the end of the text. */
size_t json_shape_match(const struct json_shape *shape, struct str text, struct json_field *fields);
