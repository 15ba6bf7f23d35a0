/* JSON in pieces, with yajl, which reports each token. */
#include "collapse/json_parser.h"

#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "base/buf.h"
#include "base/mem.h"

struct json_parser {
	yajl_handle parser;
	const struct json_calls *calls;
	void *context;
	size_t silent;    // bytes read since the last token
	bool stopped;     // a call returned false
	struct str piece; // the bytes that are being read
	size_t counted;   // how many of them are in `line`
	uint64_t line;    // the line at `counted`, from 1
	const char *error;
	struct buf error_text;
};

bool json_parser_fail(struct json_parser *parser, const char *error) {
	parser->error = parser->error == NULL ? error : parser->error;
	return false;
}

const char *json_parser_error(const struct json_parser *parser) {
	return parser->error;
}

/** Count the lines up to yajl's place in the text. */
uint64_t json_parser_line(struct json_parser *parser) {
	size_t at = yajl_get_bytes_consumed(parser->parser);
	at = at < parser->piece.n ? at : parser->piece.n;
	while (parser->counted < at) {
		struct str rest = str_from(str_to(parser->piece, at), parser->counted);
		size_t end = str_find(rest, '\n');
		parser->line += end != STR_NONE;
		parser->counted = end == STR_NONE ? at : parser->counted + end + 1;
	}
	return parser->line;
}

/* --- What yajl calls ------------------------------------------------------------------------ */

/** Note whether a call stops the parser. */
static int json_parser_go_on(struct json_parser *parser, bool goes_on) {
	parser->silent = 0;
	parser->stopped = !goes_on;
	return goes_on;
}

static int json_parser_value(struct json_parser *parser, enum json_kind kind, struct str text) {
	return json_parser_go_on(parser, parser->calls->value(parser->context, kind, text));
}

static int json_parser_on_null(void *context) {
	return json_parser_value(context, JSON_MISSING, STR(""));
}

static int json_parser_on_boolean(void *context, int value) {
	(void)value;
	return json_parser_value(context, JSON_OTHER, STR(""));
}

static int json_parser_on_number(void *context, const char *text, size_t n) {
	return json_parser_value(context, JSON_NUMBER, (struct str){text, n});
}

static int json_parser_on_string(void *context, const unsigned char *text, size_t n) {
	return json_parser_value(context, JSON_STRING, (struct str){(const char *)text, n});
}

static int json_parser_on_object(void *context) {
	struct json_parser *parser = context;
	return json_parser_go_on(parser, parser->calls->open(parser->context, true));
}

static int json_parser_on_array(void *context) {
	struct json_parser *parser = context;
	return json_parser_go_on(parser, parser->calls->open(parser->context, false));
}

static int json_parser_on_end(void *context) {
	struct json_parser *parser = context;
	return json_parser_go_on(parser, parser->calls->close(parser->context));
}

static int json_parser_on_key(void *context, const unsigned char *text, size_t n) {
	struct json_parser *parser = context;
	struct str key = {(const char *)text, n};
	return json_parser_go_on(parser, parser->calls->key(parser->context, key));
}

/* These never return NULL, because yajl does not check its memory. */

static void *json_parser_resize(void *context, void *memory, size_t size) {
	(void)context;
	memory = realloc(memory, size);
	if (memory == NULL) {
		inferno_out_of_memory();
	}
	return memory;
}

static void *json_parser_allocate(void *context, size_t size) {
	return json_parser_resize(context, NULL, size);
}

static void json_parser_release(void *context, void *memory) {
	(void)context;
	free(memory);
}

struct json_parser *json_parser_new(const struct json_calls *calls, void *context) {
	static const yajl_callbacks callbacks = {
		.yajl_null = json_parser_on_null,
		.yajl_boolean = json_parser_on_boolean,
		.yajl_number = json_parser_on_number,
		.yajl_string = json_parser_on_string,
		.yajl_start_map = json_parser_on_object,
		.yajl_map_key = json_parser_on_key,
		.yajl_end_map = json_parser_on_end,
		.yajl_start_array = json_parser_on_array,
		.yajl_end_array = json_parser_on_end,
	};
	static yajl_alloc_funcs memory = {json_parser_allocate, json_parser_resize,
					  json_parser_release, NULL};
	struct json_parser *parser = mem_new(1, sizeof(*parser));
	parser->parser = yajl_alloc(&callbacks, &memory, parser);
	yajl_config(parser->parser, yajl_dont_validate_strings, 1);
	parser->calls = calls;
	parser->context = context;
	parser->line = 1;
	return parser;
}

/* --- Pieces --------------------------------------------------------------------------------- */

/** Put yajl's error, such as "parse error: unallowed token.\n", into words. */
static void json_parser_describe(struct json_parser *parser) {
	unsigned char *text = yajl_get_error(parser->parser, 0, NULL, 0);
	struct str phrase = str_trim(str_of((const char *)text));
	size_t kind = str_find_str(phrase, STR(": "));
	phrase = kind == STR_NONE ? phrase : str_from(phrase, kind + 2);
	buf_add_str(&parser->error_text, str_to(phrase, phrase.n - str_ends(phrase, STR("."))));
	yajl_free_error(parser->parser, text);
	parser->error = buf_text(&parser->error_text);
}

bool json_parser_feed(struct json_parser *parser, struct str bytes) {
	static const size_t longest = (size_t)1 << 30; // a longer token is not a name
	parser->silent += bytes.n;
	if (parser->silent > longest) {
		return json_parser_fail(parser, "a string is longer than a gigabyte");
	}
	parser->piece = bytes;
	parser->counted = 0;
	yajl_status status = yajl_parse(parser->parser, (const unsigned char *)bytes.p, bytes.n);
	json_parser_line(parser);
	if (status != yajl_status_ok && !parser->stopped && parser->error == NULL) {
		json_parser_describe(parser);
	}
	return status == yajl_status_ok;
}

bool json_parser_end(struct json_parser *parser) {
	return yajl_complete_parse(parser->parser) == yajl_status_ok ||
	       json_parser_fail(parser, "unexpected end");
}

void json_parser_free(struct json_parser *parser) {
	if (parser != NULL) {
		yajl_free(parser->parser);
		buf_release(&parser->error_text);
		free(parser);
	}
}
