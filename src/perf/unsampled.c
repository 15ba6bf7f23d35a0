/* Count processor time that threads used, but that no sample covers. */
#include "perf/unsampled.h"

#include <stdlib.h>

#include "base/mem.h"

struct perf_share *perf_unsampled_root(struct perf_unsampled *unsampled, uint32_t root) {
	if (root >= unsampled->n) {
		MEM_GROW(unsampled->roots, unsampled->capacity, (size_t)root + 1);
		for (; unsampled->n <= root; unsampled->n++) {
			unsampled->roots[unsampled->n] = (struct perf_share){0};
		}
	}
	return &unsampled->roots[root];
}

void perf_unsampled_end(struct perf_unsampled *unsampled, uint32_t root, uint64_t count) {
	perf_unsampled_root(unsampled, root)->used += count;
	unsampled->used += count;
}

static uint64_t perf_unsampled_excess(uint64_t all, uint64_t part) {
	return all > part ? all - part : 0;
}

/** Set `used` of each root frame to the used time minus the time of the samples. Return the sum of
 * these times. The time of threads that still run is the rest of the total. From this rest,
 * subtract the samples of root frames of which no thread has ended. Then count the rest as used by
 * the main thread's root frame. */
static uint64_t perf_unsampled_find_excess(struct perf_unsampled *unsampled) {
	uint64_t rest = perf_unsampled_excess(unsampled->total, unsampled->used), sum = 0;
	for (size_t i = 0; i < unsampled->n; i++) {
		const struct perf_share *root = &unsampled->roots[i];
		if (i != unsampled->main && root->used == 0) {
			rest = perf_unsampled_excess(rest, root->sampled);
		}
	}
	perf_unsampled_root(unsampled, unsampled->main)->used += rest;
	for (size_t i = 0; i < unsampled->n; i++) {
		struct perf_share *root = &unsampled->roots[i];
		root->used = perf_unsampled_excess(root->used, root->sampled);
		sum += root->used;
	}
	return sum;
}

uint64_t perf_unsampled_divide(struct perf_unsampled *unsampled, uint64_t least) {
	// Report the unsampled time only if it is more than 1 / TOLD of the total. Count a root
	// frame's part only if it is more than 1 / TOLD_OF_ROOT of the total.
	enum { TOLD = 50, TOLD_OF_ROOT = 1000 };
	uint64_t missing = perf_unsampled_excess(unsampled->total, unsampled->sampled),
		 left = missing;
	if (missing <= unsampled->total / TOLD || missing < least) {
		return 0;
	}
	uint64_t sum = perf_unsampled_find_excess(unsampled);
	for (size_t i = 0; i < unsampled->n; i++) {
		struct perf_share *root = &unsampled->roots[i];
		double part = sum == 0 ? 0 : (double)root->used / (double)sum;
		uint64_t count = (uint64_t)(part * (double)missing);
		bool is_told = count > unsampled->total / TOLD_OF_ROOT;
		root->used = i == unsampled->main || !is_told ? 0 : count < left ? count : left;
		left -= root->used;
	}
	unsampled->roots[unsampled->main].used = left;
	return missing;
}

void perf_unsampled_release(struct perf_unsampled *unsampled) {
	free(unsampled->roots);
}
