/* Reading and printing numbers. */
#include "test.h"

#include <locale.h>
#include <math.h>

#include "base/num.h"

static void test_num_whole_numbers_in(void **state) {
	(void)state;
	uint64_t value = 7;
	static const char *const bad[] = {"",
					  "+1",
					  "-1",
					  " 1",
					  "1 ",
					  "1.",
					  "0x1",
					  "18446744073709551616",
					  "99999999999999999999",
					  "184467440737095516150"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(num_parse_u64(str_of(bad[i]), &value));
		assert_int_equal(value, 7);
	}
	assert_true(num_parse_u64(STR("0"), &value));
	assert_int_equal(value, 0);
	assert_true(num_parse_u64(STR("18446744073709551615"), &value));
	assert_true(value == UINT64_MAX);
	assert_true(num_parse_u64(STR("00000000000000000000000042"), &value));
	assert_int_equal(value, 42);
}

static void test_num_real_numbers_in(void **state) {
	(void)state;
	static const char *const good[] = {"1",     "-1",   "+1",   "1e3", ".5",        "5.",
					   "-0.25", "1E+2", "1e-2", "inf", "-Infinity", "NaN"};
	static const char *const bad[] = {"",    "+",  ".",     "e3",     "1e",
					  "1e+", " 1", "1 ",    "0x1p3",  "1.2.3",
					  "1,5", "in", "infin", "nan(1)", "--1"};
	double value;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(num_parse_real(str_of(good[i]), &value));
		double expected = strtod(good[i], NULL);
		assert_true(isnan(expected) ? isnan(value) : value == expected);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (num_parse_real(str_of(bad[i]), &value)) {
			print_error("'%s' was accepted\n", bad[i]);
			fail();
		}
	}
}

static void test_num_locale_does_not_matter(void **state) {
	(void)state;
	char text[NUM_FIXED_MAX];
	double value;
	setlocale(LC_ALL, "de_DE.UTF-8"); // without such a locale, the test checks less
	assert_true(num_parse_real(STR("1.5"), &value));
	size_t n = num_format_fixed(text, 1.5, 1);
	assert_true(value == 1.5);
	assert_bytes(((struct str){text, n}), "1.5");
	n = num_format_exact(text, 0.59);
	assert_bytes(((struct str){text, n}), "0.59");
	setlocale(LC_ALL, "C");
}

static void test_num_whole_numbers_out(void **state) {
	(void)state;
	static const struct {
		uint64_t value;
		const char *plain, *grouped;
	} cases[] = {
		{0, "0", "0"},
		{9, "9", "9"},
		{10, "10", "10"},
		{999, "999", "999"},
		{1000, "1000", "1,000"},
		{1234567, "1234567", "1,234,567"},
		{UINT64_MAX, "18446744073709551615", "18,446,744,073,709,551,615"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[NUM_GROUPED_MAX];
		assert_str(((struct str){text, num_format_u64(text, cases[i].value)}),
			   cases[i].plain);
		assert_str(((struct str){text, num_format_grouped(text, cases[i].value)}),
			   cases[i].grouped);
	}
	for (uint64_t power = 1, n = 1; n <= NUM_U64_MAX; power *= 10, n++) {
		char text[NUM_U64_MAX];
		assert_int_equal(num_format_u64(text, power), n);
		assert_int_equal(num_format_u64(text, power - 1), n == 1 ? 1 : n - 1);
	}
}

static void test_num_check_fixed(double value, unsigned places) {
	char got[NUM_FIXED_MAX + 1], expected[NUM_FIXED_MAX + 1];
	size_t n = num_format_fixed(got, value, places);
	got[n] = '\0';
	snprintf(expected, sizeof(expected), "%.*f", (int)places, value);
	if (strcmp(got, expected) != 0) {
		print_error("%a with %u places: expected %s, got %s\n", value, places, expected,
			    got);
		fail();
	}
}

static void test_num_fixed_rounds_as_printf_does(void **state) {
	(void)state;
	static const double values[] = {0,
					0.5,
					1.5,
					2.5,
					0.125,
					0.375,
					0.25,
					0.75,
					0.05,
					0.15,
					0.995,
					1.005,
					9.995,
					99.95,
					0.9999995,
					0.99999949999,
					1e15,
					1e15 + 0.5,
					4503599627370495.5,
					0x1p53,
					0x1p63,
					0x1p64,
					1e300,
					1.7976931348623157e308,
					4.9e-324,
					1e-7,
					5e-7,
					0x1.fffffffffffffp63};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		for (unsigned places = 1; places <= 6; places++) {
			test_num_check_fixed(values[i], places);
		}
	}
	struct random random = {1};
	for (size_t i = 0; i < 200000; i++) {
		double value = (double)(random_next(&random) >> 11) * 0x1p-53;
		unsigned places = (unsigned)random_below(&random, 6) + 1;
		test_num_check_fixed(value * pow(10, (double)random_below(&random, 12)), places);
		test_num_check_fixed((double)random_below(&random, 1 << 20) / 1024,
				     places); // many ties
	}
}

static void test_num_exact_is_read_as_written(void **state) {
	(void)state;
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{0, "0"},
		{1, "1"},
		{0.1, "0.1"},
		{0.59, "0.59"},
		{1000.5, "1000.5"},
		{1e-7, "1e-07"},
		{0.30000000000000004, "0.30000000000000004"},
		{-1.7976931348623157e308, "-1.7976931348623157e+308"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[NUM_EXACT_MAX];
		size_t n = num_format_exact(text, cases[i].value);
		assert_true(str_eq((struct str){text, n}, str_of(cases[i].text)));
	}
}

static void test_num_sums_stop_at_64_bits(void **state) {
	(void)state;
	uint64_t sum = 3;
	assert_true(num_add(UINT64_MAX - 1, 1, &sum));
	assert_true(sum == UINT64_MAX);
	assert_false(num_add(UINT64_MAX, 1, &sum));
	assert_true(sum == UINT64_MAX);
}

static void test_num_shares_are_exact(void **state) {
	(void)state;
	assert_true(num_share(1, 3, 10) == 3);
	assert_true(num_share(0, 3, UINT64_MAX) == 0);
	assert_true(num_share(7, 7, UINT64_MAX) == UINT64_MAX);
	assert_true(num_share(UINT64_MAX, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
	assert_true(num_share(UINT64_MAX - 1, UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
	assert_true(num_share(UINT64_MAX / 3, UINT64_MAX, 9) == 3);
	assert_true(num_share(UINT64_MAX / 3 - 1, UINT64_MAX, 9) == 2);
	// A share must be the same whether the product fits into 64 bits or not.
	assert_true(num_share(UINT64_C(1) << 62, UINT64_C(3) << 62, 100) == num_share(1, 3, 100));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_num_whole_numbers_in),
		cmocka_unit_test(test_num_real_numbers_in),
		cmocka_unit_test(test_num_locale_does_not_matter),
		cmocka_unit_test(test_num_whole_numbers_out),
		cmocka_unit_test(test_num_fixed_rounds_as_printf_does),
		cmocka_unit_test(test_num_exact_is_read_as_written),
		cmocka_unit_test(test_num_sums_stop_at_64_bits),
		cmocka_unit_test(test_num_shares_are_exact),
	};
	return RUN(tests);
}
