/** Count processor time that threads used, but that no sample covers. A thread gets a sample only
 * if it runs for a whole period. So the recording has the total time of each thread, too, which the
 * kernel counts. The difference between this total and the time of the thread's samples is counted
 * in a separate frame, whose caller is the thread's root frame. Samples are not changed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The time of a root frame. */
struct perf_share {
	uint64_t used;    // time that the ended threads with this root frame used
	uint64_t sampled; // time of the samples of all threads with this root frame
};

/** A zeroed struct has no times. */
struct perf_unsampled {
	struct perf_share *roots; // times of root frames; the index is the id of the frame
	size_t n, capacity;
	uint64_t total, sampled; // sums over all processes; total 0: not known
	uint64_t used;           // time that all ended threads used
	uint32_t main;           // root frame of the threads that have not ended
};

/** Return the time of a root frame. */
struct perf_share *perf_unsampled_root(struct perf_unsampled *unsampled, uint32_t root);

/** Count a sample. */
static inline void perf_unsampled_add(struct perf_unsampled *unsampled, uint32_t root,
				      uint64_t count) {
	perf_unsampled_root(unsampled, root)->sampled += count;
	unsampled->sampled += count;
}

/** Remember the time that an ended thread used. */
void perf_unsampled_end(struct perf_unsampled *unsampled, uint32_t root, uint64_t count);

/** Divide the unsampled time among the root frames: set `used` of each root frame to its part.
 * Return the sum of all parts. If the sum is at most 2 % of the total, or below `least`, it is too
 * small to report: return 0. */
uint64_t perf_unsampled_divide(struct perf_unsampled *unsampled, uint64_t least);

void perf_unsampled_release(struct perf_unsampled *unsampled);
