/**
 * A reader of JSON in pieces. The reader passes on the items of one long array, one at a time. The
 * array is the whole text, or a member of its outermost object.
 *
 * The reader keeps the keys, strings and numbers of the members of an item until the next item.
 * Nested values cost one byte for each level.
 */
#pragma once

#include "collapse/json_parser.h"

struct json;
struct json_item;

/** A function to call for each item. The item begins at line `line`. The function returns false to
 * stop the reader. */
typedef bool json_on_item(void *context, const struct json_item *item, uint64_t line);

/** Return a reader for an array that is the member `name` of an object, or the whole text. */
struct json *json_new(const char *name, json_on_item *on_item, void *context);

/** Read more of the text. Return false if the text is not JSON or lacks the array. A stop of the
 * reader by on_item() is not an error. `last` says whether these bytes are the last. An array that
 * is the whole text may lack its end. */
bool json_feed(struct json *json, struct str bytes, bool last);

/** Return a description of the fault in the text, as a phrase. */
const char *json_error(const struct json *json);

/** Return the current line, counted from 1 at json_new(). */
uint64_t json_line(const struct json *json);

void json_free(struct json *json);

bool json_is_object(const struct json_item *item);

/**
 * Return the kind of the member with a name, and set `*text` to its text. If several members have
 * the name, use the last. The text is valid until on_item() returns.
 */
enum json_kind json_member(const struct json_item *item, const char *name, struct str *text);
