/** Count the time in which threads ran, and the time in which they did not run. Time in which a
 * thread did not run is counted with the stack at which the thread stopped. */
#pragma once

#include "perf/deferred.h"
#include "perf/threads.h"

/** Threads by id. A zeroed struct has no threads. Set `profile` and `deferred` before the first
 * thread is added. */
struct offcpu {
	struct profile *profile;   // profile that gets the times
	struct deferred *deferred; // the frames that get their names at the end of the input
	bool running;              // count the time in which threads run, too
	bool only_stacks;          // leave out time without a stack
	uint32_t waiting;          // with `running`: the innermost frame for a thread that waits
	uint32_t runnable; // the innermost frame for a thread that only waits for a processor
	struct perf_threads threads; // structs of offcpu_thread
	uint64_t ended;              // number of waits after which the thread ran again
};

/** A thread at a time, with the root frame of its stacks. */
struct offcpu_moment {
	int32_t tid;
	uint32_t root;
	uint64_t time;
	struct str label; // label of the thread, if the profile keeps times
};

/** An id that stands for no frame. */
#define OFFCPU_NO_FRAME UINT32_MAX

/** Remember that a thread stops with this stack, root first. If the stack is empty, do not count
 * the time of the wait. `state` is a frame for the reason of the wait, or OFFCPU_NO_FRAME. A later
 * call of offcpu_out() may give a more exact time. */
void offcpu_stack(struct offcpu *offcpu, const struct offcpu_moment *moment, const uint32_t *ids,
		  size_t depth, uint32_t state);

/** Remember that a thread stops. `preempted` says that the thread could continue to run. If the
 * thread's stack is not known, count the wait with a stack of only the root frame. */
void offcpu_out(struct offcpu *offcpu, const struct offcpu_moment *moment, bool preempted);

/** Return whether a thread waits for something other than a processor. */
bool offcpu_waits(const struct offcpu *offcpu, int32_t tid);

/** Remember that a waiting thread was woken, so it now waits only for a processor. Add the frames
 * in `waker`, if there are any, to the stack with which the thread waited. */
void offcpu_wake(struct offcpu *offcpu, int32_t tid, uint64_t time, const uint32_t *waker,
		 size_t n);

/** Remember the total time that a thread has waited for a processor so far. If other calls have
 * reported less time of such waits, subtract the difference from the thread's other waits. */
void offcpu_delayed(struct offcpu *offcpu, int32_t tid, uint64_t delay);

/** Remember that a thread runs. */
void offcpu_in(struct offcpu *offcpu, int32_t tid, uint64_t time);

/** Remember that a thread is new, and waits for a processor. */
void offcpu_born(struct offcpu *offcpu, const struct offcpu_moment *moment);

/** Remember that a thread is running. If the thread's time is counted, return how long it has run
 * since the last such call. If this is not known, return 0. */
uint64_t offcpu_seen(struct offcpu *offcpu, const struct offcpu_moment *moment);

/** Remember that a thread has ended. */
void offcpu_exit(struct offcpu *offcpu, const struct offcpu_moment *moment);

/** Count the time of all threads up to `time`, the end of the recording. */
void offcpu_finish(struct offcpu *offcpu, uint64_t time);

/** Return the number of threads that do not run. */
uint64_t offcpu_left(const struct offcpu *offcpu);

void offcpu_release(struct offcpu *offcpu);
