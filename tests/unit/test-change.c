/* How counts compare. */
#include "test.h"

#include <math.h>

#include "profile/change.h"

static void near(double found, double wanted) {
	assert_true(fabs(found - wanted) < 1e-6);
}

static void test_scale(void **state) {
	(void)state;
	near(yardstick_of((struct change){1000, 2000}, 2).scale, 2);
	near(yardstick_of((struct change){1000, 1011}, 2).scale, 1.011);
	near(yardstick_of((struct change){1000, 1010}, 2).scale, 1); // alike enough
	near(yardstick_of((struct change){0, 10}, 2).scale, 1);
	near(yardstick_of((struct change){10, 0}, 2).scale, 1);
}

static void test_deviations(void **state) {
	(void)state;
	struct yardstick same = yardstick_of((struct change){1000, 1000}, 2);
	near(change_deviations(&same, (struct change){100, 100}), 0);
	near(change_deviations(&same, (struct change){0, 0}), 0);
	near(change_deviations(&same, (struct change){32, 0}), -sqrt(32));
	near(change_deviations(&same, (struct change){0, 9}), 3);
	struct yardstick twice = yardstick_of((struct change){1000, 2000}, 2);
	near(change_amount(&twice, (struct change){10, 30}), 10);
	near(change_deviations(&twice, (struct change){10, 30}), 10 / sqrt(30 + 4 * 10));
}

static void test_noise(void **state) {
	(void)state;
	struct yardstick yardstick = yardstick_of((struct change){1000, 1000}, 2);
	assert_true(change_is_noise(&yardstick, (struct change){0, 3}));
	assert_false(change_is_noise(&yardstick, (struct change){0, 4}));
	assert_false(change_is_noise(&yardstick, (struct change){4, 0}));
	struct yardstick off = yardstick_of((struct change){1000, 1000}, 0);
	assert_false(change_is_noise(&off, (struct change){5, 5}));
	assert_false(change_is_noise_among(&off, (struct change){5, 5}, 100));
}

static void test_among_many(void **state) {
	(void)state;
	struct yardstick yardstick = yardstick_of((struct change){1000, 1000}, 2);
	const struct change change = {0, 9}; // three deviations: a chance of 0.27 %
	assert_false(change_is_noise_among(&yardstick, change, 1));
	assert_false(change_is_noise_among(&yardstick, change, 16)); // 4.3 %, two are 4.55 %
	assert_true(change_is_noise_among(&yardstick, change, 17));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_deviations),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_among_many),
	};
	return RUN(tests);
}
