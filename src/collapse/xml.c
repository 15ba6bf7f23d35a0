/* An XML parser: a thin layer over expat. */
#include "collapse/xml.h"

#include <expat.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9 // later versions deprecate the old name
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber
#endif

struct xml {
	XML_Parser parser;
	const struct xml_handler *handler;
	void *context;
	struct buf text; // the repaired text
	struct buf tail; // end of the last text, which may be an incomplete character
};

static void xml_on_start(void *user, const XML_Char *name, const XML_Char **attributes) {
	struct xml *xml = user;
	if (!xml->handler->start(xml->context, name, (const char *const *)attributes)) {
		XML_StopParser(xml->parser, XML_FALSE);
	}
}

static void xml_on_end(void *user, const XML_Char *name) {
	struct xml *xml = user;
	if (!xml->handler->end(xml->context, name)) {
		XML_StopParser(xml->parser, XML_FALSE);
	}
}

struct xml *xml_new(const struct xml_handler *handler, void *context) {
	struct xml *xml = mem_new(1, sizeof(*xml));
	xml->handler = handler;
	xml->context = context;
	// Ignore the declared encoding, because xml_feed() repairs the text to UTF-8.
	xml->parser = XML_ParserCreate("UTF-8");
	if (xml->parser == NULL) {
		inferno_out_of_memory();
	}
	XML_SetUserData(xml->parser, xml);
	XML_SetElementHandler(xml->parser, xml_on_start, xml_on_end);
	return xml;
}

bool xml_feed(struct xml *xml, struct str bytes, bool last) {
	buf_add_str(&xml->tail, bytes);
	struct str all = buf_str(&xml->tail);
	size_t open = last ? 0 : utf8_open_tail(all);
	buf_clear(&xml->text);
	utf8_repair(&xml->text, str_to(all, all.n - open));
	memmove(xml->tail.p == NULL ? buf_room(&xml->tail, 1) : xml->tail.p, all.p + all.n - open,
		open);
	xml->tail.n = open;
	// Pass the text in parts, because expat counts bytes in int.
	enum { PIECE = 1 << 24 };
	struct str rest = buf_str(&xml->text);
	do {
		size_t n = rest.n < PIECE ? rest.n : PIECE;
		bool end = last && n == rest.n;
		if (XML_Parse(xml->parser, rest.p, (int)n, end) != XML_STATUS_OK) {
			return XML_GetErrorCode(xml->parser) == XML_ERROR_ABORTED;
		}
		rest = str_from(rest, n);
	} while (rest.n > 0);
	return true;
}

bool xml_is_cut_off(const struct xml *xml) {
	enum XML_Error error = XML_GetErrorCode(xml->parser);
	return error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN ||
	       error == XML_ERROR_PARTIAL_CHAR || error == XML_ERROR_UNCLOSED_CDATA_SECTION;
}

const char *xml_error(const struct xml *xml) {
	return XML_ErrorString(XML_GetErrorCode(xml->parser));
}

uint64_t xml_line(const struct xml *xml) {
	return XML_GetCurrentLineNumber64(xml->parser);
}

void xml_free(struct xml *xml) {
	if (xml != NULL) {
		XML_ParserFree(xml->parser);
		buf_release(&xml->text);
		buf_release(&xml->tail);
		free(xml);
	}
}
