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
	near(change_deviations(&twice, (struct change){10, 40}), 20 / sqrt(2 * (10 + 40)));
	struct yardstick fives = same;
	fives.sample_before = fives.sample_after = 5;
	near(change_deviations(&fives, (struct change){0, 45}), 3);
}

/** How probable it is that of `n` samples `k` or more are in the profile that gets each with
 * `share`. */
static double binomial_tail(int k, int n, double share) {
	double sum = 0;
	for (int i = k; i <= n; i++) {
		sum += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(share) +
			   (n - i) * log(1 - share));
	}
	return sum;
}

/** It must not be much surer than the exact test, whatever the profiles' lengths. */
static void check_against_binomial(double ratio, int before, int after) {
	struct yardstick yardstick =
		yardstick_of((struct change){100000, (uint64_t)(100000 * ratio)}, 2);
	double share = ratio / (1 + ratio),
	       deviations = change_deviations(&yardstick,
					      (struct change){(uint64_t)before, (uint64_t)after});
	double tail = deviations < 0 ? binomial_tail(before, before + after, 1 - share)
				     : binomial_tail(after, before + after, share);
	double claimed = erfc(fabs(deviations) / sqrt(2)); // on both sides
	assert_true(claimed > 0.05 || tail < 1e-4 || claimed > 0.15 * tail);
}

static void test_different_lengths(void **state) {
	(void)state;
	static const double ratios[] = {0.05, 0.1, 0.3, 1, 3, 10, 20};
	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++) {
		for (int before = 0; before < 40; before++) {
			for (int after = 0; after < 40; after++) {
				check_against_binomial(ratios[i], before, after);
			}
		}
	}
	// Nothing of a profile ten times as short may well be chance.
	struct yardstick longer = yardstick_of((struct change){1000, 10000}, 2);
	assert_true(change_is_noise(&longer, (struct change){0, 10}));
	assert_false(change_is_noise(&longer, (struct change){0, 60}));
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
		cmocka_unit_test(test_different_lengths),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_among_many),
	};
	return RUN(tests);
}
