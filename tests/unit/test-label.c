/* Labels: names that are shortened to fit. */
#include "test.h"

#include "base/utf8.h"
#include "picture/label.h"

/** For any name, the label must fit, be well-formed, and contain more than an ellipsis.
 */
static void test_label_any_name_fits(void **state) {
	(void)state;
	static const char *const parts[] = {"a",        "::",     "(", ")", "<",      ">",
					    "operator", "->",     "/", ".", " ",      "{",
					    "}",        "\u4e2d", "[", "]", " const", "bc"};
	enum { PARTS = sizeof(parts) / sizeof(parts[0]), ROUNDS = 20000 };
	struct random random = {1};
	struct buf name = {0}, buf = {0};
	for (size_t i = 0; i < ROUNDS; i++) {
		buf_clear(&name);
		for (uint64_t n = 1 + random_next(&random) % 30; n > 0; n--) {
			buf_add_text(&name, parts[random_next(&random) % PARTS]);
		}
		size_t room = 3 + (size_t)(random_next(&random) % 20);
		struct str label = label_shorten(buf_str(&name), room, &buf);
		assert_true(label.n > 0);
		assert_true(utf8_valid(label));
		assert_true(utf8_count(label) <= room);
		assert_false(str_eq(label, STR("\u2026")));
	}
	buf_release(&name);
	buf_release(&buf);
}

static void test_label_brackets_may_be_deep(void **state) {
	(void)state;
	enum { DEEP = 200 };
	struct buf name = {0}, buf = {0};
	for (size_t i = 0; i < DEEP; i++) {
		buf_add_text(&name, "f(");
	}
	for (size_t i = 0; i < DEEP; i++) {
		buf_add_char(&name, ')');
	}
	assert_int_equal(utf8_count(label_shorten(buf_str(&name), 5, &buf)), 5);
	buf_release(&name);
	buf_release(&buf);
}

static void test_label_a_long_name_is_cut(void **state) {
	(void)state;
	struct buf name = {0}, buf = {0};
	for (size_t i = 0; i < 100000; i++) {
		buf_add_text(&name, "a::<(");
	}
	assert_true(str_eq(label_shorten(buf_str(&name), 5, &buf), STR("a::<\u2026")));
	buf_release(&name);
	buf_release(&buf);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label_any_name_fits),
		cmocka_unit_test(test_label_brackets_may_be_deep),
		cmocka_unit_test(test_label_a_long_name_is_cut),
	};
	return RUN(tests);
}
