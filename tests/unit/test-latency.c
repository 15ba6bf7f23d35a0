/* Dividing the time of samples by the number of threads that run. */
#include "test.h"

#include "perf/latency.h"

static void test_latency_counts_running_threads(void **state) {
	(void)state;
	struct latency latency = {0};
	assert_int_equal(latency_share(&latency, 12), 12); // no thread is known yet
	for (int32_t tid = 1; tid <= 3; tid++) {
		latency_set(&latency, tid, true);
		latency_set(&latency, tid, true); // the thread runs already
		assert_int_equal(latency_share(&latency, 12), 12 / tid);
	}
	latency_set(&latency, 2, false);
	latency_set(&latency, 2, false);
	latency_set(&latency, 4, false); // this thread was never seen
	assert_int_equal(latency.running, 2);
	assert_int_equal(latency_share(&latency, 12), 6);
	latency_release(&latency);
}

/** The sum of all parts is exact. The sum is rounded once, with halves rounded up. */
static void test_latency_sum_is_exact(void **state) {
	(void)state;
	for (int32_t threads = 1; threads <= 16; threads++) {
		struct latency latency = {0};
		uint64_t sum = 0, time = 0;
		for (int32_t tid = 1; tid <= threads; tid++) {
			latency_set(&latency, tid, true);
		}
		for (uint64_t i = 1; i <= 1000; i++) {
			uint64_t n = (uint64_t)threads;
			sum += latency_share(&latency, 1000000 + i);
			time += 1000000 + i;
			assert_int_equal(sum, (2 * time + n) / (2 * n));
		}
		latency_release(&latency);
	}
}

static void test_latency_of_the_longest_time(void **state) {
	(void)state;
	struct latency latency = {0};
	latency_set(&latency, 1, true);
	assert_int_equal(latency_share(&latency, INT64_MAX), INT64_MAX);
	latency_set(&latency, 2, true);
	assert_int_equal(latency_share(&latency, INT64_MAX), INT64_MAX / 2 + 1); // half up
	latency_release(&latency);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latency_counts_running_threads),
		cmocka_unit_test(test_latency_sum_is_exact),
		cmocka_unit_test(test_latency_of_the_longest_time),
	};
	return RUN(tests);
}
