/* UTF-8: valid text, and the repair of other bytes. */
#include "test.h"

#include "base/utf8.h"

#define R UTF8_REPLACEMENT

struct repair {
	struct str from, to;
};

static void test_utf8_each_maximal_part_becomes_one_replacement(void **state) {
	(void)state;
	static const struct repair repairs[] = {
		{STR_INIT(""), STR_INIT("")},
		{STR_INIT("plain"), STR_INIT("plain")},
		{STR_INIT("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		 STR_INIT("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80")},
		{STR_INIT("a\0b"), STR_INIT("a\0b")},
		{STR_INIT("\xe2\x82 "), STR_INIT(R " ")},
		{STR_INIT("\xf0\x9f\x92x"), STR_INIT(R "x")},
		{STR_INIT("\xc0\xaf"), STR_INIT(R R)},
		{STR_INIT("\xff"), STR_INIT(R)},
		{STR_INIT("\x80\x80"), STR_INIT(R R)},
		{STR_INIT("\xed\xa0\x80"), STR_INIT(R R R)}, // a surrogate
		{STR_INIT("\xe0\x80\x80"), STR_INIT(R R R)}, // too long
		{STR_INIT("\xf0\x80\x80\x80"), STR_INIT(R R R R)},
		{STR_INIT("\xf4\x90\x80\x80"), STR_INIT(R R R R)}, // above U+10FFFF
		{STR_INIT("\xf5\x80"), STR_INIT(R R)},
		{STR_INIT("\xf0\x9f\xf0\x9f\x98\x80"), STR_INIT(R "\xf0\x9f\x98\x80")},
		{STR_INIT("\xe2\xe2\x82\xac\xe2\x82"), STR_INIT(R "\xe2\x82\xac" R)},
		{STR_INIT("eight by\xc3te's \xff."), STR_INIT("eight by" R "te's " R ".")},
		// An example of the Unicode standard: version 15, table 3-8.
		{STR_INIT("\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64"),
		 STR_INIT("a" R R R "b" R "c" R R "d")},
	};
	for (size_t i = 0; i < sizeof(repairs) / sizeof(repairs[0]); i++) {
		struct buf out = {0};
		utf8_repair(&out, repairs[i].from);
		check_str(buf_str(&out), repairs[i].to, __FILE__, __LINE__);
		assert_int_equal(utf8_valid(repairs[i].from),
				 str_eq(repairs[i].from, repairs[i].to));
		assert_true(utf8_valid(buf_str(&out)));
		buf_release(&out);
	}
}

static void test_utf8_what_a_terminal_obeys_is_not_shown(void **state) {
	(void)state;
	static const struct repair shown[] = {
		{STR_INIT(""), STR_INIT("")},
		{STR_INIT("a/\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 b"),
		 STR_INIT("a/\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 b")},
		{STR_INIT("\0\t\n\r\x1b[2J\x7f"), STR_INIT("?????[2J?")},
		{STR_INIT("\xff\xe2\x82x"), STR_INIT("??x")},
		{STR_INIT("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0"), STR_INIT("???\xc2\xa0")}, // C1
		{STR_INIT("\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf"), // U+202A, U+202E, U+202F
		 STR_INIT("??\xe2\x80\xaf")},
		{STR_INIT("\xe2\x81\xa6\xe2\x81\xa9"), STR_INIT("??")},          // U+2066, U+2069
		{STR_INIT("\xe2\x80\xa8\xe2\x80\xa9"), STR_INIT("??")},          // U+2028, U+2029
		{STR_INIT("\xd8\x9c\xe2\x80\x8f\xef\xbb\xbf"), STR_INIT("???")}, // U+061C ...
		{STR_INIT("\xf3\xa0\x80\x81"), STR_INIT("?")},                   // U+E0001
	};
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		struct buf out = {0};
		utf8_add_shown(&out, shown[i].from);
		check_str(buf_str(&out), shown[i].to, __FILE__, __LINE__);
		buf_release(&out);
	}
}

static size_t test_utf8_encode(uint32_t point, char *out) {
	if (point < 0x80) {
		out[0] = (char)point;
		return 1;
	}
	if (point < 0x800) {
		out[0] = (char)(0xc0 | point >> 6);
		out[1] = (char)(0x80 | (point & 0x3f));
		return 2;
	}
	if (point < 0x10000) {
		out[0] = (char)(0xe0 | point >> 12);
		out[1] = (char)(0x80 | (point >> 6 & 0x3f));
		out[2] = (char)(0x80 | (point & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | point >> 18);
	out[1] = (char)(0x80 | (point >> 12 & 0x3f));
	out[2] = (char)(0x80 | (point >> 6 & 0x3f));
	out[3] = (char)(0x80 | (point & 0x3f));
	return 4;
}

static void test_utf8_every_code_point(void **state) {
	(void)state;
	for (uint32_t point = 0; point < 0x110000; point++) {
		char text[4];
		size_t bad, len = test_utf8_encode(point, text);
		struct str s = {text, len};
		bool surrogate = point >= 0xd800 && point < 0xe000;
		if (utf8_next(s, &bad) != (surrogate ? 0 : len) ||
		    (!surrogate && utf8_decode(text, len) != point)) {
			print_error("U+%04X\n", (unsigned)point);
			fail();
		}
	}
}

static void test_utf8_white_space_is_that_of_unicode(void **state) {
	(void)state;
	for (uint32_t point = 0; point < 0x11000; point++) {
		bool space = (point >= 9 && point <= 13) || point == 0x20 || point == 0x85 ||
			     point == 0xa0 || point == 0x1680 ||
			     (point >= 0x2000 && point <= 0x200a) || point == 0x2028 ||
			     point == 0x2029 || point == 0x202f || point == 0x205f ||
			     point == 0x3000;
		char text[6] = "x";
		size_t len = test_utf8_encode(point, text + 1);
		size_t expected = space ? len : 0;
		text[len + 1] = 'x';
		if (point >= 0xd800 && point < 0xe000) {
			continue;
		}
		if (utf8_space_at_start((struct str){text + 1, len + 1}) != expected ||
		    utf8_space_at_end((struct str){text, len + 1}) != expected) {
			print_error("U+%04X\n", (unsigned)point);
			fail();
		}
	}
	assert_int_equal(utf8_space_at_start(STR("")), 0);
	assert_int_equal(utf8_space_at_end(STR("")), 0);
}

static void test_utf8_counts_characters(void **state) {
	(void)state;
	struct str s = STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
	assert_int_equal(utf8_count(s), 5);
	assert_int_equal(utf8_prefix(s, 0), 0);
	assert_int_equal(utf8_prefix(s, 1), 1);
	assert_int_equal(utf8_prefix(s, 2), 3);
	assert_int_equal(utf8_prefix(s, 4), 10);
	assert_int_equal(utf8_prefix(s, 9), s.n);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8_each_maximal_part_becomes_one_replacement),
		cmocka_unit_test(test_utf8_what_a_terminal_obeys_is_not_shown),
		cmocka_unit_test(test_utf8_every_code_point),
		cmocka_unit_test(test_utf8_white_space_is_that_of_unicode),
		cmocka_unit_test(test_utf8_counts_characters),
	};
	return RUN(tests);
}
