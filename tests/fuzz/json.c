/* Fuzz target for the reader of JSON: the result must not depend on how a text is divided into
 * pieces. */
#include "collapse/json.h"

#include "base/buf.h"
#include "base/num.h"

#include "binary.h"

enum { STOPS_AFTER = 1000 };

/** The result of a reader. */
struct fuzz_json_found {
	struct buf text;
	size_t items;
};

static bool fuzz_json_on_item(void *context, const struct json_item *item, uint64_t line) {
	static const char *const members[] = {"name", "ph", "ts", ""};
	struct fuzz_json_found *found = context;
	buf_printf(&found->text, "item at %llu %d", (unsigned long long)line, json_is_object(item));
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		struct str text = STR("");
		enum json_kind kind = json_member(item, members[i], &text);
		buf_printf(&found->text, " %d:", (int)kind);
		if (kind == JSON_STRING || kind == JSON_NUMBER) {
			buf_add_str(&found->text, text);
		}
	}
	buf_add_char(&found->text, '\n');
	return ++found->items < STOPS_AFTER;
}

/** Read a text in pieces of up to `most` bytes. */
static void fuzz_json_read_pieces(struct fuzz_json_found *found, struct str input, size_t most,
				  struct random *source) {
	struct json *json = json_new("traceEvents", fuzz_json_on_item, found);
	bool sound = true, last = false;
	while (sound && !last && found->items < STOPS_AFTER) {
		size_t n = 1 + random_below(source, most);
		n = n < input.n ? n : input.n;
		last = n == input.n;
		sound = json_feed(json, str_to(input, n), last);
		input = str_from(input, n);
	}
	buf_printf(&found->text, "%s at %llu\n", sound ? "sound" : json_error(json),
		   (unsigned long long)json_line(json));
	json_free(json);
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
