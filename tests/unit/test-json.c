/* JSON in pieces: the ends of the pieces must not change the items. */
#include "test.h"

#include "base/buf.h"
#include "collapse/json.h"

static bool test_json_note_item(void *context, const struct json_item *item, uint64_t line) {
	struct str a, b;
	enum json_kind kinds[] = {json_member(item, "a", &a), json_member(item, "b", &b)};
	buf_printf(context, "%d %d:%d:%.*s %d:%.*s\n", (int)line, json_is_object(item),
		   (int)kinds[0], (int)a.n, a.p, (int)kinds[1], (int)b.n, b.p);
	return true;
}

/** Read a text in pieces of `size` bytes. Return the items, and the error if there is one. */
static struct buf test_json_read_in_pieces(struct str text, size_t size) {
	struct buf found = {0};
	struct json *json = json_new("list", test_json_note_item, &found);
	bool good = true;
	for (size_t at = 0; at < text.n && good; at += size) {
		size_t n = text.n - at < size ? text.n - at : size;
		good = json_feed(json, (struct str){text.p + at, n}, at + n == text.n);
	}
	if (!good) {
		buf_printf(&found, "%d %s", (int)json_line(json), json_error(json));
	}
	json_free(json);
	return found;
}

static void test_json_check(const char *text, const char *expected) {
	for (size_t size = 1; size <= strlen(text); size++) {
		struct buf found = test_json_read_in_pieces(str_of(text), size);
		assert_string_equal(buf_text(&found), expected);
		buf_release(&found);
	}
}

static void test_json_items(void **state) {
	(void)state;
	test_json_check("[]", "");
	test_json_check("[{\"a\":1,\"b\":\"x\"},\n{\"b\":null,\"a\":{\"a\":2}},3]",
			"1 1:2:1 1:x\n2 1:3: 0:\n2 0:0: 0:\n");
	test_json_check(
		"{\"x\":{\"list\":[0]},\"list\":[{\"a\":-1.5e+3}],\"y\":[{\"a\":1}],\"list\":[[]]}",
		"1 1:2:-1.5e+3 0:\n1 0:0: 0:\n");
	test_json_check(
		"[{\"a\":\"\\u00e4\\ud83d\\ude00\\\\\\\"\",\"b\":\"\\ud83d\\n\"},", // no end
		"1 1:1:\xc3\xa4\xf0\x9f\x98\x80\\\" 1:\xef\xbf\xbd\n\n");
	test_json_check("[{\"a\":[{\"b\":1}],\"b\":true,\"b\":\"last\"}]", "1 1:3: 1:last\n");
}

static void test_json_errors(void **state) {
	(void)state;
	test_json_check("7 ", "1 expected an object or an array");
	test_json_check("[{\"a\":1}}", "1 1:2:1 0:\n1 ',' or ']' is missing in an array");
	test_json_check("[\n{\"a\":nul}]", "2 a word is none of true, false and null");
	test_json_check("[{\"a\":1", "1 unexpected end");
	test_json_check("[\"", "1 unexpected end");
	test_json_check("[1", ""); // the number may go on
	test_json_check("{\"list\":[1,]}", "1 0:0: 0:\n1 a value is missing");
	test_json_check("{\"other\":[1]}", "1 there is no array of events in it");
	test_json_check("{\"list\":7}", "1 the member with the events is not an array");
	test_json_check("{\"list\":{}}", "1 the member with the events is not an array");
	test_json_check("[]\n\n[", "3 more text comes after its end");
	test_json_check("[\"\\u12g4\"]", "1 four hexadecimal digits are missing after '\\u'");
	test_json_check("{1:2}", "1 the key of an object is not a string");
	test_json_check("{\"a\" 2}", "1 a key has no ':' after it");
	test_json_check("{\"a\":1}]", "1 more text comes after its end");
	test_json_check("[1.]", "1 a number has no digit after '.'");
	test_json_check("[-]", "1 a number has no digit after '-'");
	test_json_check("[1e+]", "1 a number has no digit in its exponent");
	test_json_check("[01]", "1 ',' or ']' is missing in an array");
	test_json_check("[\"\n\"]", "2 a string has a control character");
	test_json_check("[\"\\x\"]", "1 a string has an unknown escape");
	test_json_check("[}", "1 a value is missing");
	test_json_check("{,", "1 the key of an object is not a string");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_items),
		cmocka_unit_test(test_json_errors),
	};
	return RUN(tests);
}
