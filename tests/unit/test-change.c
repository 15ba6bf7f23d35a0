/* Changes of counts, and the limits of noise. */
#include "test.h"

#include <math.h>

#include "profile/change.h"

static void test_change_near(double found, double wanted) {
	assert_true(fabs(found - wanted) < 1e-6);
}

/** Return the scale that makes the totals equal, with the limit for a single function. */
static struct scale test_change_scaled(struct change totals) {
	struct scale scale = scale_of(totals);
	scale_find(&scale, SCALE_TOTAL, NULL, 0);
	scale_limit(&scale, 2, 1);
	return scale;
}

static void test_change_scale(void **state) {
	(void)state;
	test_change_near(test_change_scaled((struct change){1000, 2000}).factor, 2);
	test_change_near(test_change_scaled((struct change){1000, 1011}).factor, 1.011);
	// The totals are similar enough.
	test_change_near(test_change_scaled((struct change){1000, 1010}).factor, 1);
	test_change_near(test_change_scaled((struct change){0, 10}).factor, 1);
	test_change_near(test_change_scaled((struct change){10, 0}).factor, 1);
}

static void test_change_deviations(void **state) {
	(void)state;
	struct scale same = test_change_scaled((struct change){1000, 1000});
	test_change_near(change_deviations(&same, (struct change){100, 100}), 0);
	test_change_near(change_deviations(&same, (struct change){0, 0}), 0);
	test_change_near(change_deviations(&same, (struct change){32, 0}), -sqrt(32));
	test_change_near(change_deviations(&same, (struct change){0, 9}), 3);
	struct scale twice = test_change_scaled((struct change){1000, 2000});
	test_change_near(change_amount(&twice, (struct change){10, 30}), 10);
	test_change_near(change_deviations(&twice, (struct change){10, 40}),
			 20 / sqrt(2 * (10 + 40)));
	struct scale fives = same;
	fives.sample_before = fives.sample_after = 5;
	test_change_near(change_deviations(&fives, (struct change){0, 45}), 3);
}

/** Return the probability that a profile gets `k` or more of `n` samples, if it gets each with the
 * probability `share`. */
static double test_change_binomial_tail(int k, int n, double share) {
	double sum = 0;
	for (int i = k; i <= n; i++) {
		sum += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(share) +
			   (n - i) * log(1 - share));
	}
	return sum;
}

/** For any lengths of the profiles, the approximation must not claim much more certainty than the
 * exact test. */
static void test_change_check_against_binomial(double ratio, int before, int after) {
	struct scale scale =
		test_change_scaled((struct change){100000, (uint64_t)(100000 * ratio)});
	double share = ratio / (1 + ratio),
	       deviations = change_deviations(&scale,
					      (struct change){(uint64_t)before, (uint64_t)after});
	double tail = deviations < 0 ? test_change_binomial_tail(before, before + after, 1 - share)
				     : test_change_binomial_tail(after, before + after, share);
	double claimed = erfc(fabs(deviations) / sqrt(2)); // for a deviation in either direction
	assert_true(claimed > 0.05 || tail < 1e-4 || claimed > 0.15 * tail);
}

static void test_change_different_lengths(void **state) {
	(void)state;
	static const double ratios[] = {0.05, 0.1, 0.3, 1, 3, 10, 20};
	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++) {
		for (int before = 0; before < 40; before++) {
			for (int after = 0; after < 40; after++) {
				test_change_check_against_binomial(ratios[i], before, after);
			}
		}
	}
	// In a profile that is ten times shorter, a count of 0 may be chance.
	struct scale longer = test_change_scaled((struct change){1000, 10000});
	assert_true(change_is_noise(&longer, (struct change){0, 10}));
	assert_false(change_is_noise(&longer, (struct change){0, 60}));
}

static void test_change_noise(void **state) {
	(void)state;
	struct scale scale = test_change_scaled((struct change){1000, 1000});
	assert_true(change_is_noise(&scale, (struct change){0, 3}));
	assert_false(change_is_noise(&scale, (struct change){0, 4}));
	assert_false(change_is_noise(&scale, (struct change){4, 0}));
	struct scale off = test_change_scaled((struct change){1000, 1000});
	scale_limit(&off, 0, 100);
	assert_false(change_is_noise(&off, (struct change){5, 5}));
}

static void test_change_among_many(void **state) {
	(void)state;
	struct scale scale = test_change_scaled((struct change){1000, 1000});
	const struct change change = {0, 9}; // three deviations: a chance of 0.27 %
	scale_limit(&scale, 2, 1);
	test_change_near(scale.limit, 2);
	scale_limit(&scale, 2, 16); // 4.3 %, two deviations are 4.55 %
	assert_false(change_is_noise(&scale, change));
	scale_limit(&scale, 2, 17);
	assert_true(change_is_noise(&scale, change));
}

/** Five functions did not change, one doubled, one is new, one is gone. */
static const struct change known[] = {{800, 800}, {700, 690},  {600, 612}, {500, 500},
				      {400, 396}, {900, 1800}, {0, 400},   {300, 0}};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

static struct scale test_change_median_of(const struct change *self, size_t n) {
	struct change totals = {0};
	for (size_t i = 0; i < n; i++) {
		totals.before += self[i].before;
		totals.after += self[i].after;
	}
	struct scale scale = scale_of(totals);
	scale_find(&scale, SCALE_MEDIAN, self, n);
	scale_limit(&scale, 2, n);
	return scale;
}

static void test_change_check_story(const struct scale *scale, const struct change *self) {
	for (size_t i = 0; i < KNOWN; i++) {
		assert_int_equal(change_is_noise(scale, self[i]), i < 5);
	}
}

static void test_change_median(void **state) {
	(void)state;
	struct scale scale = test_change_median_of(known, KNOWN);
	assert_int_equal(scale.scaling, SCALE_MEDIAN);
	assert_int_equal(scale.measured, KNOWN);
	test_change_near(scale.factor, 1);
	test_change_check_story(&scale, known);
	// If one recording takes half as long, the changes must be the same.
	struct change shorter[KNOWN];
	for (size_t i = 0; i < KNOWN; i++) {
		shorter[i] = (struct change){known[i].before, known[i].after / 2};
	}
	scale = test_change_median_of(shorter, KNOWN);
	assert_true(fabs(scale.factor - 0.5) < 0.01);
	test_change_check_story(&scale, shorter);
}

static void test_change_no_median(void **state) {
	(void)state;
	static const struct change four[] = {{100, 200}, {90, 90}, {90, 90}, {90, 90}, {1, 8}};
	// Only four functions have enough samples.
	struct scale scale = test_change_median_of(four, 5);
	assert_int_equal(scale.scaling, SCALE_TOTAL);
	test_change_near(scale.factor, 478.0 / 371);
	static const struct change replaced[] = {{100, 0}, {100, 0}, {100, 0}, {100, 0}, {0, 300}};
	assert_int_equal(test_change_median_of(replaced, 5).scaling, SCALE_TOTAL);
	static const struct change none[] = {{0, 0}, {0, 0}, {0, 0}};
	test_change_near(test_change_median_of(none, 3).factor, 1);
}

/** The scale has an error, because few functions determine it. This error adds to the noise of
 * large sums. */
static void test_change_scale_error(void **state) {
	(void)state;
	struct scale scale = test_change_median_of(known, KNOWN);
	const struct change all = {4200, 4450}; // 2.7 deviations if the scale were exact
	assert_true(change_is_noise(&scale, all));
	scale.error = 0;
	scale.limit = 2;
	assert_false(change_is_noise(&scale, all));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_change_scale),
		cmocka_unit_test(test_change_deviations),
		cmocka_unit_test(test_change_different_lengths),
		cmocka_unit_test(test_change_noise),
		cmocka_unit_test(test_change_among_many),
		cmocka_unit_test(test_change_median),
		cmocka_unit_test(test_change_no_median),
		cmocka_unit_test(test_change_scale_error),
	};
	return RUN(tests);
}
