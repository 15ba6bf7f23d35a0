/* Fuzz target for the reader of JSON: the result must not depend on how a text is divided into
 * pieces. */
#include "collapse/json_parser.h"

#include "base/buf.h"
#include "base/num.h"

#include "binary.h"

enum { STOPS_AFTER = 1000 };

/** The result of a parser. */
struct fuzz_json_found {
	struct json_parser *parser;
	struct buf text;
	size_t values;
};

static bool fuzz_json_value(void *context, enum json_kind kind, struct str text) {
	struct fuzz_json_found *found = context;
	buf_printf(&found->text, "%d:", (int)kind);
	buf_add_str(&found->text, text);
	buf_add_char(&found->text, '\n');
	return ++found->values < STOPS_AFTER;
}

static bool fuzz_json_open(void *context, bool is_object) {
	struct fuzz_json_found *found = context;
	buf_printf(&found->text, "%llu%c", (unsigned long long)json_parser_line(found->parser),
		   is_object ? '{' : '[');
	return true;
}

static bool fuzz_json_close(void *context) {
	struct fuzz_json_found *found = context;
	buf_add_text(&found->text, "end ");
	return true;
}

static bool fuzz_json_key(void *context, struct str key) {
	struct fuzz_json_found *found = context;
	buf_add_str(&found->text, key);
	buf_add_char(&found->text, '=');
	return true;
}

/** Read a text in pieces of up to `most` bytes. */
static void fuzz_json_read_pieces(struct fuzz_json_found *found, struct str input, size_t most,
				  struct random *source) {
	static const struct json_calls calls = {fuzz_json_value, fuzz_json_open, fuzz_json_close,
						fuzz_json_key,   NULL,           NULL};
	found->parser = json_parser_new(&calls, found);
	bool sound = true;
	while (sound && input.n > 0) {
		size_t n = 1 + random_below(source, most);
		n = n < input.n ? n : input.n;
		sound = json_parser_feed(found->parser, str_to(input, n));
		input = str_from(input, n);
	}
	if (found->values < STOPS_AFTER) {
		sound = sound && json_parser_end(found->parser, true);
		buf_printf(&found->text, "%s at %llu\n",
			   sound ? "sound" : json_parser_error(found->parser),
			   (unsigned long long)json_parser_line(found->parser));
	}
	json_parser_free(found->parser);
}

void fuzz_json(struct str input, struct random *source) {
	struct fuzz_json_found whole = {0}, pieces = {0};
	fuzz_json_read_pieces(&whole, input, SIZE_MAX / 2, source);
	fuzz_json_read_pieces(&pieces, input, 16, source);
	fuzz_require(str_eq(buf_str(&whole.text), buf_str(&pieces.text)),
		     "pieces are read differently", buf_str(&pieces.text));
	buf_release(&whole.text);
	buf_release(&pieces.text);
}
