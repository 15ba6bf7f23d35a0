/* Run work on several threads. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/mem.h"

struct pool_task {
	pthread_t thread;
	bool started;
#ifdef __GLIBC__
	cpu_set_t processors; // set of processors that the thread may use
#endif
	void (*work)(void *context, size_t i);
	void *context;
	size_t i;
	const void *owner; // owner of the memory that the work allocates (guard.h)
	bool whole;        // whether the work ended without running out of memory
};

static void pool_do(void *context) {
	struct pool_task *task = context;
	task->work(task->context, task->i);
}

static void *pool_start(void *arg) {
	struct pool_task *task = arg;
#ifdef __GLIBC__
	if (CPU_COUNT(&task->processors) > 1) {
		(void)sched_setaffinity(0, sizeof(task->processors), &task->processors);
	}
#endif
	task->whole = guard_run(task->owner, pool_do, task);
	return NULL;
}

/**
 * Set the attributes so that the thread starts on another processor, if there is one. Linux often
 * starts a thread on the processor of its creator. There, the new thread can wait for milliseconds,
 * which may be as long as its work takes.
 */
static void pool_start_elsewhere(pthread_attr_t *attributes, struct pool_task *task) {
#ifdef __GLIBC__
	cpu_set_t others;
	int own = sched_getcpu();
	CPU_ZERO(&task->processors);
	if (own < 0 || sched_getaffinity(0, sizeof(others), &task->processors) != 0) {
		return;
	}
	others = task->processors;
	CPU_CLR((size_t)own, &others);
	if (CPU_COUNT(&others) > 0) {
		(void)pthread_attr_setaffinity_np(attributes, sizeof(others), &others);
	}
#else
	(void)attributes;
	(void)task;
#endif
}

/** Start the thread of a task. If the thread cannot be started, leave `started` false. */
static void pool_start_thread(struct pool_task *task) {
	// Block all signals in the new thread: signals must go to the threads of the program that
	// calls the library.
	sigset_t all, before;
	pthread_attr_t attributes;
	sigfillset(&all);
	bool blocked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
	if (pthread_attr_init(&attributes) == 0) {
		pool_start_elsewhere(&attributes, task);
		task->started = pthread_create(&task->thread, &attributes, pool_start, task) == 0;
		pthread_attr_destroy(&attributes);
	}
	if (blocked) {
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
}

void pool_run(size_t threads, void (*work)(void *context, size_t i), void *context) {
	struct pool_task *tasks = mem_new(threads, sizeof(*tasks));
	bool whole = true;
	for (size_t i = 0; i < threads; i++) {
		tasks[i] = (struct pool_task){
			.work = work, .context = context, .i = i, .owner = guard_owner()};
		if (i > 0) {
			pool_start_thread(&tasks[i]);
		}
	}
	for (size_t i = 0; i < threads; i++) {
		if (tasks[i].started) {
			pthread_join(tasks[i].thread, NULL);
		} else {
			tasks[i].whole = guard_run(tasks[i].owner, pool_do, &tasks[i]);
		}
		whole &= tasks[i].whole;
	}
	free(tasks);
	if (!whole) {
		inferno_out_of_memory();
	}
}

/** Pieces of work that several threads share. */
struct shared {
	void (*work)(void *context, size_t piece);
	void *context;
	size_t pieces;
	atomic_size_t next;
};

/** Take pieces of work, one after another, and do them until no piece is left. */
static void pool_take_pieces(void *context, size_t thread) {
	struct shared *shared = context;
	(void)thread;
	for (size_t piece; (piece = atomic_fetch_add(&shared->next, 1)) < shared->pieces;) {
		shared->work(shared->context, piece);
	}
}

void pool_share(size_t threads, size_t pieces, void (*work)(void *context, size_t piece),
		void *context) {
	struct shared shared = {.work = work, .context = context, .pieces = pieces};
	pool_run(threads < pieces ? threads : pieces, pool_take_pieces, &shared);
}

size_t pool_threads(size_t wanted) {
	return wanted > 0 ? wanted : pool_processors();
}

size_t pool_processors(void) {
#ifdef CPU_COUNT
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0) {
		return (size_t)CPU_COUNT(&set);
	}
#endif
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (size_t)n : 1;
}
