/* Running work on several threads. */
#include "base/pool.h"

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

struct task {
	pthread_t thread;
	bool started;
	void (*work)(void *context, size_t i);
	void *context;
	size_t i;
};

static void *start(void *arg) {
	struct task *task = arg;
	task->work(task->context, task->i);
	return NULL;
}

/** Start a thread. Return false if it cannot be started. */
static bool start_thread(pthread_t *thread, void *(*run)(void *arg), void *arg) {
	// Signals are for the threads of the program that calls the library.
	sigset_t all, before;
	sigfillset(&all);
	bool blocked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
	bool started = pthread_create(thread, NULL, run, arg) == 0;
	if (blocked) {
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	return started;
}

void pool_run(size_t threads, void (*work)(void *context, size_t i), void *context) {
	struct task *tasks = mem_new(threads, sizeof(*tasks));
	for (size_t i = 1; i < threads; i++) {
		tasks[i] = (struct task){.work = work, .context = context, .i = i};
		tasks[i].started = start_thread(&tasks[i].thread, start, &tasks[i]);
	}
	work(context, 0);
	for (size_t i = 1; i < threads; i++) {
		if (tasks[i].started) {
			pthread_join(tasks[i].thread, NULL);
		} else {
			work(context, i);
		}
	}
	free(tasks);
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

void pool_lock(pthread_mutex_t *lock) {
	enum { TRIES = 256 };
	for (size_t i = 0; i < TRIES; i++) {
		if (pthread_mutex_trylock(lock) == 0) {
			return;
		}
		sched_yield();
	}
	pthread_mutex_lock(lock);
}
