/** A thin layer over expat, the only one that knows it: elements in, as they come. */
#ifndef INFERNO_XML_H
#define INFERNO_XML_H

#include "base/str.h"

struct xml;

/** What to call for tags. Attributes are name, value, name, value ... NULL. Both return false to
 * stop the parser. */
struct xml_handler {
	bool (*start)(void *context, const char *name, const char *const *attributes);
	bool (*end)(void *context, const char *name);
};

struct xml *xml_new(const struct xml_handler *handler, void *context);

/** Parse more of the text; ill-formed UTF-8 becomes U+FFFD. False when it is not XML; not when a
 * handler stopped it. */
bool xml_feed(struct xml *xml, struct str bytes, bool last);

/** Whether all that is wrong with the text is that it ends too early. */
bool xml_is_cut_off(const struct xml *xml);

/** What is wrong with the text; a phrase. */
const char *xml_error(const struct xml *xml);

/** The line that the parser is at, counted from 1 at xml_new(). */
uint64_t xml_line(const struct xml *xml);

void xml_free(struct xml *xml);

#endif
