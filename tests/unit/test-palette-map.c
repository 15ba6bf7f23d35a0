/* The file palette.map: reading and writing it, and leaving files of other users alone. */
#include "test.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "picture/palette_map.h"

/** Each test starts in a folder of its own. */
static int test_palette_map_enter(void **state) {
	char folder[] = "/tmp/inferno-palette-XXXXXX";
	if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
		return -1;
	}
	*state = strdup(folder);
	return 0;
}

static int test_palette_map_leave(void **state) {
	unlink("palette.map");
	unlink("elsewhere");
	int result = chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
	free(*state);
	return result;
}

static void test_palette_map_put(const char *text) {
	FILE *file = fopen("palette.map", "w");
	fputs(text, file);
	fclose(file);
}

static void test_palette_map_assert_file(const char *expected) {
	char text[4096] = "";
	FILE *file = fopen("palette.map", "r");
	size_t n = file == NULL ? 0 : fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	assert_string_equal(text, expected);
	if (file != NULL) {
		fclose(file);
	}
}

static void test_palette_map_assert_colour(const struct palette_map *map, const char *name,
					   unsigned r, unsigned g, unsigned b) {
	const struct rgb *colour = palette_map_find(map, str_of(name));
	assert_non_null(colour);
	assert_int_equal(colour->r << 16 | colour->g << 8 | colour->b, r << 16 | g << 8 | b);
}

static void test_palette_map_no_file_is_an_empty_map(void **state) {
	(void)state;
	struct palette_map map = {0};
	struct diag diag = {0};
	assert_int_equal(palette_map_read(&map, &diag), 0);
	assert_null(palette_map_find(&map, STR("main")));
	assert_int_equal(palette_map_write(&map, &diag), 0);
	test_palette_map_assert_file("");
	palette_map_release(&map);
	diag_release(&diag);
}

static void test_palette_map_entries_are_read_and_written_in_order(void **state) {
	(void)state;
	struct palette_map map = {0};
	struct diag diag = {0};
	test_palette_map_put(
		"z->rgb(1,2,3)\noperator-> -> rgb( 4 , 5 ,255) \n->rgb(0,0,0)\n\na->rgb(7,8,9)\n"
		"a->rgb(10,11,12)");
	assert_int_equal(palette_map_read(&map, &diag), 0);
	assert_false(diag_has_warned(&diag));
	test_palette_map_assert_colour(&map, "z", 1, 2, 3);
	test_palette_map_assert_colour(&map, "operator-> ", 4, 5, 255);
	test_palette_map_assert_colour(&map, "", 0, 0, 0);
	// of several entries for one name, the last is used
	test_palette_map_assert_colour(&map, "a", 10, 11, 12);
	palette_map_set(&map, STR("new"), (struct rgb){1, 1, 1});
	palette_map_set(&map, STR("z"), (struct rgb){9, 9, 9}); // the entry in the file is used
	assert_int_equal(palette_map_write(&map, &diag), 0);
	test_palette_map_assert_file("->rgb(0,0,0)\na->rgb(10,11,12)\nnew->rgb(1,1,1)\noperator-> "
				     "->rgb(4,5,255)\nz->rgb(1,2,3)\n");
	palette_map_release(&map);
	diag_release(&diag);
}

static void test_palette_map_odd_lines_are_ignored_with_one_warning(void **state) {
	(void)state;
	struct palette_map map = {0};
	struct diag diag = {0};
	test_palette_map_put(
		"a->rgb(1,2,3)\nb->rgb(1,2)\nc->rgb(1,2,256)\nd-rgb(1,2,3)\ne->rgb(1,2,3)\n");
	assert_int_equal(palette_map_read(&map, &diag), 0);
	assert_true(diag_has_warned(&diag));
	assert_null(palette_map_find(&map, STR("b")));
	test_palette_map_assert_colour(&map, "e", 1, 2, 3);
	palette_map_release(&map);
	diag_release(&diag);
	diag = (struct diag){.strict = true};
	assert_int_equal(palette_map_read(&map, &diag), -1);
	assert_has(buf_text(&diag.error), "palette.map:2: expected NAME->rgb(R,G,B); 3 such lines");
	palette_map_release(&map);
	diag_release(&diag);
}

static void test_palette_map_entries_with_errors_are_ignored(void **state) {
	(void)state;
	struct palette_map map = {0};
	struct diag diag = {0};
	test_palette_map_put("a->rgb(1,2)\nb->rgb(0,0,256)\nc->\nd->#010203\n");
	assert_int_equal(palette_map_read(&map, &diag), 0);
	assert_true(diag_has_warned(&diag));
	assert_null(palette_map_find(&map, STR("a")));
	palette_map_release(&map);
	diag_release(&diag);
}

static void test_palette_map_a_file_of_something_else_stays(void **state) {
	(void)state;
	static const char *const others[] = {"notes\n", "P3\n1 1\n255\n0 0 0\n",
					     "a->rgb(1,2,3)\nb\nc\nd\ne\n", "<svg/>"};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct palette_map map = {0};
		struct diag diag = {.lenient = true};
		test_palette_map_put(others[i]);
		assert_int_equal(palette_map_read(&map, &diag), -1);
		assert_has(buf_text(&diag.error), "palette.map: is not a file of colours");
		// The bad file may have come after the reading.
		assert_int_equal(palette_map_write(&map, &diag), -1);
		test_palette_map_assert_file(others[i]);
		palette_map_release(&map);
		diag_release(&diag);
	}
	struct palette_map map = {0};
	struct diag diag = {0};
	unlink("palette.map");
	assert_int_equal(mkfifo("palette.map", 0600), 0);
	assert_int_equal(palette_map_read(&map, &diag), -1);
	assert_has(buf_text(&diag.error), "is a pipe");
	palette_map_release(&map);
	diag_release(&diag);
}

static void test_palette_map_a_link_is_followed(void **state) {
	(void)state;
	struct palette_map map = {0};
	struct diag diag = {0};
	assert_int_equal(symlink("elsewhere", "palette.map"), 0);
	for (uint8_t i = 1; i <= 2; i++) {
		palette_map_set(&map, i == 1 ? STR("a") : STR("b"), (struct rgb){i, i, i});
		assert_int_equal(palette_map_write(&map, &diag), 0);
	}
	test_palette_map_assert_file("a->rgb(1,1,1)\nb->rgb(2,2,2)\n");
	struct stat info;
	assert_true(lstat("palette.map", &info) == 0 && S_ISLNK(info.st_mode));
	palette_map_release(&map);
	diag_release(&diag);
}

static void test_palette_map_runs_at_once_lose_nothing(void **state) {
	(void)state;
	enum { RUNS = 16, NAMES = 8 };
	for (int run = 0; run < RUNS; run++) {
		if (fork() == 0) {
			struct palette_map map = {0};
			struct diag diag = {0};
			bool good = true;
			for (int i = 0; i < NAMES && good; i++) {
				struct buf name = {0};
				buf_printf(&name, "%d-%d", run, i);
				palette_map_set(&map, buf_str(&name), (struct rgb){0});
				good = palette_map_write(&map, &diag) == 0;
			}
			_exit(!good);
		}
	}
	for (int run = 0; run < RUNS; run++) {
		int status;
		assert_true(wait(&status) > 0 && status == 0);
	}
	struct palette_map map = {0};
	struct diag diag = {0};
	assert_int_equal(palette_map_read(&map, &diag), 0);
	for (int i = 0; i < RUNS * NAMES; i++) {
		struct buf name = {0};
		buf_printf(&name, "%d-%d", i / NAMES, i % NAMES);
		assert_non_null(palette_map_find(&map, buf_str(&name)));
		buf_release(&name);
	}
	palette_map_release(&map);
	diag_release(&diag);
}

#define IN_A_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, test_palette_map_enter, test_palette_map_leave)

int main(void) {
	const struct CMUnitTest tests[] = {
		IN_A_FOLDER(test_palette_map_no_file_is_an_empty_map),
		IN_A_FOLDER(test_palette_map_entries_are_read_and_written_in_order),
		IN_A_FOLDER(test_palette_map_odd_lines_are_ignored_with_one_warning),
		IN_A_FOLDER(test_palette_map_entries_with_errors_are_ignored),
		IN_A_FOLDER(test_palette_map_a_file_of_something_else_stays),
		IN_A_FOLDER(test_palette_map_a_link_is_followed),
		IN_A_FOLDER(test_palette_map_runs_at_once_lose_nothing),
	};
	return RUN(tests);
}
