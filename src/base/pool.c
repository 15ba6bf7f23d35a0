/* Running work on several threads. */
#include "base/pool.h"

#include <pthread.h>
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

/* --- A relay -------------------------------------------------------------------------------- */

/*
 * A thread that has to wait goes on when half of the places have what it needs. To wake it for each
 * single one would cost more time than the other thread saves.
 */
struct relay {
	pthread_t thread;
	bool started;
	void (*work)(void *context, size_t place);
	void *context;
	size_t places;

	pthread_mutex_t lock;   // protects everything below
	pthread_cond_t changed; // one of the two threads waits at most
	size_t sent, done;      // counts; sent - done places are not free
	bool hurries;           // the caller waits for all that it has sent
	bool ends;
};

/** Work on the next place. The lock is held before and after. */
static void work_on_next(struct relay *relay) {
	size_t place = relay->done % relay->places;
	pthread_mutex_unlock(&relay->lock);
	relay->work(relay->context, place);
	pthread_mutex_lock(&relay->lock);
	relay->done++;
	if (relay->sent - relay->done <= relay->places / 2) {
		pthread_cond_signal(&relay->changed);
	}
}

static void *relay_run(void *arg) {
	struct relay *relay = arg;
	pthread_mutex_lock(&relay->lock);
	while (!relay->ends || relay->done < relay->sent) {
		size_t waiting = relay->sent - relay->done;
		if (!relay->ends &&
		    (waiting == 0 || (waiting < relay->places / 2 && !relay->hurries))) {
			pthread_cond_wait(&relay->changed, &relay->lock);
			continue;
		}
		while (relay->done < relay->sent) {
			work_on_next(relay);
		}
	}
	pthread_mutex_unlock(&relay->lock);
	return NULL;
}

struct relay *relay_new(size_t places, void (*work)(void *context, size_t place), void *context) {
	struct relay *relay = mem_new(1, sizeof(*relay));
	relay->work = work;
	relay->context = context;
	relay->places = places;
	pthread_mutex_init(&relay->lock, NULL);
	pthread_cond_init(&relay->changed, NULL);
	relay->started = start_thread(&relay->thread, relay_run, relay);
	if (!relay->started) {
		relay_free(relay);
		return NULL;
	}
	return relay;
}

size_t relay_place(struct relay *relay) {
	pthread_mutex_lock(&relay->lock);
	if (relay->sent - relay->done == relay->places) {
		while (relay->sent - relay->done > relay->places / 2) {
			pthread_cond_wait(&relay->changed, &relay->lock);
		}
	}
	pthread_mutex_unlock(&relay->lock);
	return relay->sent % relay->places; // only this thread changes `sent`
}

void relay_send(struct relay *relay) {
	pthread_mutex_lock(&relay->lock);
	relay->sent++;
	if (relay->sent - relay->done >= relay->places / 2) {
		pthread_cond_signal(&relay->changed);
	}
	pthread_mutex_unlock(&relay->lock);
}

void relay_wait(struct relay *relay) {
	pthread_mutex_lock(&relay->lock);
	relay->hurries = true;
	pthread_cond_signal(&relay->changed);
	while (relay->done < relay->sent) {
		pthread_cond_wait(&relay->changed, &relay->lock);
	}
	relay->hurries = false;
	pthread_mutex_unlock(&relay->lock);
}

void relay_free(struct relay *relay) {
	if (relay == NULL) {
		return;
	}
	if (relay->started) {
		pthread_mutex_lock(&relay->lock);
		relay->ends = true;
		pthread_cond_signal(&relay->changed);
		pthread_mutex_unlock(&relay->lock);
		pthread_join(relay->thread, NULL);
	}
	pthread_cond_destroy(&relay->changed);
	pthread_mutex_destroy(&relay->lock);
	free(relay);
}
