/* The colours of --style=modern. */
#include "test.h"

#include "picture/theme.h"

static void test_theme_contrast_is_that_of_wcag(void **state) {
	(void)state;
	const struct rgb black = {0}, white = {255, 255, 255}, grey = {119, 119, 119};
	assert_true(rgb_contrast(black, white) == 21);
	assert_true(rgb_contrast(white, black) == 21);
	assert_true(rgb_contrast(grey, grey) == 1);
	assert_true(rgb_contrast(grey, white) > 4.47 && rgb_contrast(grey, white) < 4.48);
}

static void test_theme_labels_can_be_read(void **state) {
	(void)state;
	for (size_t i = 0; i < SHADES; i++) {
		struct shade text = shade_text;
		if (i >= SHADE_NEW) { // labels have the colour of the other mode
			text = (struct shade){shade_text.dark, shade_text.light};
		}
		if (rgb_contrast(shades[i].light, text.light) < 4.5 ||
		    rgb_contrast(shades[i].dark, text.dark) < 4.5) {
			fail_msg("shade %zu has too little contrast", i);
		}
	}
}

static bool test_theme_same(struct rgb a, struct rgb b) {
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

static void test_theme_no_two_are_the_same(void **state) {
	(void)state;
	for (size_t i = 0; i < SHADES; i++) {
		for (size_t k = 0; k < i; k++) {
			assert_false(test_theme_same(shades[i].light, shades[k].light));
			assert_false(test_theme_same(shades[i].dark, shades[k].dark));
		}
	}
}

static void test_theme_names_get_all_of_theirs(void **state) {
	(void)state;
	bool seen[SHADE_NEUTRAL] = {false};
	size_t n = 0;
	for (char c = '!'; c <= '~'; c = c == 'Z' ? '\\' : (char)(c + 1)) { // not `[`
		struct fill fill = shade_of_name((struct str){&c, 1});
		assert_true(fill.is_shade && fill.shade < SHADE_NEUTRAL);
		n += !seen[fill.shade];
		seen[fill.shade] = true;
	}
	assert_true(n > SHADE_NEUTRAL * 3 / 4);
	assert_int_equal(shade_of_name(STR("main")).shade, shade_of_name(STR("main")).shade);
}

static void test_theme_names_that_tell_nothing_are_neutral(void **state) {
	(void)state;
	assert_int_equal(shade_of_name(STR("[unknown]")).shade, SHADE_NEUTRAL);
	assert_int_equal(shade_of_name(STR("[libc.so.6]")).shade, SHADE_NEUTRAL);
	assert_int_equal(shade_of_name(STR("0x7f00")).shade, SHADE_NEUTRAL);
	assert_int_equal(shade_of_name(STR("schedule_[k]")).shade, SHADE_NEUTRAL);
	assert_int_not_equal(shade_of_name(STR("x[0]")).shade, SHADE_NEUTRAL);
}

static void test_theme_differences_have_steps(void **state) {
	(void)state;
	assert_int_equal(shade_of_delta(0, 1, false).shade, SHADE_NEUTRAL);
	assert_int_equal(shade_of_delta(1, 16, false).shade, SHADE_GREW);
	assert_int_equal(shade_of_delta(4, 16, false).shade, SHADE_GREW + 1);
	assert_int_equal(shade_of_delta(9, 16, true).shade, SHADE_SHRANK + 2);
	assert_int_equal(shade_of_delta(10, 16, true).shade, SHADE_SHRANK + 3);
	assert_int_equal(shade_of_delta(UINT64_MAX, UINT64_MAX, true).shade, SHADE_NEW - 1);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_theme_contrast_is_that_of_wcag),
		cmocka_unit_test(test_theme_labels_can_be_read),
		cmocka_unit_test(test_theme_no_two_are_the_same),
		cmocka_unit_test(test_theme_names_get_all_of_theirs),
		cmocka_unit_test(test_theme_names_that_tell_nothing_are_neutral),
		cmocka_unit_test(test_theme_differences_have_steps),
	};
	return RUN(tests);
}
