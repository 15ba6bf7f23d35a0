/** An XML parser: a thin layer over expat. The parser passes on each tag as soon as the tag is
 * read. */
#pragma once

#include "base/str.h"

struct xml;

/** Functions to call for tags. `attributes` lists name, value, name, value ... and ends with NULL.
 * A function returns false to stop the parser. */
struct xml_handler {
	bool (*start)(void *context, const char *name, const char *const *attributes);
	bool (*end)(void *context, const char *name);
};

struct xml *xml_new(const struct xml_handler *handler, void *context);

/** Parse more of the text. Ill-formed UTF-8 becomes U+FFFD. Return false if the text is not XML. A
 * handler that stops the parser is not an error. */
bool xml_feed(struct xml *xml, struct str bytes, bool last);

/** Return whether the text is valid except that it ends too early. */
bool xml_is_cut_off(const struct xml *xml);

/** Return a description of the fault in the text, as a phrase. */
const char *xml_error(const struct xml *xml);

/** Return the current line, counted from 1 at xml_new(). */
uint64_t xml_line(const struct xml *xml);

void xml_free(struct xml *xml);
