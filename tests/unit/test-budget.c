/* The limit for the time that reading stacks takes. */
#include "test.h"

#include "script/budget.h"

enum { MILLISECOND = 1000000, SAMPLES = 2000 };

/** Take a sample every millisecond. Reading a stack takes `cost` nanoseconds. Return the time spent
 * on reading in the second half, in nanoseconds. */
static uint64_t test_budget_run(struct budget *budget, uint64_t *now, uint64_t cost) {
	uint64_t spent = 0, samples = budget->skipped, counted = 0;
	for (int i = 0; i < SAMPLES; i++) {
		*now += MILLISECOND;
		uint32_t counts_for = budget_next(budget);
		samples++;
		counted += counts_for;
		if (counts_for > 0) {
			spent += i < SAMPLES / 2 ? 0 : cost;
			budget_spend(budget, *now, cost);
		}
		assert_in_range(budget->skipped, 0, budget->stride);
	}
	assert_int_equal(counted + budget->skipped, samples);
	return spent;
}

static void test_budget_reads_all_that_is_cheap(void **state) {
	(void)state;
	struct budget budget = {0};
	uint64_t now = MILLISECOND;
	test_budget_run(&budget, &now, MILLISECOND / 11);
	assert_int_equal(budget.left_out, 0);
	assert_int_equal(budget.read, SAMPLES);
}

/** Every sample is counted once, although most of them are left out. */
static void test_budget_limits_the_time(void **state) {
	(void)state;
	static const uint64_t costs[] = {MILLISECOND / 5, MILLISECOND, 7 * MILLISECOND};
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
		struct budget budget = {0};
		uint64_t now = MILLISECOND;
		uint64_t spent = test_budget_run(&budget, &now, costs[i]);
		uint64_t allowed = (uint64_t)SAMPLES / 2 * MILLISECOND / 100 * BUDGET_PERCENT;
		assert_in_range(spent, allowed / 2, allowed + costs[i]);
		assert_int_equal(budget.read + budget.left_out, SAMPLES);
	}
}

static void test_budget_reads_all_again(void **state) {
	(void)state;
	struct budget budget = {0};
	uint64_t now = MILLISECOND;
	test_budget_run(&budget, &now, MILLISECOND);
	assert_in_range(budget.stride, 10, 12);
	assert_int_equal(budget.stride, budget.widest);
	test_budget_run(&budget, &now, MILLISECOND / 100);
	assert_int_equal(budget.stride, 1);
}

/** A read that seems to take very long leaves few samples out. */
static void test_budget_bounds_one_cost(void **state) {
	(void)state;
	struct budget budget = {0};
	uint64_t now = MILLISECOND;
	test_budget_run(&budget, &now, MILLISECOND);
	budget_spend(&budget, now, 500 * (uint64_t)MILLISECOND);
	budget.widest = 0;
	test_budget_run(&budget, &now, MILLISECOND);
	assert_in_range(budget.widest, 10, 20);
}

static void test_budget_ignores_idle_time(void **state) {
	(void)state;
	struct budget budget = {0};
	uint64_t now = MILLISECOND;
	for (int i = 0; i < SAMPLES; i++) {
		now += 50 * (uint64_t)MILLISECOND; // the program sleeps between samples
		assert_int_equal(budget_next(&budget), 1);
		budget_spend(&budget, now, 2 * MILLISECOND);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_budget_reads_all_that_is_cheap),
		cmocka_unit_test(test_budget_limits_the_time),
		cmocka_unit_test(test_budget_reads_all_again),
		cmocka_unit_test(test_budget_bounds_one_cost),
		cmocka_unit_test(test_budget_ignores_idle_time),
	};
	return RUN(tests);
}
