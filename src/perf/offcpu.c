/* Count the time of threads. */
#include "perf/offcpu.h"

enum doing {
	DOING_UNKNOWN,
	DOING_RUNS,
	DOING_STOPS /* it waits with a known stack */,
	DOING_SLEEPS
};

struct offcpu_thread {
	enum doing doing;
	uint32_t root;
	uint64_t since;        // start of the time that is not counted yet
	uint64_t ran;          // running time of the thread that is not counted yet
	struct ids stack;      // stack at which the thread last stopped
	uint32_t state;        // frame for the reason why the thread does not run; it becomes the
			       // innermost frame of the stack
	bool left_out;         // the time in which the thread does not run is left out
	bool is_new;           // the thread was seen from its start
	bool delay_known;      // `delay_before` is set
	uint64_t delay_before; // time that the thread had waited for a processor before it was
			       // first seen
	uint64_t runnable;     // time of waits for a processor that other calls have reported
	uint64_t delay_left;   // time of unreported waits for a processor, in the time that is not
			       // counted yet
	struct buf label;      // label of the thread, if the profile keeps times
};

/** Return a thread. Add it if it is new. */
static struct offcpu_thread *offcpu_find(struct offcpu *offcpu, int32_t tid) {
	return perf_threads_get(&offcpu->threads, tid, sizeof(struct offcpu_thread));
}

static struct offcpu_thread *offcpu_thread_of(struct offcpu *offcpu,
					      const struct offcpu_moment *moment) {
	struct offcpu_thread *thread = offcpu_find(offcpu, moment->tid);
	thread->root = moment->root;
	if (!str_eq(buf_str(&thread->label), moment->label)) {
		buf_set_str(&thread->label, moment->label);
	}
	return thread;
}

/** Set the time of a thread's next stack in the profile. */
static void offcpu_note_time(struct offcpu *offcpu, const struct offcpu_thread *thread,
			     uint64_t from, uint64_t to) {
	if (profile_wants_times(offcpu->profile)) {
		profile_during(offcpu->profile, buf_str(&thread->label), from, to);
	}
}

/** Count time in which a thread does not run. */
static void offcpu_add_stopped(struct offcpu *offcpu, struct offcpu_thread *thread,
			       uint64_t count) {
	size_t depth = thread->stack.n;
	if (thread->left_out) {
		return;
	}
	if (thread->state != OFFCPU_NO_FRAME) {
		ids_push(&thread->stack, thread->state);
	}
	deferred_add(offcpu->deferred, offcpu->profile, thread->stack.items, thread->stack.n,
		     count);
	thread->stack.n = depth;
}

/** Count time in which a thread does not run. In a part of this time, the thread may have waited
 * for a processor (`delay_left`). Count this part with the frame [runnable]. */
static void offcpu_divide_stopped(struct offcpu *offcpu, struct offcpu_thread *thread,
				  uint64_t count) {
	uint32_t state = thread->state;
	bool is_runnable = state == offcpu->runnable;
	uint64_t part = is_runnable                  ? count
			: count < thread->delay_left ? count
						     : thread->delay_left;
	if (part < count || part == 0) {
		offcpu_add_stopped(offcpu, thread, count - part);
	}
	if (part > 0) {
		thread->state = offcpu->runnable;
		offcpu_add_stopped(offcpu, thread, part);
		thread->state = state;
	}
	thread->runnable += part;
	thread->delay_left -= is_runnable ? 0 : part;
}

/** Count the time of a thread up to `time`. */
static void offcpu_settle(struct offcpu *offcpu, struct offcpu_thread *thread, uint64_t time) {
	uint64_t count = time > thread->since ? time - thread->since : 0;
	if (thread->doing >= DOING_STOPS) {
		offcpu_note_time(offcpu, thread, thread->since, time);
		offcpu_divide_stopped(offcpu, thread, count);
	} else if (thread->doing == DOING_RUNS) {
		thread->ran += count;
	}
	thread->since = time;
}

/** Count the time since a thread began to run. The thread stops at `time`. If its start was not
 * seen, count nothing. */
static void offcpu_settle_running(struct offcpu *offcpu, struct offcpu_thread *thread,
				  uint64_t time) {
	if (thread->doing == DOING_RUNS) {
		offcpu_settle(offcpu, thread, time);
	}
	thread->since = time;
}

/** Return the frame of a thread that waits for an unknown reason. */
static uint32_t offcpu_waiting_frame(const struct offcpu *offcpu) {
	return offcpu->running ? offcpu->waiting : OFFCPU_NO_FRAME;
}

/** Remember that a thread stops. Its stack is only the root frame. */
static void offcpu_stop(const struct offcpu *offcpu, struct offcpu_thread *thread, uint32_t state) {
	thread->left_out = offcpu->only_stacks;
	thread->doing = DOING_SLEEPS;
	thread->stack.n = 0;
	thread->state = state;
	ids_push(&thread->stack, thread->root);
}

void offcpu_stack(struct offcpu *offcpu, const struct offcpu_moment *moment, const uint32_t *ids,
		  size_t depth, uint32_t state) {
	struct offcpu_thread *thread = offcpu_thread_of(offcpu, moment);
	offcpu_settle_running(offcpu, thread, moment->time);
	thread->doing = DOING_STOPS;
	thread->stack.n = 0;
	ids_add(&thread->stack, ids, depth);
	thread->left_out = depth == 0;
	thread->state = state != OFFCPU_NO_FRAME ? state : offcpu_waiting_frame(offcpu);
}

void offcpu_out(struct offcpu *offcpu, const struct offcpu_moment *moment, bool preempted) {
	struct offcpu_thread *thread = offcpu_thread_of(offcpu, moment);
	if (thread->doing == DOING_STOPS) { // the thread has run until now
		thread->doing = DOING_RUNS;
		offcpu_settle(offcpu, thread, moment->time);
		thread->doing = DOING_SLEEPS;
	} else {
		offcpu_settle_running(offcpu, thread, moment->time);
		offcpu_stop(offcpu, thread, offcpu_waiting_frame(offcpu));
	}
	thread->state = preempted ? offcpu->runnable : thread->state;
}

/** Return a thread if it waits for something other than a processor. Otherwise return NULL. */
static struct offcpu_thread *offcpu_find_waiting(const struct offcpu *offcpu, int32_t tid) {
	struct offcpu_thread *thread = perf_threads_find(&offcpu->threads, tid);
	bool waits =
		thread != NULL && thread->doing >= DOING_STOPS && thread->state != offcpu->runnable;
	return waits ? thread : NULL;
}

bool offcpu_waits(const struct offcpu *offcpu, int32_t tid) {
	return offcpu_find_waiting(offcpu, tid) != NULL;
}

void offcpu_wake(struct offcpu *offcpu, int32_t tid, uint64_t time, const uint32_t *waker,
		 size_t n) {
	struct offcpu_thread *thread = offcpu_find_waiting(offcpu, tid);
	if (thread == NULL) {
		return; // the thread runs, or was woken already
	}
	size_t depth = thread->stack.n;
	if (n > 0 && thread->state != OFFCPU_NO_FRAME) {
		ids_push(&thread->stack, thread->state);
	}
	if (n > 0) {
		ids_add(&thread->stack, waker, n);
		thread->state = OFFCPU_NO_FRAME;
	}
	offcpu_settle(offcpu, thread, time);
	thread->stack.n = depth;
	thread->state = offcpu->runnable;
}

void offcpu_in(struct offcpu *offcpu, int32_t tid, uint64_t time) {
	struct offcpu_thread *thread = offcpu_find(offcpu, tid);
	offcpu_settle(offcpu, thread, time);
	offcpu->ended += thread->doing >= DOING_STOPS;
	thread->doing = DOING_RUNS;
}

void offcpu_delayed(struct offcpu *offcpu, int32_t tid, uint64_t delay) {
	struct offcpu_thread *thread = offcpu_find(offcpu, tid);
	if (!thread->delay_known) {
		thread->delay_known = true;
		thread->delay_before = thread->is_new ? 0 : delay - thread->runnable;
	}
	uint64_t seen = thread->delay_before + thread->runnable;
	thread->delay_left = delay > seen ? delay - seen : 0;
}

void offcpu_born(struct offcpu *offcpu, const struct offcpu_moment *moment) {
	struct offcpu_thread *thread = offcpu_thread_of(offcpu, moment);
	thread->is_new = true;
	thread->delay_known = false;
	thread->runnable = thread->delay_left = 0;
	thread->since = moment->time;
	thread->ran = 0;
	offcpu_stop(offcpu, thread, offcpu->runnable);
}

uint64_t offcpu_seen(struct offcpu *offcpu, const struct offcpu_moment *moment) {
	struct offcpu_thread *thread = offcpu_thread_of(offcpu, moment);
	offcpu_settle(offcpu, thread, moment->time);
	thread->doing = DOING_RUNS;
	uint64_t ran = thread->ran;
	thread->ran = 0;
	return ran;
}

/**
 * Count all time of a thread. The running time of the thread since its last sample belongs to the
 * root frame.
 */
static void offcpu_end(struct offcpu *offcpu, struct offcpu_thread *thread, uint64_t time) {
	offcpu_settle(offcpu, thread, time);
	if (offcpu->running && thread->ran > 0 && !offcpu->only_stacks) {
		offcpu_note_time(offcpu, thread, time > thread->ran ? time - thread->ran : 0, time);
		profile_add(offcpu->profile, &thread->root, 1, thread->ran);
	}
	thread->doing = DOING_UNKNOWN;
	thread->ran = 0;
}

void offcpu_exit(struct offcpu *offcpu, const struct offcpu_moment *moment) {
	offcpu_end(offcpu, offcpu_thread_of(offcpu, moment), moment->time);
}

void offcpu_finish(struct offcpu *offcpu, uint64_t time) {
	for (uint32_t i = 0; i < offcpu->threads.tids.count; i++) {
		offcpu_end(offcpu, perf_threads_at(&offcpu->threads, i), time);
	}
}

uint64_t offcpu_left(const struct offcpu *offcpu) {
	uint64_t left = 0;
	for (uint32_t i = 0; i < offcpu->threads.tids.count; i++) {
		const struct offcpu_thread *thread = perf_threads_at(&offcpu->threads, i);
		left += thread->doing >= DOING_STOPS;
	}
	return left;
}

void offcpu_release(struct offcpu *offcpu) {
	for (uint32_t i = 0; i < offcpu->threads.tids.count; i++) {
		struct offcpu_thread *thread = perf_threads_at(&offcpu->threads, i);
		ids_release(&thread->stack);
		buf_release(&thread->label);
	}
	perf_threads_release(&offcpu->threads);
}
