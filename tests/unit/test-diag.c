/* Errors, warnings and notes. */
#include "test.h"

#include "base/diag.h"
#include "base/utf8.h"

struct heard {
	struct buf text;
	size_t times;
};

static void test_diag_hear(void *context, enum diag_level level, const char *text) {
	struct heard *heard = context;
	heard->times++;
	buf_printf(&heard->text, "%c:%s\n",
		   level == DIAG_WARNING ? 'w'
		   : level == DIAG_NOTE  ? 'n'
					 : 'p',
		   text);
}

static struct diag test_diag_listening(struct heard *heard) {
	*heard = (struct heard){0};
	return (struct diag){.show = test_diag_hear, .context = heard};
}

static void test_diag_only_the_first_error_is_kept(void **state) {
	(void)state;
	struct diag diag = {0};
	assert_int_equal(
		diag_error(&diag, "%s:%d: expected a count, found '%s'", "cpu.txt", 1042, "x"), -1);
	assert_int_equal(diag_error(&diag, "another"), -1);
	assert_string_equal(diag.error.p, "cpu.txt:1042: expected a count, found 'x'");
	diag_release(&diag);
}

static void test_diag_the_tenth_of_a_kind_is_the_last(void **state) {
	(void)state;
	struct heard heard;
	struct diag diag = test_diag_listening(&heard);
	for (int i = 1; i <= 12; i++) {
		assert_int_equal(diag_warn(&diag, "odd line %d", i), 0);
	}
	assert_int_equal(diag_warn(&diag, "another kind"), 0);
	assert_int_equal(heard.times, 11);
	assert_has(buf_text(&heard.text), "w:odd line 10\n");
	assert_null(strstr(buf_text(&heard.text), "odd line 11"));
	buf_clear(&heard.text);
	diag_summary(&diag);
	assert_int_equal(heard.times, 12);
	assert_has(buf_text(&heard.text), "and 2 more like it");
	assert_has(buf_text(&heard.text), "odd line 10");
	diag_release(&diag);
	buf_release(&heard.text);
}

static void test_diag_a_summary_of_nothing_says_nothing(void **state) {
	(void)state;
	struct heard heard;
	struct diag diag = test_diag_listening(&heard);
	for (int i = 1; i <= DIAG_SHOWN; i++) {
		diag_warn(&diag, "odd line %d", i);
	}
	diag_summary(&diag);
	assert_int_equal(heard.times, DIAG_SHOWN);
	diag_release(&diag);
	buf_release(&heard.text);
}

static void test_diag_one_warning_can_stand_for_many(void **state) {
	(void)state;
	struct heard heard;
	struct diag diag = test_diag_listening(&heard);
	assert_int_equal(diag_warn_text(&diag, "kind", "the first", 500), 0);
	assert_int_equal(diag_warn_text(&diag, "kind", "the second", 1), 0);
	assert_int_equal(heard.times, 1);
	diag_summary(&diag);
	assert_has(buf_text(&heard.text), "and 491 more like it");
	diag_release(&diag);
	buf_release(&heard.text);
}

static void test_diag_quiet_strict_and_verbose(void **state) {
	(void)state;
	struct heard heard;
	struct diag diag = test_diag_listening(&heard);
	diag_note(&diag, "not wanted");
	diag.verbose = 1;
	diag_note(&diag, "wanted");
	assert_string_equal(buf_text(&heard.text), "n:wanted\n");
	diag.quiet = true;
	diag_note(&diag, "not now");
	diag_progress(&diag, "x", 1, 2);
	for (int i = 0; i < 20; i++) {
		diag_warn(&diag, "odd");
	}
	diag_summary(&diag);
	assert_int_equal(heard.times, 1);
	diag.strict = true;
	assert_int_equal(diag_warn(&diag, "odd line %d", 3), -1);
	assert_string_equal(buf_text(&diag.error), "odd line 3");
	diag_release(&diag);
	buf_release(&heard.text);
}

static void test_diag_progress(void **state) {
	(void)state;
	struct heard heard;
	struct diag diag = test_diag_listening(&heard);
	diag_progress(&diag, "cpu.perf", 5000000, 20000000);
	diag_progress(&diag, "cpu.perf", 5000000, 0);
	assert_string_equal(buf_text(&heard.text),
			    "p:cpu.perf: read 5 of 20 MB\np:cpu.perf: read 5 MB\n");
	diag_release(&diag);
	buf_release(&heard.text);
}

static void test_diag_paths_in_messages_are_harmless(void **state) {
	(void)state;
	struct heard heard;
	struct diag diag = test_diag_listening(&heard);
	diag.verbose = 1;
	diag_warn(&diag, "%s: warned", "a\x1b[2J\nb");
	diag_warn_text(&diag, "kind", "c\xc2\x9b: worded", 1);
	diag_note(&diag, "%s: noted", "d\xe2\x80\xae");
	assert_string_equal(buf_text(&heard.text),
			    "w:a?[2J?b: warned\nw:c?: worded\nn:d?: noted\n");
	diag_error(&diag, "%s: failed", "e\xff\t");
	assert_string_equal(diag.error.p, "e??: failed");
	diag_release(&diag);
	buf_release(&heard.text);
}

static void test_diag_quoted_data_is_short_and_harmless(void **state) {
	(void)state;
	assert_string_equal(quote(STR("plain \xc3\xa9")).text, "plain \xc3\xa9");
	assert_string_equal(quote(STR("a\0b\n\x1b[31m\x7f")).text, "a?b??[31m?");
	assert_string_equal(quote(STR("\xff\xe2\x82x")).text, "??x");
	assert_string_equal(quote(STR("\xc2\x9b\xe2\x80\xae")).text, "??");
	assert_string_equal(quote((struct str){NULL, 0}).text, "");
	struct buf text = {0};
	for (size_t len = 1; len < 200; len++) {
		buf_add_text(&text, "\xe2\x82\xac");
		struct quote quoted = quote(buf_str(&text));
		assert_true(utf8_valid(str_of(quoted.text)));
		assert_true(strlen(quoted.text) < sizeof(quoted.text));
		assert_int_equal(str_ends(str_of(quoted.text), STR("...")), len > 28);
	}
	buf_release(&text);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diag_only_the_first_error_is_kept),
		cmocka_unit_test(test_diag_the_tenth_of_a_kind_is_the_last),
		cmocka_unit_test(test_diag_a_summary_of_nothing_says_nothing),
		cmocka_unit_test(test_diag_one_warning_can_stand_for_many),
		cmocka_unit_test(test_diag_quiet_strict_and_verbose),
		cmocka_unit_test(test_diag_progress),
		cmocka_unit_test(test_diag_paths_in_messages_are_harmless),
		cmocka_unit_test(test_diag_quoted_data_is_short_and_harmless),
	};
	return RUN(tests);
}
