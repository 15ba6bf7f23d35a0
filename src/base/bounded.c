/* Let a second thread do work that may hang. */
#include "base/bounded.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/stop.h"

struct bounded_thread {
	pthread_t id;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	void (*work)(void *context); // NULL: no work waits or runs
	void *context;
	bool ends;
	int64_t begun; // time when the work began, in microseconds
};

enum { MILLION = 1000000, THOUSAND = 1000 };

static int64_t bounded_in_microseconds(const struct timespec *time) {
	return (int64_t)time->tv_sec * MILLION + time->tv_nsec / THOUSAND;
}

static int64_t bounded_now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return bounded_in_microseconds(&time);
}

/** True in a thread that this file has started. If the work in such a thread asks for more bounded
 * work, the thread does that work itself: its caller already waits with a time limit. */
static _Thread_local bool is_away;

static atomic_bool any_lost;

bool bounded_is_needed(void) {
	return !is_away && stop_is_caught();
}

bool bounded_any_lost(void) {
	return atomic_load(&any_lost);
}

/* --- The thread ----------------------------------------------------------------------------- */

static void *bounded_do_work(void *context) {
	struct bounded_thread *thread = context;
	is_away = true;
	pthread_mutex_lock(&thread->lock);
	while (!thread->ends) {
		if (thread->work == NULL) {
			pthread_cond_wait(&thread->changed, &thread->lock);
			continue;
		}
		pthread_mutex_unlock(&thread->lock);
		thread->work(thread->context);
		pthread_mutex_lock(&thread->lock);
		thread->work = NULL;
		pthread_cond_broadcast(&thread->changed);
	}
	pthread_mutex_unlock(&thread->lock);
	return NULL;
}

/** Start a thread. Return NULL if the thread cannot be created. */
static struct bounded_thread *bounded_start(void) {
	struct bounded_thread *thread = mem_new(1, sizeof(*thread));
	sigset_t all, before;
	pthread_mutex_init(&thread->lock, NULL);
	pthread_cond_init(&thread->changed, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); // block all signals, so that other threads
						     // handle them
	int problem = pthread_create(&thread->id, NULL, bounded_do_work, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (problem != 0) {
		pthread_mutex_destroy(&thread->lock);
		pthread_cond_destroy(&thread->changed);
		free(thread);
		return NULL;
	}
	return thread;
}

/** Return how much processor time a thread has used, in microseconds, or 0 if this is not known. */
static int64_t bounded_used_by(const struct bounded_thread *thread) {
#ifdef _POSIX_THREAD_CPUTIME
	clockid_t clock;
	struct timespec time;
	if (pthread_getcpuclockid(thread->id, &clock) == 0 && clock_gettime(clock, &time) == 0) {
		return bounded_in_microseconds(&time);
	}
#endif
	(void)thread;
	return 0;
}

/* --- Waiting -------------------------------------------------------------------------------- */

/** Return for how many microseconds the current work has run after a signal came. */
static int64_t bounded_used_since(const struct bounded_thread *thread) {
	int64_t age = stop_age(), since = bounded_now() - thread->begun;
	return age < 0 ? 0 : since / THOUSAND < age ? since : age * THOUSAND;
}

/** Return whether the work must be given up. `progress` is the time when the work last used the
 * processor. */
static bool bounded_is_over(const struct bounded *bounded, int64_t progress, bool unwanted) {
	const struct bounded_limits *limits = &bounded->limits;
	int64_t age = stop_age(), stalled = (bounded_now() - progress) / THOUSAND;
	if (unwanted && stalled >= limits->stopped) {
		return true;
	}
	if (age < 0) {
		return limits->stalled > 0 && stalled >= limits->stalled;
	}
	return age == INT32_MAX || (age >= limits->stopped && stalled >= limits->stopped) ||
	       bounded->used + bounded_used_since(bounded->thread) >=
		       (int64_t)limits->total * THOUSAND;
}

/** Wait at most 10 ms for the end of the work. The caller holds the lock. */
static void bounded_wait_a_little(struct bounded_thread *thread) {
	enum { SLICE_NS = 10000000, SECOND_NS = 1000000000 };
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += SLICE_NS;
	if (until.tv_nsec >= SECOND_NS) {
		until.tv_sec++;
		until.tv_nsec -= SECOND_NS;
	}
	(void)pthread_cond_timedwait(&thread->changed, &thread->lock, &until);
}

/** Abandon the thread. The thread ends by itself when its work ends, if the work ever ends. */
static void bounded_lose(struct bounded *bounded) {
	bounded->thread->ends = true;
	pthread_mutex_unlock(&bounded->thread->lock);
	pthread_detach(bounded->thread->id);
	bounded->thread = NULL;
	bounded->lost++;
	atomic_store(&any_lost, true);
}

bool bounded_begin(struct bounded *bounded, void (*work)(void *context), void *context) {
	int64_t age = stop_age();
	bool spent = age >= 0 && bounded->used >= (int64_t)bounded->limits.total * THOUSAND;
	if (age == INT32_MAX || spent) {
		return false;
	}
	if (bounded->thread == NULL) {
		bounded->thread = bounded_start();
	}
	struct bounded_thread *thread = bounded->thread;
	if (thread == NULL) {
		return false;
	}
	pthread_mutex_lock(&thread->lock);
	thread->work = work;
	thread->context = context;
	thread->begun = bounded_now();
	pthread_cond_broadcast(&thread->changed);
	pthread_mutex_unlock(&thread->lock);
	return true;
}

enum bounded_result bounded_wait(struct bounded *bounded, const atomic_bool *unwanted) {
	struct bounded_thread *thread = bounded->thread;
	int64_t progress = thread->begun, used = bounded_used_by(thread);
	pthread_mutex_lock(&thread->lock);
	while (thread->work != NULL) {
		bounded_wait_a_little(thread);
		int64_t now_used = thread->work == NULL ? used : bounded_used_by(thread);
		progress = now_used != used ? bounded_now() : progress;
		used = now_used;
		bool useless = unwanted != NULL && atomic_load(unwanted);
		if (thread->work != NULL && bounded_is_over(bounded, progress, useless)) {
			bounded_lose(bounded);
			return BOUNDED_LOST;
		}
	}
	pthread_mutex_unlock(&thread->lock);
	bounded->used += bounded_used_since(thread);
	return BOUNDED_DONE;
}

enum bounded_result bounded_do(struct bounded *bounded, void (*work)(void *context), void *context,
			       const atomic_bool *unwanted) {
	if (!bounded_is_needed()) {
		work(context);
		return BOUNDED_DONE;
	}
	return bounded_begin(bounded, work, context) ? bounded_wait(bounded, unwanted)
						     : BOUNDED_REFUSED;
}

void bounded_release(struct bounded *bounded) {
	struct bounded_thread *thread = bounded->thread;
	if (thread == NULL) {
		return;
	}
	pthread_mutex_lock(&thread->lock);
	thread->ends = true;
	pthread_cond_broadcast(&thread->changed);
	pthread_mutex_unlock(&thread->lock);
	pthread_join(thread->id, NULL);
	pthread_mutex_destroy(&thread->lock);
	pthread_cond_destroy(&thread->changed);
	free(thread);
	bounded->thread = NULL;
}
