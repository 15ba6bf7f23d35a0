/*
 * Attach counters to running threads while new threads start.
 *
 * A new thread inherits only those counters of its creator that are already open. The kernel does
 * not report which counters a new thread has got. So if a thread starts while counters are opened,
 * close all counters and open them again. Counters without inheritance (`any_cpu`) stay open: then
 * only the new threads get counters.
 */
#include "record/attach.h"

#include <stdlib.h>

#include "base/intern.h"
#include "record/proc.h"

enum {
	// with more counters, use one for each thread, to save open files and memory
	MOST_COUNTERS = 1000,
	MOST_TRIES = 20,
};

struct threads {
	struct intern known; // threads with counters
	int32_t *unknown;
	size_t n, capacity;
};

static void attach_add_unknown(void *context, int32_t pid, int32_t tid) {
	struct threads *threads = context;
	(void)pid;
	if (intern_find(&threads->known, &tid, sizeof(tid)) == NULL) {
		*MEM_APPEND(threads->unknown, threads->n, threads->capacity) = tid;
	}
}

/** List the threads without counters. If one of the processes does not run, return this process;
 * otherwise return 0. */
static int32_t attach_find_unknown(struct threads *threads, const struct record_options *options) {
	int32_t missing = 0;
	threads->n = 0;
	for (size_t i = 0; i < options->processes_n; i++) {
		bool runs = proc_each_thread(options->processes[i], attach_add_unknown, threads);
		missing = runs ? missing : options->processes[i];
	}
	return missing;
}

static void attach_forget(struct threads *threads, struct counters *counters) {
	intern_release(&threads->known);
	threads->known = (struct intern){0};
	counters_clear(counters);
}

/** Open the counters of the threads that have no counters. Return what counters_add() returns. */
static int attach_add_all(struct threads *threads, struct counters *counters) {
	int result = 0;
	for (size_t i = 0; i < threads->n && result == 0; i++) {
		(void)intern_get(&threads->known, &threads->unknown[i], sizeof(int32_t));
		result = counters_add(counters, threads->unknown[i]);
	}
	return result;
}

/** Open the counters of the listed threads, and list the threads that still have none. Return 0, or
 * -1 after diag_error(). */
static int attach_try_all(struct threads *threads, struct counters *counters) {
	if (!counters->any_cpu && threads->n * counters->cpus.n > MOST_COUNTERS) {
		counters_take_any_cpu(counters);
	}
	int result = attach_add_all(threads, counters);
	if (result == COUNTERS_TOO_MANY) {
		counters_take_any_cpu(counters);
		attach_forget(threads, counters);
	} else if (result != 0) {
		return -1;
	}
	(void)attach_find_unknown(threads, counters->options);
	if (threads->n > 0 && !counters->any_cpu) {
		attach_forget(threads, counters);
		(void)attach_find_unknown(threads, counters->options);
	}
	return 0;
}

int attach(struct counters *counters) {
	struct threads threads = {.n = 0};
	int32_t missing = attach_find_unknown(&threads, counters->options);
	bool good = missing == 0 || (counters->options->may_have_ended && threads.n > 0);
	int result = good ? 0
			  : diag_error(counters->diag,
				       "there is no process %d; it has ended, or 'pgrep -l "
				       "NAME' finds its number",
				       missing);
	if (2 * threads.n * counters->cpus.n > MOST_COUNTERS) {
		counters->may_shorten = false;
	}
	for (int tries = 0; threads.n > 0 && tries < MOST_TRIES && result == 0; tries++) {
		result = attach_try_all(&threads, counters);
	}
	if (result == 0 && threads.n > 0) {
		result = attach_add_all(&threads, counters) < 0 ? -1 : 0; // threads keep starting
	}
	free(threads.unknown);
	intern_release(&threads.known);
	return result;
}
