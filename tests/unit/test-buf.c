/* Growable bytes. */
#include "test.h"

static void test_buf_empty(void **state) {
	(void)state;
	struct buf buf = {0};
	assert_str(buf_str(&buf), "");
	assert_string_equal(buf_text(&buf), "");
	buf_release(&buf);
	buf_release(&buf);
	assert_null(buf.p);
}

static void test_buf_every_adder(void **state) {
	(void)state;
	struct buf buf = {0};
	buf_add(&buf, "a\0b", 3);
	buf_add(&buf, NULL, 0);
	buf_add_str(&buf, STR("-"));
	buf_add_text(&buf, "text");
	buf_add_char(&buf, ' ');
	buf_add_u64(&buf, UINT64_MAX);
	buf_printf(&buf, "%s%d", "|", -7);
	buf_printf(&buf, "%s", "");
	assert_bytes(buf_str(&buf), "a\0b-text 18446744073709551615|-7");
	assert_int_equal(buf_text(&buf)[buf.n], '\0');
	buf_clear(&buf);
	assert_str(buf_str(&buf), "");
	buf_release(&buf);
}

static void test_buf_text_ends_after_a_shorter_one(void **state) {
	(void)state;
	struct buf buf = {0};
	buf_add_text(&buf, "long text");
	buf_clear(&buf);
	buf_add_text(&buf, "ab");
	assert_string_equal(buf_text(&buf), "ab");
	buf_release(&buf);
}

static void test_buf_grows(void **state) {
	(void)state;
	enum { MANY = 100000 };
	struct buf buf = {0};
	for (size_t i = 0; i < MANY; i++) {
		buf_add_char(&buf, (char)('a' + i % 26));
	}
	assert_int_equal(buf.n, MANY);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(buf.p[i], 'a' + i % 26);
	}
	char *room = buf_room(&buf, 1 << 20);
	memset(room, 'z', 1 << 20);
	buf.n += 1 << 20;
	assert_int_equal(buf.p[MANY - 1], 'a' + (MANY - 1) % 26);
	assert_int_equal(buf.p[buf.n - 1], 'z');
	buf_release(&buf);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buf_empty),
		cmocka_unit_test(test_buf_every_adder),
		cmocka_unit_test(test_buf_text_ends_after_a_shorter_one),
		cmocka_unit_test(test_buf_grows),
	};
	return RUN(tests);
}
