/** The times in which threads ran and did not run. Each time in which a thread did not run is
 * counted with the stack at which the thread stopped. */
#ifndef INFERNO_OFFCPU_H
#define INFERNO_OFFCPU_H

#include "perf/deferred.h"
#include "perf/threads.h"

/** Threads by id. A zeroed struct has no threads. Set `profile` and `deferred` before the first
 * thread is added.
 */
struct offcpu {
	struct profile *profile;   // profile that gets the times
	struct deferred *deferred; // frames that get their names at the end of the input
	bool running;              // whether the times in which threads run are counted, too
	bool only_stacks;          // whether time without a stack is left out
	uint32_t waiting;  // with `running`: the frame that is added as the innermost frame of a
			   // thread that waits
	uint32_t runnable; // the frame that is added as the innermost frame of a thread that only
			   // waits for a processor
	struct perf_threads threads; // structs of offcpu_thread
	uint64_t ended;              // number of times that a thread ran again
};

/** A thread, the frame at the root of the thread's stacks, and the time at which something happens
 * to the thread. */
struct offcpu_moment {
	int32_t tid;
	uint32_t root;
	uint64_t time;
	struct str label; // label of the thread, if the profile collects times
};

/** Stands for no frame. */
#define OFFCPU_NO_FRAME UINT32_MAX

/** Note that a thread stops with this stack, root first. If the stack is empty, the time of the
 * wait is not counted. `state` is a frame for the reason of the wait, or OFFCPU_NO_FRAME. A later
 * call of offcpu_out() may give a more exact time of the stop. */
void offcpu_stack(struct offcpu *offcpu, const struct offcpu_moment *moment, const uint32_t *ids,
		  size_t depth, uint32_t state);

/** Note that a thread stops. `preempted` says that the thread could still run. If the thread's
 * stack is not known, the time of the wait belongs to the root frame. */
void offcpu_out(struct offcpu *offcpu, const struct offcpu_moment *moment, bool preempted);

/** Return whether a thread waits for something other than a processor. */
bool offcpu_waits(const struct offcpu *offcpu, int32_t tid);

/** Note that a waiting thread was woken: it could run, and now waits only for a processor. The
 * frames in `waker`, if there are any, are added to the stack with which the thread waited. */
void offcpu_wake(struct offcpu *offcpu, int32_t tid, uint64_t time, const uint32_t *waker,
		 size_t n);

/** Note the total time for which a thread has waited for a processor so far. If other calls have
 * reported less time as waits for a processor, subtract the difference from the thread's other
 * waits. */
void offcpu_delayed(struct offcpu *offcpu, int32_t tid, uint64_t delay);

/** Note that a thread runs. */
void offcpu_in(struct offcpu *offcpu, int32_t tid, uint64_t time);

/** Note that a thread is new, and waits for a processor. */
void offcpu_born(struct offcpu *offcpu, const struct offcpu_moment *moment);

/** Note that a thread is seen running. If the thread's time is counted, return for how long the
 * thread ran since it was last seen running, or 0 if this is not known. */
uint64_t offcpu_seen(struct offcpu *offcpu, const struct offcpu_moment *moment);

/** Note that a thread has ended. */
void offcpu_exit(struct offcpu *offcpu, const struct offcpu_moment *moment);

/** Count the time of all threads until the end. */
void offcpu_finish(struct offcpu *offcpu, uint64_t time);

/** Return the number of threads that do not run. */
uint64_t offcpu_left(const struct offcpu *offcpu);

void offcpu_release(struct offcpu *offcpu);

#endif
