/*
 * Setting, finding and checking options, which are rows of tables. The tables of every command are
 * checked, too.
 */
#include "test.h"

#include <math.h>

#include "base/opt.h"
#include "commands/commands.h"

struct test_values {
	bool flag, other, on;
	unsigned level, colour;
	uint64_t number, depth;
	double share;
	const char *text, *path;
	struct opt_list list;
};

static const char *const colours[] = {"red", "green", NULL};

static const char *test_opt_short_text(const char *value) {
	return strlen(value) > 3 ? "a short text" : NULL;
}

static const struct opt rows[] = {
	{OPT_IS_BOOL(struct test_values, flag), .name = "flag", .letter = 'f', .help = "h",
	 .conflicts = "other number"},
	{OPT_IS_BOOL(struct test_values, other), .name = "other", .help = "h", .flags = OPT_HIDDEN},
	{OPT_IS_BOOL(struct test_values, on), .name = "on", .help = "h",
	 .flags = OPT_ON | OPT_NEGATABLE},
	{OPT_IS_COUNT(struct test_values, level), .name = "level", .letter = 'l', .help = "h"},
	{OPT_IS_CHOICE(struct test_values, colour), .name = "colour", .value = "C",
	 .choices = colours, .initial = "green", .help = "h", .also = "color tint"},
	{OPT_IS_UINT(struct test_values, number), .name = "number", .value = "N", .initial = "7",
	 .help = "h", .least = 2, .most = 9},
	{OPT_IS_REAL(struct test_values, share), .name = "share", .value = "X", .help = "h",
	 .least = 0.5, .most = HUGE_VAL},
	{OPT_IS_TEXT(struct test_values, text), .name = "text", .value = "T", .help = "h",
	 .check = test_opt_short_text},
	{OPT_IS_PATH(struct test_values, path), .name = "path", .value = "P", .help = "h",
	 .flags = OPT_REPEATABLE},
	{OPT_IS_LIST(struct test_values, list), .name = "list", .value = "L", .help = "h",
	 .flags = OPT_UTF8},
	{OPT_IS_UINT(struct test_values, depth), .name = "depth", .value = "N", .bare = "3",
	 .help = "h"},
	{.type = OPT_END},
};

static const struct opt_table tables[OPT_TABLES] = {[1] = {rows, sizeof(struct test_values)}};

struct fixture {
	struct opt_set set;
	struct diag diag;
};

static struct fixture *test_opt_fixture_new(void) {
	struct fixture *fixture = mem_new(1, sizeof(*fixture));
	opt_init(&fixture->set, tables);
	return fixture;
}

static const struct test_values *test_opt_values(const struct fixture *fixture) {
	return fixture->set.values[1];
}

static int test_opt_set(struct fixture *fixture, const char *name, const char *value) {
	struct opt_place place = opt_by_name(&fixture->set, str_of(name));
	assert_non_null(place.row);
	return opt_set(&fixture->set, place, value, &fixture->diag);
}

static void test_opt_fixture_free(struct fixture *fixture) {
	opt_release(&fixture->set);
	diag_release(&fixture->diag);
	free(fixture);
}

static void test_opt_without_a_value(void **state) {
	(void)state;
	struct fixture *f = test_opt_fixture_new();
	assert_int_equal(test_opt_values(f)->depth, 0);
	assert_int_equal(test_opt_set(f, "depth", NULL), 0);
	assert_int_equal(test_opt_values(f)->depth, 3);
	test_opt_fixture_free(f);
	f = test_opt_fixture_new();
	assert_int_equal(test_opt_set(f, "depth", "5"), 0);
	assert_int_equal(test_opt_values(f)->depth, 5);
	assert_int_equal(test_opt_set(f, "number", NULL), -1);
	test_opt_fixture_free(f);
}

static void test_opt_defaults(void **state) {
	(void)state;
	struct fixture *f = test_opt_fixture_new();
	assert_int_equal(test_opt_values(f)->colour, 1);
	assert_int_equal(test_opt_values(f)->number, 7);
	assert_null(test_opt_values(f)->text);
	assert_false(opt_given(&f->set, "colour"));
	test_opt_fixture_free(f);
}

static void test_opt_every_type_is_set(void **state) {
	(void)state;
	struct fixture *f = test_opt_fixture_new();
	char text[] = "abc";
	assert_int_equal(test_opt_set(f, "flag", NULL), 0);
	assert_int_equal(test_opt_set(f, "level", NULL), 0);
	assert_int_equal(test_opt_set(f, "level", NULL), 0);
	assert_int_equal(test_opt_set(f, "tint", "red"), 0);
	assert_int_equal(test_opt_set(f, "number", "+3"), 0);
	assert_int_equal(test_opt_set(f, "share", "1e2"), 0);
	assert_int_equal(test_opt_set(f, "text", text), 0);
	assert_int_equal(test_opt_set(f, "path", "a"), 0);
	assert_int_equal(test_opt_set(f, "path", "b"), 0);
	assert_int_equal(test_opt_set(f, "list", "x"), 0);
	assert_int_equal(test_opt_set(f, "list", "y\xff"), 0);
	text[0] = '!'; // values are copies
	assert_true(test_opt_values(f)->flag);
	assert_int_equal(test_opt_values(f)->level, 2);
	assert_int_equal(test_opt_values(f)->colour, 0);
	assert_int_equal(test_opt_values(f)->number, 3);
	assert_true(test_opt_values(f)->share == 100);
	assert_string_equal(test_opt_values(f)->text, "abc");
	assert_string_equal(test_opt_values(f)->path, "b");
	assert_int_equal(test_opt_values(f)->list.n, 2);
	assert_string_equal(test_opt_values(f)->list.items[1], "y\xef\xbf\xbd");
	assert_true(opt_given(&f->set, "color"));
	assert_true(opt_given(&f->set, "colour"));
	assert_false(opt_given(&f->set, "other"));
	test_opt_fixture_free(f);
}

static void test_opt_flags_take_no_value(void **state) {
	(void)state;
	struct fixture *f = test_opt_fixture_new();
	assert_int_equal(test_opt_set(f, "flag", NULL), 0);
	assert_true(test_opt_values(f)->flag);
	assert_int_equal(test_opt_set(f, "other", "true"), -1);
	assert_has(f->diag.error.p, "--other takes no value");
	assert_false(test_opt_values(f)->other);
	test_opt_fixture_free(f);
}

static void test_opt_flags_are_turned_off_by_another_name(void **state) {
	(void)state;
	struct fixture *f = test_opt_fixture_new();
	assert_true(test_opt_values(f)->on);
	assert_int_equal(test_opt_set(f, "no-on", NULL), 0);
	assert_false(test_opt_values(f)->on);
	assert_int_equal(test_opt_set(f, "on", NULL), 0);
	assert_true(test_opt_values(f)->on);
	assert_int_equal(test_opt_set(f, "no-on", NULL), 0);
	assert_int_equal(test_opt_set(f, "no-on", NULL), 0);
	assert_false(test_opt_values(f)->on);
	assert_true(opt_given(&f->set, "on"));
	assert_null(opt_by_name(&f->set, STR("no-flag")).row);
	assert_null(opt_by_name(&f->set, STR("no-no-on")).row);
	test_opt_fixture_free(f);
}

static void test_opt_bad_values_name_what_was_expected(void **state) {
	(void)state;
	static const struct {
		const char *name, *value, *message;
	} cases[] = {
		{"number", "1", "--number: expected a whole number from 2 to 9, found '1'"},
		{"number", "10", "--number: expected a whole number from 2 to 9, found '10'"},
		{"number", "x", "--number: expected a whole number from 2 to 9, found 'x'"},
		{"number", "", "--number: expected a whole number from 2 to 9, found ''"},
		{"number", "-3", "--number: expected a whole number from 2 to 9, found '-3'"},
		{"share", "0.4", "--share: expected a number of at least 0.5, found '0.4'"},
		{"share", "nan", "--share: expected a number of at least 0.5, found 'nan'"},
		{"share", "inf", "--share: expected a number of at least 0.5, found 'inf'"},
		{"colour", "blue", "--colour: expected one of red, green, found 'blue'"},
		{"colour", NULL, "--colour needs a value"},
		{"text", "long\n", "--text: expected a short text, found 'long?'"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture *f = test_opt_fixture_new();
		assert_int_equal(test_opt_set(f, cases[i].name, cases[i].value), -1);
		assert_string_equal(f->diag.error.p, cases[i].message);
		assert_int_equal(test_opt_values(f)->number, 7);
		assert_int_equal(test_opt_values(f)->colour, 1);
		assert_false(opt_given(&f->set, cases[i].name));
		test_opt_fixture_free(f);
	}
}

static void test_opt_twice_is_an_error(void **state) {
	(void)state;
	struct fixture *f = test_opt_fixture_new();
	assert_int_equal(test_opt_set(f, "colour", "red"), 0);
	assert_int_equal(test_opt_set(f, "color", "green"), -1);
	assert_string_equal(f->diag.error.p, "--colour is given twice");
	test_opt_fixture_free(f);
}

static void test_opt_conflicts(void **state) {
	(void)state;
	struct fixture *f = test_opt_fixture_new();
	assert_int_equal(test_opt_set(f, "flag", NULL), 0);
	assert_int_equal(opt_finish(&f->set, &f->diag),
			 0); // the default of --number is not a conflict
	assert_int_equal(test_opt_set(f, "number", "5"), 0);
	assert_int_equal(opt_finish(&f->set, &f->diag), -1);
	assert_string_equal(f->diag.error.p, "--flag and --number cannot be used together");
	test_opt_fixture_free(f);
}

static void test_opt_finding(void **state) {
	(void)state;
	struct fixture *f = test_opt_fixture_new();
	assert_ptr_equal(opt_by_letter(&f->set, 'l').row, &rows[3]);
	assert_int_equal(opt_by_letter(&f->set, 'l').table, 1);
	assert_null(opt_by_letter(&f->set, 'x').row);
	assert_null(opt_by_letter(&f->set, 0).row);
	assert_null(opt_by_name(&f->set, STR("")).row);
	assert_null(opt_by_name(&f->set, STR("fla")).row);
	assert_true(opt_is_flag(&rows[0]) && opt_is_flag(&rows[3]) && !opt_is_flag(&rows[4]));
	test_opt_fixture_free(f);
}

static void test_opt_suggestions(void **state) {
	(void)state;
	struct fixture *f = test_opt_fixture_new();
	assert_string_equal(opt_suggest(&f->set, "nubmer"), "number");
	assert_string_equal(opt_suggest(&f->set, "shar"), "share");
	assert_null(opt_suggest(&f->set, "something-else"));
	assert_null(opt_suggest(&f->set, "othre")); // hidden
	test_opt_fixture_free(f);
	assert_int_equal(opt_distance("", "abc"), 3);
	assert_int_equal(opt_distance("abc", "acb"), 1);
	assert_int_equal(opt_distance("kitten", "sitting"), 3);
	assert_true(opt_distance("x", "a word that is much longer than any option may be") ==
		    SIZE_MAX);
}

static void test_opt_a_good_table_passes(void **state) {
	(void)state;
	struct buf report = {0};
	opt_check(tables, &report);
	assert_str(buf_str(&report), "");
	buf_release(&report);
}

/** A table with one mistake, and a word of the expected report. */
struct mistake {
	struct opt rows[3];
	size_t size;
	const char *report;
};

static void test_opt_bad_tables_are_reported(void **state) {
	(void)state;
	enum { SIZE = sizeof(struct test_values) };
	static const struct mistake mistakes[] = {
		{{{OPT_IS_BOOL(struct test_values, flag), .name = "a", .help = "h"},
		  {OPT_IS_BOOL(struct test_values, other), .name = "a", .help = "h"}},
		 SIZE,
		 "name is taken"},
		{{{OPT_IS_BOOL(struct test_values, flag), .name = "a", .help = "h", .also = "b"},
		  {OPT_IS_BOOL(struct test_values, other), .name = "b", .help = "h"}},
		 SIZE,
		 "name is taken"},
		{{{OPT_IS_BOOL(struct test_values, flag), .name = "a", .letter = 'a', .help = "h"},
		  {OPT_IS_BOOL(struct test_values, other), .name = "b", .letter = 'a',
		   .help = "h"}},
		 SIZE,
		 "letter a is taken"},
		{{{OPT_IS_LIST(struct test_values, list), .name = "a", .value = "A", .help = "h"}},
		 offsetof(struct test_values, list) + 8,
		 "outside"},
		{{{OPT_IS_BOOL(struct test_values, flag), .name = "a", .help = "h."}},
		 SIZE,
		 "full stop"},
		{{{OPT_IS_BOOL(struct test_values, flag), .name = "a"}}, SIZE, "help is missing"},
		{{{OPT_IS_BOOL(struct test_values, flag), .name = "a", .value = "A", .help = "h"}},
		 SIZE,
		 "names no value"},
		{{{OPT_IS_COUNT(struct test_values, level), .name = "a", .help = "h",
		   .flags = OPT_ON}},
		 SIZE,
		 "turned on and off"},
		{{{OPT_IS_UINT(struct test_values, number), .name = "a", .help = "h"}},
		 SIZE,
		 "names no value"},
		{{{OPT_IS_CHOICE(struct test_values, colour), .name = "a", .value = "A",
		   .help = "h"}},
		 SIZE,
		 "choices"},
		{{{OPT_IS_UINT(struct test_values, number), .name = "a", .value = "A", .help = "h",
		   .initial = "x"}},
		 SIZE,
		 "default"},
		{{{OPT_IS_UINT(struct test_values, number), .name = "a", .value = "A", .help = "h",
		   .initial = "1", .least = 2, .most = 3}},
		 SIZE,
		 "default"},
		{{{OPT_IS_CHOICE(struct test_values, colour), .name = "a", .value = "A",
		   .help = "h", .choices = colours, .initial = "blue"}},
		 SIZE,
		 "default"},
		{{{OPT_IS_UINT(struct test_values, number), .name = "a", .value = "A", .help = "h",
		   .flags = OPT_UTF8}},
		 SIZE,
		 "only text"},
	};
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		// The rows after those given are zeroed, which is OPT_END.
		struct opt_table table[OPT_TABLES] = {{mistakes[i].rows, mistakes[i].size}};
		struct buf report = {0};
		opt_check(table, &report);
		assert_has(buf_text(&report), mistakes[i].report);
		buf_release(&report);
	}
}

static void test_opt_letters_of_two_tables(void **state) {
	(void)state;
	static const struct opt own[] = {
		{OPT_IS_BOOL(struct test_values, flag), .name = "flag", .letter = 'f', .help = "h"},
		{.type = OPT_END},
	};
	static const struct opt later[] = {
		{OPT_IS_BOOL(struct test_values, flag), .name = "fold", .letter = 'f', .help = "h",
		 .flags = OPT_YIELDS},
		{OPT_IS_BOOL(struct test_values, other), .name = "other", .letter = 'o',
		 .help = "h", .flags = OPT_YIELDS},
		{.type = OPT_END},
	};
	struct opt_table table[OPT_TABLES] = {{own, sizeof(struct test_values)},
					      {later, sizeof(struct test_values)}};
	struct opt_set set;
	struct buf report = {0};
	opt_check(table, &report);
	assert_string_equal(buf_text(&report), "");
	opt_init(&set, table);
	assert_ptr_equal(opt_by_letter(&set, 'f').row, &own[0]);
	assert_int_equal(opt_shown(table, opt_by_name(&set, STR("flag"))).letter, 'f');
	assert_int_equal(opt_shown(table, opt_by_name(&set, STR("fold"))).letter, 0);
	assert_int_equal(opt_shown(table, opt_by_name(&set, STR("other"))).letter, 'o');
	opt_release(&set);
	buf_release(&report);
}

static void test_opt_tables_of_every_command(void **state) {
	(void)state;
	struct command command;
	size_t i = 0;
	for (; command_at(i, &command); i++) {
		char name[COMMAND_NAME_MAX];
		struct buf report = {0};
		opt_check(command.tables, &report);
		struct opt_set set;
		opt_init(&set, command.tables);
		for (struct str rest = opt_names(command.usual), usual;
		     (usual = str_next_word(&rest)).n > 0;) {
			// --open and --output are in a table of the command line.
			if (opt_by_name(&set, usual).row == NULL &&
			    !opt_names_have("open output", usual)) {
				buf_printf(&report, "no option --%.*s", (int)usual.n, usual.p);
			}
		}
		opt_release(&set);
		if (report.n > 0) {
			print_error("%s: %s\n", command_name(&command, ' ', name),
				    buf_text(&report));
			fail();
		}
		buf_release(&report);
	}
	assert_true(i >= 3);
}

static bool test_opt_ends_in_full_stop(const char *text) {
	return *text != '\0' && text[strlen(text) - 1] == '.';
}

static void test_opt_texts_of_every_command(void **state) {
	(void)state;
	struct command command, found;
	for (size_t i = 0; command_at(i, &command); i++) {
		char name[COMMAND_NAME_MAX];
		assert_non_null(command.brief);
		assert_false(test_opt_ends_in_full_stop(command.brief));
		assert_true(test_opt_ends_in_full_stop(command.about));
		assert_non_null(command.operands);
		assert_non_null(command.examples);
		assert_non_null(command.examples[0].command);
		for (const struct example *e = command.examples; e->command != NULL; e++) {
			assert_false(test_opt_ends_in_full_stop(e->meaning));
		}
		assert_true(command_find(command_name(&command, '-', name), &found));
		assert_string_equal(found.name, command.name);
	}
	assert_false(command_find("", &found));
	assert_false(command_find("collapse", &found));
	assert_false(command_find("collapse perf", &found));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opt_defaults),
		cmocka_unit_test(test_opt_without_a_value),
		cmocka_unit_test(test_opt_every_type_is_set),
		cmocka_unit_test(test_opt_flags_take_no_value),
		cmocka_unit_test(test_opt_flags_are_turned_off_by_another_name),
		cmocka_unit_test(test_opt_bad_values_name_what_was_expected),
		cmocka_unit_test(test_opt_twice_is_an_error),
		cmocka_unit_test(test_opt_conflicts),
		cmocka_unit_test(test_opt_finding),
		cmocka_unit_test(test_opt_suggestions),
		cmocka_unit_test(test_opt_a_good_table_passes),
		cmocka_unit_test(test_opt_bad_tables_are_reported),
		cmocka_unit_test(test_opt_letters_of_two_tables),
		cmocka_unit_test(test_opt_tables_of_every_command),
		cmocka_unit_test(test_opt_texts_of_every_command),
	};
	return RUN(tests);
}
