/* JSON in pieces: the ends of the pieces must not change the values. */
#include "test.h"

#include "base/buf.h"
#include "collapse/json_parser.h"

/** The result of a parser: its calls, as text. */
struct test_json_result {
	struct json_parser *parser;
	struct buf calls;
};

static bool test_json_note_value(void *context, enum json_kind kind, struct str text) {
	struct test_json_result *result = context;
	buf_printf(&result->calls, "%d:%.*s ", (int)kind, (int)text.n, text.p);
	return true;
}

static bool test_json_note_open(void *context, bool is_object) {
	struct test_json_result *result = context;
	buf_printf(&result->calls, "%d%c ", (int)json_parser_line(result->parser),
		   is_object ? '{' : '[');
	return true;
}

static bool test_json_note_close(void *context) {
	struct test_json_result *result = context;
	buf_add_text(&result->calls, "end ");
	return true;
}

static bool test_json_note_key(void *context, struct str key) {
	struct test_json_result *result = context;
	buf_printf(&result->calls, "%.*s=", (int)key.n, key.p);
	return true;
}

/** Read a text in pieces of `size` bytes. Return the calls, and the error if there is one. A text
 * that is an array may lack its end. */
static struct buf test_json_read_in_pieces(struct str text, size_t size) {
	static const struct json_calls calls = {test_json_note_value,
						test_json_note_open,
						test_json_note_close,
						test_json_note_key,
						NULL,
						NULL};
	struct test_json_result result = {0};
	result.parser = json_parser_new(&calls, &result);
	bool good = true;
	for (size_t at = 0; at < text.n && good; at += size) {
		size_t n = text.n - at < size ? text.n - at : size;
		good = json_parser_feed(result.parser, (struct str){text.p + at, n});
	}
	if (!good || !json_parser_end(result.parser, true)) {
		buf_printf(&result.calls, "%d %s", (int)json_parser_line(result.parser),
			   json_parser_error(result.parser));
	}
	json_parser_free(result.parser);
	return result.calls;
}

static void test_json_check(const char *text, const char *expected) {
	for (size_t size = 1; size <= strlen(text); size++) {
		struct buf found = test_json_read_in_pieces(str_of(text), size);
		assert_string_equal(buf_text(&found), expected);
		buf_release(&found);
	}
}

static void test_json_values(void **state) {
	(void)state;
	test_json_check("[]", "1[ end ");
	test_json_check("7 ", "2:7 ");
	test_json_check("[{\"a\":1,\"b\":\"x\"},\n{\"b\":null,\"a\":{\"a\":2}},3]",
			"1[ 1{ a=2:1 b=1:x end 2{ b=0: a=2{ a=2:2 end end 2:3 end ");
	test_json_check("{\"x\":{\"list\":[0]},\"list\":[{\"a\":-1.5e+3}],\"y\":[[]]}",
			"1{ x=1{ list=1[ 2:0 end end list=1[ 1{ a=2:-1.5e+3 end end y=1[ 1[ end "
			"end end ");
	test_json_check("[\"\\u00e4\\ud83d\\ude00\\\\\\\"\",\"\\ud83d\\n\"]",
			"1[ 1:\xc3\xa4\xf0\x9f\x98\x80\\\" 1:\xef\xbf\xbd\n end ");
	test_json_check("[{\"a\":[{\"b\":1}],\"b\":true,\"b\":\"last\"}]",
			"1[ 1{ a=1[ 1{ b=2:1 end end b=3: b=1:last end end ");
}

static void test_json_array_without_its_end(void **state) {
	(void)state;
	test_json_check("[", "1[ ");
	test_json_check("[{\"a\":1}", "1[ 1{ a=2:1 end ");
	test_json_check("[{\"a\":1},\n", "1[ 1{ a=2:1 end ");
	test_json_check("[1", "1[ 2:1 ");
	test_json_check("[\"", "1[ 1 unexpected end");
	test_json_check("[[", "1[ 1[ 1 unexpected end");
	test_json_check("[{\"a\":1", "1[ 1{ a=2:1 1 unexpected end");
	test_json_check("{\"a\":[1]", "1{ a=1[ 2:1 end 1 unexpected end");
}

static void test_json_errors(void **state) {
	(void)state;
	test_json_check("[{\"a\":1}}", "1[ 1{ a=2:1 end 1 ',' or ']' is missing in an array");
	test_json_check("[\n{\"a\":nul}]", "1[ 2{ a=2 a word is none of true, false and null");
	test_json_check("{\"list\":[1,]}", "1{ list=1[ 2:1 1 a value is missing");
	test_json_check("[]\n\n[", "1[ end 3 more text comes after its end");
	test_json_check("[\"\\u12g4\"]", "1[ 1 four hexadecimal digits are missing after '\\u'");
	test_json_check("{1:2}", "1{ 1 the key of an object is not a string");
	test_json_check("{\"a\" 2}", "1{ a=1 a key has no ':' after it");
	test_json_check("{\"a\":1}]", "1{ a=2:1 end 1 more text comes after its end");
	test_json_check("[1.]", "1[ 1 a number has no digit after '.'");
	test_json_check("[-]", "1[ 1 a number has no digit after '-'");
	test_json_check("[1e+]", "1[ 1 a number has no digit in its exponent");
	test_json_check("[01]", "1[ 1 ',' or ']' is missing in an array");
	test_json_check("[\"\n\"]", "1[ 2 a string has a control character");
	test_json_check("[\"\\x\"]", "1[ 1 a string has an unknown escape");
	test_json_check("[}", "1[ 1 a value is missing");
	test_json_check("{,", "1{ 1 the key of an object is not a string");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_values),
		cmocka_unit_test(test_json_array_without_its_end),
		cmocka_unit_test(test_json_errors),
	};
	return RUN(tests);
}
