/** The time of threads: how long each ran and did not run, and the stack at the time when it
 * stopped.
 */
#ifndef INFERNO_OFFCPU_H
#define INFERNO_OFFCPU_H

#include "perf/deferred.h"
#include "perf/threads.h"

/** Threads by id. A zeroed struct has none; set `profile` and `deferred` before the first is added.
 */
struct offcpu {
	struct profile *profile; // where time is added
	struct deferred
		*deferred; // stacks with frames that get their names at the end of the input
	bool running;      // count the time of running threads, too
	uint32_t waiting;  // with `running`: the innermost frame of a thread that waits
	uint32_t runnable; // the innermost frame of a thread that waits for a processor alone
	struct perf_threads threads; // structs of offcpu_thread
	uint64_t ended;              // times that a thread ran again
};

/** A thread, the frame at the root of its stacks, and the time of the event. */
struct offcpu_moment {
	int32_t tid;
	uint32_t root;
	uint64_t time;
	struct str label; // label of the thread, if the profile collects times
};

/** In place of a frame: there is none. */
#define OFFCPU_NO_FRAME UINT32_MAX

/** Note that a thread stops with this stack, root first. `state` is a frame for the reason that it
 * waits for, or OFFCPU_NO_FRAME. offcpu_out() may give a better time. */
void offcpu_stack(struct offcpu *offcpu, const struct offcpu_moment *moment, const uint32_t *ids,
		  size_t depth, uint32_t state);

/** Note that a thread stops, or if it is preempted, could still run. Without a stack, its time is
 * that of the root frame. */
void offcpu_out(struct offcpu *offcpu, const struct offcpu_moment *moment, bool preempted);

/** Return whether a thread waits, and not for a processor alone. */
bool offcpu_waits(const struct offcpu *offcpu, int32_t tid);

/** Note that a thread no longer waits, but could run. `waker`, frames to be added where it waited,
 * may be empty. */
void offcpu_wake(struct offcpu *offcpu, int32_t tid, uint64_t time, const uint32_t *waker,
		 size_t n);

/** Note for how long a thread has waited for a processor so far. From now on, the part that was
 * not seen as such is taken from the time in which it waits. */
void offcpu_delayed(struct offcpu *offcpu, int32_t tid, uint64_t delay);

/** Note that a thread runs. */
void offcpu_in(struct offcpu *offcpu, int32_t tid, uint64_t time);

/** Note that a thread is new, and waits for a processor. */
void offcpu_born(struct offcpu *offcpu, const struct offcpu_moment *moment);

/** Note that a thread is seen running. If its time is counted, return how long it ran since it was
 * last seen so; 0 if that is not known. */
uint64_t offcpu_seen(struct offcpu *offcpu, const struct offcpu_moment *moment);

/** Note that a thread has ended. */
void offcpu_exit(struct offcpu *offcpu, const struct offcpu_moment *moment);

/** Count the time of all threads until the end. */
void offcpu_finish(struct offcpu *offcpu, uint64_t time);

/** Return the number of threads that do not run. */
uint64_t offcpu_left(const struct offcpu *offcpu);

void offcpu_release(struct offcpu *offcpu);

#endif
