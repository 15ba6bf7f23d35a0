/* How counts compare. */
#include "test.h"

#include <math.h>

#include "profile/change.h"

static void near(double found, double wanted) {
	assert_true(fabs(found - wanted) < 1e-6);
}

/** Return a yardstick that makes the totals equal, for one function. */
static struct yardstick scaled(struct change totals) {
	struct yardstick yardstick = yardstick_of(totals);
	yardstick_scale(&yardstick, SCALE_TOTAL, NULL, 0);
	yardstick_limit(&yardstick, 2, 1);
	return yardstick;
}

static void test_scale(void **state) {
	(void)state;
	near(scaled((struct change){1000, 2000}).scale, 2);
	near(scaled((struct change){1000, 1011}).scale, 1.011);
	near(scaled((struct change){1000, 1010}).scale, 1); // alike enough
	near(scaled((struct change){0, 10}).scale, 1);
	near(scaled((struct change){10, 0}).scale, 1);
}

static void test_deviations(void **state) {
	(void)state;
	struct yardstick same = scaled((struct change){1000, 1000});
	near(change_deviations(&same, (struct change){100, 100}), 0);
	near(change_deviations(&same, (struct change){0, 0}), 0);
	near(change_deviations(&same, (struct change){32, 0}), -sqrt(32));
	near(change_deviations(&same, (struct change){0, 9}), 3);
	struct yardstick twice = scaled((struct change){1000, 2000});
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
	struct yardstick yardstick = scaled((struct change){100000, (uint64_t)(100000 * ratio)});
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
	struct yardstick longer = scaled((struct change){1000, 10000});
	assert_true(change_is_noise(&longer, (struct change){0, 10}));
	assert_false(change_is_noise(&longer, (struct change){0, 60}));
}

static void test_noise(void **state) {
	(void)state;
	struct yardstick yardstick = scaled((struct change){1000, 1000});
	assert_true(change_is_noise(&yardstick, (struct change){0, 3}));
	assert_false(change_is_noise(&yardstick, (struct change){0, 4}));
	assert_false(change_is_noise(&yardstick, (struct change){4, 0}));
	struct yardstick off = scaled((struct change){1000, 1000});
	yardstick_limit(&off, 0, 100);
	assert_false(change_is_noise(&off, (struct change){5, 5}));
}

static void test_among_many(void **state) {
	(void)state;
	struct yardstick yardstick = scaled((struct change){1000, 1000});
	const struct change change = {0, 9}; // three deviations: a chance of 0.27 %
	yardstick_limit(&yardstick, 2, 1);
	near(yardstick.limit, 2);
	yardstick_limit(&yardstick, 2, 16); // 4.3 %, two deviations are 4.55 %
	assert_false(change_is_noise(&yardstick, change));
	yardstick_limit(&yardstick, 2, 17);
	assert_true(change_is_noise(&yardstick, change));
}

/** Five functions did not change, one doubled, one is new, one is gone. */
static const struct change known[] = {{800, 800}, {700, 690},  {600, 612}, {500, 500},
				      {400, 396}, {900, 1800}, {0, 400},   {300, 0}};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

static struct yardstick median_of(const struct change *own, size_t n) {
	struct change totals = {0};
	for (size_t i = 0; i < n; i++) {
		totals.before += own[i].before;
		totals.after += own[i].after;
	}
	struct yardstick yardstick = yardstick_of(totals);
	yardstick_scale(&yardstick, SCALE_MEDIAN, own, n);
	yardstick_limit(&yardstick, 2, n);
	return yardstick;
}

static void check_story(const struct yardstick *yardstick, const struct change *own) {
	for (size_t i = 0; i < KNOWN; i++) {
		assert_int_equal(change_is_noise(yardstick, own[i]), i < 5);
	}
}

static void test_median(void **state) {
	(void)state;
	struct yardstick yardstick = median_of(known, KNOWN);
	assert_int_equal(yardstick.scaling, SCALE_MEDIAN);
	assert_int_equal(yardstick.measured, KNOWN);
	near(yardstick.scale, 1);
	check_story(&yardstick, known);
	// The same program, recorded for half of the time: the same story.
	struct change shorter[KNOWN];
	for (size_t i = 0; i < KNOWN; i++) {
		shorter[i] = (struct change){known[i].before, known[i].after / 2};
	}
	yardstick = median_of(shorter, KNOWN);
	assert_true(fabs(yardstick.scale - 0.5) < 0.01);
	check_story(&yardstick, shorter);
}

static void test_no_median(void **state) {
	(void)state;
	static const struct change four[] = {{100, 200}, {90, 90}, {90, 90}, {90, 90}, {1, 8}};
	struct yardstick yardstick = median_of(four, 5); // four functions have enough samples
	assert_int_equal(yardstick.scaling, SCALE_TOTAL);
	near(yardstick.scale, 478.0 / 371);
	static const struct change replaced[] = {{100, 0}, {100, 0}, {100, 0}, {100, 0}, {0, 300}};
	assert_int_equal(median_of(replaced, 5).scaling, SCALE_TOTAL);
	static const struct change none[] = {{0, 0}, {0, 0}, {0, 0}};
	near(median_of(none, 3).scale, 1);
}

/** The scale is as uncertain as the functions that it was found with, so a large sum may seem to
 * change. */
static void test_scale_error(void **state) {
	(void)state;
	struct yardstick yardstick = median_of(known, KNOWN);
	const struct change all = {4200, 4450}; // 2.7 deviations if the scale were exact
	assert_true(change_is_noise(&yardstick, all));
	yardstick.scale_error = 0;
	yardstick.limit = 2;
	assert_false(change_is_noise(&yardstick, all));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_deviations),
		cmocka_unit_test(test_different_lengths),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_among_many),
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_no_median),
		cmocka_unit_test(test_scale_error),
	};
	return RUN(tests);
}
