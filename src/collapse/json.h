/**
 * A reader of JSON in pieces: the items of one long array, one at a time. The array is all of the
 * text, or a member of its outermost object.
 *
 * Of an item only the members that are strings or numbers are kept, until the next item. Values
 * inside each other cost a byte a level.
 */
#ifndef INFERNO_JSON_H
#define INFERNO_JSON_H

#include "base/str.h"

struct json;
struct json_item;

/** What to call for an item that began at `line`. False stops the reader. */
typedef bool json_on_item(void *context, const struct json_item *item, uint64_t line);

/** Return a reader for the array that is the member `name` of an object, or that has no object
 * around it. */
struct json *json_new(const char *name, json_on_item *on_item, void *context);

/**
 * Read more of the text. Return false when it is not JSON, or has not the array; not when an item
 * stopped it. An array without an object around it may lack its end.
 */
bool json_feed(struct json *json, struct str bytes, bool last);

/** Return what is wrong with the text; a phrase. */
const char *json_error(const struct json *json);

/** Return the line that the reader is at, counted from 1 at json_new(). */
uint64_t json_line(const struct json *json);

void json_free(struct json *json);

enum json_kind { JSON_MISSING, JSON_STRING, JSON_NUMBER, JSON_OTHER };

bool json_is_object(const struct json_item *item);

/**
 * Look up a member of an object, the last of that name; a null is missing, too. A string's text has
 * its escapes resolved and may be ill-formed UTF-8, a number's is as it was written. It is valid
 * until on_item returns.
 */
enum json_kind json_member(const struct json_item *item, const char *name, struct str *text);

#endif
