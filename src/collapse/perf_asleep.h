/** Threads that are not running: the stack of each at the time when it stopped. */
#ifndef INFERNO_PERF_ASLEEP_H
#define INFERNO_PERF_ASLEEP_H

#include "base/intern.h"
#include "profile/profile.h"

struct perf_sleep;

/** Sleeps by thread. A zeroed struct has none. */
struct perf_asleep {
	struct intern tids; // thread ids to indices in `sleeps`
	struct perf_sleep *sleeps;
	size_t capacity;
	uint64_t ended; // sleeps that were counted
};

/** Note that a thread stopped running with this stack, root first. */
void perf_asleep_begin(struct perf_asleep *asleep, int32_t tid, uint64_t time, const uint32_t *ids,
		       size_t depth);

/** Change the time at which a thread stopped. Do nothing if it is running. */
void perf_asleep_move(struct perf_asleep *asleep, int32_t tid, uint64_t time);

/** Note that a thread runs again: add the time since it stopped to its stack. Return false if it
 * was not seen to stop. */
bool perf_asleep_end(struct perf_asleep *asleep, int32_t tid, uint64_t time,
		     struct profile *profile);

/** Return the number of threads that were not seen to run again. */
uint64_t perf_asleep_left(const struct perf_asleep *asleep);

void perf_asleep_release(struct perf_asleep *asleep);

#endif
