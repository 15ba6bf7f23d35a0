/* Slices of borrowed bytes. */
#include "test.h"

static void test_str_compares_bytes_unsigned(void **state) {
	(void)state;
	assert_true(str_eq(STR(""), (struct str){NULL, 0}));
	assert_true(str_eq(STR("a\0b"), STR("a\0b")));
	assert_false(str_eq(STR("a\0b"), STR("a\0c")));
	assert_false(str_eq(STR("ab"), STR("abc")));
	assert_true(str_compare(STR("ab"), STR("abc")) < 0);
	assert_true(str_compare(STR("b"), STR("abc")) > 0);
	assert_true(str_compare(STR("\x7f"), STR("\x80")) < 0);
	assert_int_equal(str_compare(STR("x"), STR("x")), 0);
	assert_int_equal(str_compare(STR(""), (struct str){NULL, 0}), 0);
}

static void test_str_starts_and_ends(void **state) {
	(void)state;
	assert_true(str_starts(STR("inferno"), STR("inf")));
	assert_true(str_starts(STR("inferno"), STR("")));
	assert_false(str_starts(STR("in"), STR("inf")));
	assert_true(str_ends(STR("inferno"), STR("rno")));
	assert_true(str_ends(STR("x"), STR("")));
	assert_false(str_ends(STR("no"), STR("rno")));
}

static void test_str_finds(void **state) {
	(void)state;
	struct str s = STR("a;b;c");
	assert_int_equal(str_find(s, ';'), 1);
	assert_int_equal(str_find_last(s, ';'), 3);
	assert_true(str_find(s, 'x') == STR_NONE);
	assert_true(str_find_last(s, 'x') == STR_NONE);
	assert_true(str_find((struct str){NULL, 0}, 'x') == STR_NONE);
	assert_int_equal(str_find_str(s, STR("b;")), 2);
	assert_int_equal(str_find_str(s, STR("")), 0);
	assert_true(str_find_str(s, STR("a;b;c;")) == STR_NONE);
	assert_true(str_find_str((struct str){NULL, 0}, STR("a")) == STR_NONE);
	assert_int_equal(str_find_last_str(STR("ababab"), STR("aba")), 2);
	assert_int_equal(str_find_last_str(STR("aaa"), STR("aa")), 1);
	assert_true(str_find_last_str(STR("ab"), STR("abc")) == STR_NONE);
	assert_true(str_has(s, STR("b;c")));
	assert_false(str_has(s, STR("c;")));
}

static void test_str_cuts(void **state) {
	(void)state;
	struct str rest = STR("a;;b");
	assert_str(str_cut(&rest, ';'), "a");
	assert_str(str_cut(&rest, ';'), "");
	assert_str(str_cut(&rest, ';'), "b");
	assert_int_equal(rest.n, 0);
	assert_str(str_cut(&rest, ';'), "");
}

static void test_str_trims_unicode_blanks(void **state) {
	(void)state;
	assert_str(str_trim(STR(" \t\r\n\v\f x \t\r\n\v\f ")), "x");
	assert_str(str_trim(STR("\xc2\x85\xc2\xa0\xe1\x9a\x80\xe2\x80\x80x\xe2\x80\x8a\xe2\x80\xa8"
				"\xe2\x80\xa9\xe2\x80\xaf"
				"\xe2\x81\x9f\xe3\x80\x80")),
		   "x");
	// A zero-width space, a byte order mark and the first bytes of a character are not white
	// space.
	assert_str(str_trim(STR("\xe2\x80\x8b")), "\xe2\x80\x8b");
	assert_str(str_trim(STR("\xef\xbb\xbfx")), "\xef\xbb\xbfx");
	assert_str(str_trim(STR("x\xa0")), "x\xa0");
	assert_str(str_trim(STR("x\xe2\x80")), "x\xe2\x80");
	assert_bytes(str_trim(STR(" \0 ")), "\0");
	assert_str(str_trim(STR(" \xc2\xa0 ")), "");
	assert_str(str_trim_end(STR(" x ")), " x");
	assert_str(str_trim_start(STR(" x ")), "x ");
	assert_str(str_trim((struct str){NULL, 0}), "");
	char indented[] = "                    x";
	for (size_t blanks = 0; blanks < sizeof(indented) - 1; blanks++) {
		struct str text = {indented + sizeof(indented) - 2 - blanks, blanks + 1};
		assert_str(str_trim_start(text), "x");
		assert_int_equal(str_trim_start(str_to(text, blanks)).n, 0);
	}
}

static void test_str_classes_of_characters(void **state) {
	(void)state;
	for (int c = 0; c < 256; c++) {
		assert_int_equal(is_digit((char)c), c >= '0' && c <= '9');
		assert_int_equal(is_alpha((char)c),
				 (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
		assert_int_equal(is_hex((char)c), (c >= '0' && c <= '9') ||
							  (c >= 'a' && c <= 'f') ||
							  (c >= 'A' && c <= 'F'));
	}
	assert_true(str_all_hex(STR("09afAF")));
	assert_false(str_all_hex(STR("0g")));
	assert_true(str_all_hex(STR("")));
	assert_true(str_all_digits(STR("0123456789")));
	assert_false(str_all_digits(STR("12a")));
}

static void test_str_lines_of_a_text(void **state) {
	(void)state;
	struct lines lines = {.rest = STR("a\n\nb\r\nc")};
	const char *expected[] = {"a", "", "b\r", "c"};
	struct str line;
	for (size_t i = 0; i < 4; i++) {
		assert_true(lines_next(&lines, &line));
		assert_str(line, expected[i]);
		assert_int_equal(lines.number, i + 1);
	}
	assert_false(lines_next(&lines, &line));
	lines = (struct lines){.rest = STR("\n")};
	assert_true(lines_next(&lines, &line));
	assert_int_equal(line.n, 0);
	assert_false(lines_next(&lines, &line));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_str_compares_bytes_unsigned),
		cmocka_unit_test(test_str_starts_and_ends),
		cmocka_unit_test(test_str_finds),
		cmocka_unit_test(test_str_cuts),
		cmocka_unit_test(test_str_trims_unicode_blanks),
		cmocka_unit_test(test_str_classes_of_characters),
		cmocka_unit_test(test_str_lines_of_a_text),
	};
	return RUN(tests);
}
