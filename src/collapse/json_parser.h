/** A parser of JSON that gets the text in pieces. The parser calls a function for each token,
 * counts lines, and describes faults as phrases. */
#pragma once

#include "base/str.h"

enum json_kind { JSON_MISSING, JSON_STRING, JSON_NUMBER, JSON_OTHER };

/** The functions that the parser calls. Each function returns false to stop the parser. Texts are
 * valid until the function returns. The text of a string has its escapes resolved, and may be
 * ill-formed UTF-8. The text of a number is as written. */
struct json_calls {
	// a value that is neither an object nor an array
	bool (*value)(void *context, enum json_kind kind, struct str text);
	bool (*open)(void *context, bool is_object); // an object or an array begins
	bool (*close)(void *context);
	bool (*key)(void *context, struct str key);
	/** A function that is called with consecutive items of an array that are numbers of digits
	 * only. NULL: value() is called for each of these numbers, as for all other numbers. */
	bool (*integers)(void *context, const uint64_t *items, size_t n);
	/** A function that is called when an item of an array is an object. It gets the text from
	 * the start of this object to the end of the piece. The function may read this object and
	 * the next objects itself. The function returns the length up to the end of the last object
	 * that it has read, 0 if it has read none, or STR_NONE to stop the parser. NULL: the parser
	 * reads all objects. */
	size_t (*objects)(void *context, struct str text);
};

/** Return the number of blanks at the start of a text. */
static inline size_t json_blanks(struct str text) {
	size_t n = 0;
	while (n < text.n &&
	       (text.p[n] == ' ' || text.p[n] == '\n' || text.p[n] == '\r' || text.p[n] == '\t')) {
		n++;
	}
	return n;
}

struct json_parser;

struct json_parser *json_parser_new(const struct json_calls *calls, void *context);

/** Read more of the text. Return false if the text is not JSON, or if a called function stopped the
 * parser. */
bool json_parser_feed(struct json_parser *parser, struct str bytes);

/** End the text. Return false if the text is incomplete. If `may_be_open` is set, a text that is an
 * array may lack the end of this array. */
bool json_parser_end(struct json_parser *parser, bool may_be_open);

/** Store a description of a fault, as a phrase. Only the first fault is kept. Return false. */
bool json_parser_fail(struct json_parser *parser, const char *error);

/** Return the description of the fault, or NULL if there is none. */
const char *json_parser_error(const struct json_parser *parser);

/** Return the current line, counted from 1 at json_parser_new(). */
uint64_t json_parser_line(struct json_parser *parser);

void json_parser_free(struct json_parser *parser);
