/* Decimal numbers that are added exactly. */
#include "test.h"

#include "base/decimal.h"

enum { BILLION = 1000000000 };
#define UNIT (UINT64_C(1) * BILLION * BILLION)

static void test_decimal_check(const char *text, int shift, int64_t whole, uint64_t part) {
	struct decimal value = {7, 7};
	assert_true(decimal_parse(str_of(text), shift, &value));
	assert_int_equal(value.whole, whole);
	assert_int_equal(value.part, part);
}

static void test_decimal_numbers_in(void **state) {
	(void)state;
	test_decimal_check("0", 0, 0, 0);
	test_decimal_check("12", 0, 12, 0);
	test_decimal_check("+12.", 0, 12, 0);
	test_decimal_check(".5", 0, 0, UNIT / 2);
	test_decimal_check("1.25", 0, 1, UNIT / 4);
	test_decimal_check("0.000000000000000001", 0, 0, 1);
	test_decimal_check("0.0000000000000000019", 0, 0, 1);
	test_decimal_check("-1.25", 0, -2, UNIT / 4 * 3);
	test_decimal_check("-3", 0, -3, 0);
	test_decimal_check("1.5e3", 0, 1500, 0);
	test_decimal_check("1500E-3", 0, 1, UNIT / 2);
	test_decimal_check("0.000238", 6, 238, 0);
	test_decimal_check("1.0000005", 6, 1000000, UNIT / 2);
	test_decimal_check("4611686018427387903", 0, INT64_C(4611686018427387903), 0);
	test_decimal_check("000000000000000000000000000000042", 0, 42, 0);
	test_decimal_check("0e9999999999", 0, 0, 0);
	test_decimal_check("1e-9999999999", 0, 0, 0);
}

static void test_decimal_what_is_no_number(void **state) {
	(void)state;
	static const char *const bad[] = {"",
					  "-",
					  ".",
					  "e3",
					  "1e",
					  "1e+",
					  "1.2.3",
					  "1,5",
					  "0x1",
					  " 1",
					  "nan",
					  "--1",
					  "1e5x",
					  "inf",
					  "4611686018427387904",
					  "1e30",
					  "99999999999999999999"};
	struct decimal value = {7, 7};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(decimal_parse(str_of(bad[i]), 0, &value));
		assert_int_equal(value.whole, 7);
	}
	assert_false(decimal_parse(STR("461168601842738791"), 1, &value));
}

static struct decimal test_decimal_number(const char *text) {
	struct decimal value = {0};
	assert_true(decimal_parse(str_of(text), 0, &value));
	return value;
}

static void test_decimal_sums_and_differences(void **state) {
	(void)state;
	struct decimal sum = test_decimal_number("0.1");
	assert_true(decimal_add(&sum, test_decimal_number("0.2")));
	assert_int_equal(decimal_compare(sum, test_decimal_number("0.3")), 0);
	assert_true(decimal_add(&sum, test_decimal_number("-0.3")));
	assert_int_equal(decimal_compare(sum, test_decimal_number("0")), 0);
	assert_true(decimal_add(&sum, test_decimal_number("0.75")) &&
		    decimal_add(&sum, test_decimal_number("0.75")));
	assert_int_equal(decimal_compare(sum, test_decimal_number("1.5")), 0);
	assert_int_equal(decimal_compare(decimal_minus(test_decimal_number("1.25"),
						       test_decimal_number("0.5")),
					 test_decimal_number("0.75")),
			 0);
	assert_int_equal(
		decimal_compare(decimal_minus(test_decimal_number("1"), test_decimal_number("2.5")),
				test_decimal_number("-1.5")),
		0);
	assert_true(decimal_compare(test_decimal_number("1.4"), test_decimal_number("1.5")) < 0);
	assert_true(decimal_compare(test_decimal_number("2"), test_decimal_number("1.5")) > 0);
	struct decimal most = {INT64_MAX, UNIT - 1};
	assert_false(decimal_add(&most, test_decimal_number("0.1")));
	assert_int_equal(most.whole, INT64_MAX);
}

static void test_decimal_rounding(void **state) {
	(void)state;
	assert_int_equal(decimal_round(test_decimal_number("1.499999999999999999")), 1);
	assert_int_equal(decimal_round(test_decimal_number("1.5")), 2);
	assert_int_equal(decimal_round(test_decimal_number("0.5")), 1);
	assert_int_equal(decimal_round(test_decimal_number("-7")), 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decimal_numbers_in),
		cmocka_unit_test(test_decimal_what_is_no_number),
		cmocka_unit_test(test_decimal_sums_and_differences),
		cmocka_unit_test(test_decimal_rounding),
	};
	return RUN(tests);
}
