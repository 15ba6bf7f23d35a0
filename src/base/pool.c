/* Running work on several threads. */
#include "base/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

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

void pool_run(size_t threads, void (*work)(void *context, size_t i), void *context) {
	struct task *tasks = mem_new(threads, sizeof(*tasks));
	for (size_t i = 1; i < threads; i++) {
		tasks[i] = (struct task){.work = work, .context = context, .i = i};
		tasks[i].started = pthread_create(&tasks[i].thread, NULL, start, &tasks[i]) == 0;
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
