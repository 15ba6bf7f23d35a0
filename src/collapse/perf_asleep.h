/** The time of threads: how long each ran and did not run, and the stack at the time when it
 * stopped.
 */
#ifndef INFERNO_PERF_ASLEEP_H
#define INFERNO_PERF_ASLEEP_H

#include "base/intern.h"
#include "profile/profile.h"

struct perf_thread;

/** Threads by id. A zeroed struct has none; set `profile` before the first is added. */
struct perf_asleep {
	struct profile *profile; // where time is added
	bool running;            // count the time of running threads, too
	uint32_t waiting;        // with `running`: the innermost frame of a thread that waits
	uint32_t runnable;       // the innermost frame of a thread that waits for a processor alone
	struct intern tids;      // thread ids to indices in `threads`
	struct perf_thread *threads;
	size_t capacity;
	uint64_t ended; // times that a thread ran again
};

/** A thread, the frame at the root of its stacks, and the time of what is noted. */
struct perf_moment {
	int32_t tid;
	uint32_t root;
	uint64_t time;
	struct str label; // of the thread, if the profile wants times
};

/** In place of a frame: there is none. */
#define PERF_NO_FRAME UINT32_MAX

/** Note that a thread stops with this stack, root first. `state` is a frame that tells what it
 * waits for, or PERF_NO_FRAME. perf_asleep_out() may give a better time. */
void perf_asleep_stack(struct perf_asleep *asleep, const struct perf_moment *moment,
		       const uint32_t *ids, size_t depth, uint32_t state);

/** Note that a thread stops, or if it is preempted, could still run. Without a stack, its time is
 * that of the root frame. */
void perf_asleep_out(struct perf_asleep *asleep, const struct perf_moment *moment, bool preempted);

/** Return whether a thread waits, and not for a processor alone. */
bool perf_asleep_waits(const struct perf_asleep *asleep, int32_t tid);

/** Note that a thread no longer waits, but could run. `waker`, frames to be added where it waited,
 * may be empty. */
void perf_asleep_wake(struct perf_asleep *asleep, int32_t tid, uint64_t time, const uint32_t *waker,
		      size_t n);

/** Note for how long a thread has waited for a processor so far. What exceeds the time in which it
 * was seen to do so is taken from that in which it waits, from now on. */
void perf_asleep_delayed(struct perf_asleep *asleep, int32_t tid, uint64_t delay);

/** Note that a thread runs. */
void perf_asleep_in(struct perf_asleep *asleep, int32_t tid, uint64_t time);

/** Note that a thread is new, and waits for a processor. */
void perf_asleep_born(struct perf_asleep *asleep, const struct perf_moment *moment);

/** Note that a thread is seen running. If its time is counted, return how long it ran since it was
 * last seen so; 0 if that is not known. */
uint64_t perf_asleep_seen(struct perf_asleep *asleep, const struct perf_moment *moment);

/** Note that a thread has ended. */
void perf_asleep_exit(struct perf_asleep *asleep, const struct perf_moment *moment);

/** Count what all threads do until the end. */
void perf_asleep_finish(struct perf_asleep *asleep, uint64_t time);

/** Return the number of threads that do not run. */
uint64_t perf_asleep_left(const struct perf_asleep *asleep);

void perf_asleep_release(struct perf_asleep *asleep);

#endif
