/* Conditions of --fail-if. */
#include "test.h"

#include "analysis/condition.h"

/**
 * Return whether a condition holds for a function with `before` and `after` of 1,000 samples in
 * each profile.
 */
static bool test_condition_holds(const char *text, uint64_t before, uint64_t after) {
	struct condition condition;
	struct diag diag = {0};
	assert_int_equal(condition_parse(&condition, text, &diag), 0);
	struct scale scale = scale_of((struct change){1000, 1000});
	bool result = condition_check(&condition, (struct change){before, after}, &scale).holds;
	condition_release(&condition);
	diag_release(&diag);
	return result;
}

static void test_condition_change(void **state) {
	(void)state;
	assert_true(test_condition_holds("total(f) > +5%", 100, 106));
	assert_false(test_condition_holds("total(f) > +5%", 100, 105));
	assert_true(test_condition_holds("total(f)>=+5%", 100, 105));
	assert_true(test_condition_holds("self(f) > +5", 100, 106));
	assert_false(test_condition_holds("self(f) > +6", 100, 106));
	assert_true(test_condition_holds("total(f) < -50%", 100, 49));
	assert_false(test_condition_holds("total(f) < -50%", 100, 50));
	assert_true(test_condition_holds("total(f) <= -50 %", 100, 50));
	assert_true(test_condition_holds("total(f) > +1000%", 0, 1)); // from nothing
	assert_false(test_condition_holds("total(f) > +0%", 0, 0));
}

static void test_condition_absolute(void **state) {
	(void)state;
	assert_true(test_condition_holds("total(f) > 10%", 0, 101));
	assert_false(test_condition_holds("total(f) > 10%", 0, 100));
	assert_true(test_condition_holds("self(f) >= 100", 0, 100));
	assert_false(test_condition_holds("self(f) > 100", 0, 100));
	assert_true(test_condition_holds("  self(f)  <  0.5 ", 10, 0));
}

static void test_condition_noise(void **state) {
	(void)state;
	struct condition condition;
	struct diag diag = {0};
	assert_int_equal(condition_parse(&condition, "total(f) > +5%", &diag), 0);
	struct scale scale = scale_of((struct change){1000, 1000});
	scale_limit(&scale, 2, 1);
	struct verdict little = condition_check(&condition, (struct change){100, 110}, &scale);
	assert_true(!little.holds && little.noise);
	struct verdict much = condition_check(&condition, (struct change){100, 200}, &scale);
	assert_true(much.holds && !much.noise);
	condition_release(&condition);
	assert_int_equal(condition_parse(&condition, "total(f) > 100", &diag), 0);
	assert_true(condition_check(&condition, (struct change){100, 101}, &scale).holds);
	condition_release(&condition);
	diag_release(&diag);
}

static void test_condition_pattern(void **state) {
	(void)state;
	struct condition condition;
	struct diag diag = {0};
	assert_int_equal(condition_parse(&condition, "total(^(a|b)[(]x[)]$) > +5%", &diag), 0);
	assert_true(condition_matches(&condition, "a(x)"));
	assert_false(condition_matches(&condition, "a(x)y"));
	condition_release(&condition);
	assert_int_equal(condition_parse(&condition, "self(a > b) >= 3", &diag), 0);
	assert_true(condition_matches(&condition, "operator a > b"));
	condition_release(&condition);
	diag_release(&diag);
}

static void test_condition_wrong(void **state) {
	(void)state;
	static const char *const texts[] = {
		"",
		"total",
		"total(f)",
		"total(f) > ",
		"total(f) > x%",
		"total f>1",
		"totals(f) > 5%",
		"total(f) = 5%",
		"total(f > +5%",
		"(f) > 5%",
		"total(",
		"total(f) > 5%%",
		"total(f) > 1e3",
		"total(f) > inf",
		"total(f) > -",
		"total(*[) > 1",
		"self(f) => 5",
		"total(f) > 5% and more",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct condition condition;
		struct diag diag = {0};
		assert_int_equal(condition_parse(&condition, texts[i], &diag), -1);
		assert_non_null(strstr(buf_text(&diag.error), "write a condition such as"));
		condition_release(&condition);
		diag_release(&diag);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_condition_change), cmocka_unit_test(test_condition_absolute),
		cmocka_unit_test(test_condition_noise),  cmocka_unit_test(test_condition_pattern),
		cmocka_unit_test(test_condition_wrong),
	};
	return RUN(tests);
}
