/* The time of threads. */
#include "collapse/perf_asleep.h"

#include <stdlib.h>

enum doing { DOING_UNKNOWN, DOING_RUNS, DOING_STOPS /* with a known stack */, DOING_SLEEPS };

struct perf_thread {
	enum doing doing;
	uint32_t root;
	uint64_t since;        // when it began to do so, or was counted last
	uint64_t ran;          // how long it ran, of what is not counted yet
	struct ids stack;      // of the last time it stopped
	uint32_t state;        // the frame below that stack: why the thread does not run
	bool is_new;           // it was seen from its start on
	bool delay_known;      // `delay_before` is set
	uint64_t delay_before; // how long it had waited for a processor before it was seen
	uint64_t runnable;     // how long it was seen to wait for one
	uint64_t delay_left;   // how long it did so without being seen, of what is not counted yet
	struct buf label;      // if the profile wants times
};

/** Return a thread, adding it if it is new. */
static struct perf_thread *find(struct perf_asleep *asleep, int32_t tid) {
	uint32_t before = asleep->tids.count;
	uint32_t id = intern_get(&asleep->tids, &tid, sizeof(tid))->id;
	if (id == before) {
		asleep->threads = mem_grow(asleep->threads, &asleep->capacity, (size_t)id + 1,
					   sizeof(*asleep->threads));
		asleep->threads[id] = (struct perf_thread){.doing = DOING_UNKNOWN};
	}
	return &asleep->threads[id];
}

static struct perf_thread *thread_of(struct perf_asleep *asleep, const struct perf_moment *moment) {
	struct perf_thread *thread = find(asleep, moment->tid);
	thread->root = moment->root;
	if (!str_eq(buf_str(&thread->label), moment->label)) {
		buf_clear(&thread->label);
		buf_add_str(&thread->label, moment->label);
	}
	return thread;
}

/** Tell the profile when the next stack of a thread was on. */
static void tell_time(struct perf_asleep *asleep, const struct perf_thread *thread, uint64_t from,
		      uint64_t to) {
	if (profile_wants_times(asleep->profile)) {
		profile_during(asleep->profile, buf_str(&thread->label), from, to);
	}
}

/** Count time in which a thread does not run. */
static void add_stopped(struct perf_asleep *asleep, struct perf_thread *thread, uint64_t count) {
	size_t depth = thread->stack.n;
	if (thread->state != PERF_NO_FRAME) {
		ids_push(&thread->stack, thread->state);
	}
	profile_add(asleep->profile, thread->stack.items, thread->stack.n, count);
	thread->stack.n = depth;
}

/** Count time in which a thread does not run. A part that it is known to have waited for a
 * processor is [runnable]. */
static void divide_stopped(struct perf_asleep *asleep, struct perf_thread *thread, uint64_t count) {
	uint32_t state = thread->state;
	bool is_runnable = state == asleep->runnable;
	uint64_t part = is_runnable                  ? count
			: count < thread->delay_left ? count
						     : thread->delay_left;
	if (part < count || part == 0) {
		add_stopped(asleep, thread, count - part);
	}
	if (part > 0) {
		thread->state = asleep->runnable;
		add_stopped(asleep, thread, part);
		thread->state = state;
	}
	thread->runnable += part;
	thread->delay_left -= is_runnable ? 0 : part;
}

/** Count what a thread did until now. */
static void settle(struct perf_asleep *asleep, struct perf_thread *thread, uint64_t time) {
	uint64_t count = time > thread->since ? time - thread->since : 0;
	if (thread->doing >= DOING_STOPS) {
		tell_time(asleep, thread, thread->since, time);
		divide_stopped(asleep, thread, count);
	} else if (thread->doing == DOING_RUNS) {
		thread->ran += count;
	}
	thread->since = time;
}

/** Count what a thread did until it stops. If it was not seen to run again, nothing is known. */
static void settle_running(struct perf_asleep *asleep, struct perf_thread *thread, uint64_t time) {
	if (thread->doing == DOING_RUNS) {
		settle(asleep, thread, time);
	}
	thread->since = time;
}

/** Return the frame of a thread that waits for something that is not known. */
static uint32_t waiting_frame(const struct perf_asleep *asleep) {
	return asleep->running ? asleep->waiting : PERF_NO_FRAME;
}

/** Make a thread stop, with the root frame as its stack. */
static void stop(struct perf_thread *thread, uint32_t state) {
	thread->doing = DOING_SLEEPS;
	thread->stack.n = 0;
	thread->state = state;
	ids_push(&thread->stack, thread->root);
}

void perf_asleep_stack(struct perf_asleep *asleep, const struct perf_moment *moment,
		       const uint32_t *ids, size_t depth, uint32_t state) {
	struct perf_thread *thread = thread_of(asleep, moment);
	settle_running(asleep, thread, moment->time);
	thread->doing = DOING_STOPS;
	thread->stack.n = 0;
	ids_add(&thread->stack, ids, depth);
	thread->state = state != PERF_NO_FRAME ? state : waiting_frame(asleep);
}

void perf_asleep_out(struct perf_asleep *asleep, const struct perf_moment *moment, bool preempted) {
	struct perf_thread *thread = thread_of(asleep, moment);
	if (thread->doing == DOING_STOPS) { // it ran until now
		thread->doing = DOING_RUNS;
		settle(asleep, thread, moment->time);
		thread->doing = DOING_SLEEPS;
	} else {
		settle_running(asleep, thread, moment->time);
		stop(thread, waiting_frame(asleep));
	}
	thread->state = preempted ? asleep->runnable : thread->state;
}

/** Return a thread that waits, and not for a processor alone; NULL if it does not. */
static struct perf_thread *find_waiting(const struct perf_asleep *asleep, int32_t tid) {
	const struct intern_key *key = intern_find(&asleep->tids, &tid, sizeof(tid));
	struct perf_thread *thread = key == NULL ? NULL : &asleep->threads[key->id];
	bool waits =
		thread != NULL && thread->doing >= DOING_STOPS && thread->state != asleep->runnable;
	return waits ? thread : NULL;
}

bool perf_asleep_waits(const struct perf_asleep *asleep, int32_t tid) {
	return find_waiting(asleep, tid) != NULL;
}

void perf_asleep_wake(struct perf_asleep *asleep, int32_t tid, uint64_t time, const uint32_t *waker,
		      size_t n) {
	struct perf_thread *thread = find_waiting(asleep, tid);
	if (thread == NULL) {
		return; // it runs, or was woken already
	}
	size_t depth = thread->stack.n;
	if (n > 0 && thread->state != PERF_NO_FRAME) {
		ids_push(&thread->stack, thread->state);
	}
	if (n > 0) {
		ids_add(&thread->stack, waker, n);
		thread->state = PERF_NO_FRAME;
	}
	settle(asleep, thread, time);
	thread->stack.n = depth;
	thread->state = asleep->runnable;
}

void perf_asleep_in(struct perf_asleep *asleep, int32_t tid, uint64_t time) {
	struct perf_thread *thread = find(asleep, tid);
	settle(asleep, thread, time);
	asleep->ended += thread->doing >= DOING_STOPS;
	thread->doing = DOING_RUNS;
}

void perf_asleep_delayed(struct perf_asleep *asleep, int32_t tid, uint64_t delay) {
	struct perf_thread *thread = find(asleep, tid);
	if (!thread->delay_known) {
		thread->delay_known = true;
		thread->delay_before = thread->is_new ? 0 : delay - thread->runnable;
	}
	uint64_t seen = thread->delay_before + thread->runnable;
	thread->delay_left = delay > seen ? delay - seen : 0;
}

void perf_asleep_born(struct perf_asleep *asleep, const struct perf_moment *moment) {
	struct perf_thread *thread = thread_of(asleep, moment);
	thread->is_new = true;
	thread->delay_known = false;
	thread->runnable = thread->delay_left = 0;
	thread->since = moment->time;
	thread->ran = 0;
	stop(thread, asleep->runnable);
}

uint64_t perf_asleep_seen(struct perf_asleep *asleep, const struct perf_moment *moment) {
	struct perf_thread *thread = thread_of(asleep, moment);
	settle(asleep, thread, moment->time);
	thread->doing = DOING_RUNS;
	uint64_t ran = thread->ran;
	thread->ran = 0;
	return ran;
}

/** Count all that a thread did. What it ran since it was last seen running is the root frame's. */
static void end(struct perf_asleep *asleep, struct perf_thread *thread, uint64_t time) {
	settle(asleep, thread, time);
	if (asleep->running && thread->ran > 0) {
		tell_time(asleep, thread, time > thread->ran ? time - thread->ran : 0, time);
		profile_add(asleep->profile, &thread->root, 1, thread->ran);
	}
	thread->doing = DOING_UNKNOWN;
	thread->ran = 0;
}

void perf_asleep_exit(struct perf_asleep *asleep, const struct perf_moment *moment) {
	end(asleep, thread_of(asleep, moment), moment->time);
}

void perf_asleep_finish(struct perf_asleep *asleep, uint64_t time) {
	for (uint32_t i = 0; i < asleep->tids.count; i++) {
		end(asleep, &asleep->threads[i], time);
	}
}

uint64_t perf_asleep_left(const struct perf_asleep *asleep) {
	uint64_t left = 0;
	for (uint32_t i = 0; i < asleep->tids.count; i++) {
		left += asleep->threads[i].doing >= DOING_STOPS;
	}
	return left;
}

void perf_asleep_release(struct perf_asleep *asleep) {
	for (uint32_t i = 0; i < asleep->tids.count; i++) {
		ids_release(&asleep->threads[i].stack);
		buf_release(&asleep->threads[i].label);
	}
	free(asleep->threads);
	intern_release(&asleep->tids);
}
