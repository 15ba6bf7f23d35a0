/* Compute the latency of samples. */
#include "perf/latency.h"

/** The number of parts of a nanosecond: a multiple of all numbers up to 16, so that shares of up to
 * 16 threads are exact. With more threads, a share is rounded down to a whole part. */
enum { LATENCY_PARTS = 720720 };

struct latency_thread {
	uint64_t runs; // 1 if the thread runs; otherwise 0
};

void latency_set(struct latency *latency, int32_t tid, bool runs) {
	struct latency_thread *thread = perf_threads_get(&latency->threads, tid, sizeof(*thread));
	latency->running = latency->running - thread->runs + runs;
	thread->runs = runs;
}

uint64_t latency_share(struct latency *latency, uint64_t time) {
	uint64_t n = latency->running > 0 ? latency->running : 1;
	uint64_t half = LATENCY_PARTS / 2;
	latency->rest %= LATENCY_PARTS;
	uint64_t before = (latency->rest + half) / LATENCY_PARTS;
	latency->rest += time % n * LATENCY_PARTS / n;
	return time / n + (latency->rest + half) / LATENCY_PARTS - before;
}

void latency_release(struct latency *latency) {
	perf_threads_release(&latency->threads);
}
