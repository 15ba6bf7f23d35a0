/** Keep a struct for each thread, by the id of the thread. The caller defines the struct. */
#pragma once

#include "base/intern.h"

/** A zeroed table has no threads. */
struct perf_threads {
	struct intern tids;
};

static inline void *perf_threads_struct(const struct perf_threads *threads,
					struct intern_key *key) {
	return (char *)key - threads->tids.room;
}

/** Return the struct of a thread. If the thread is new, the struct is zeroed. `size` is the size of
 * the structs, a multiple of 8. The structs do not move in memory. */
static inline void *perf_threads_get(struct perf_threads *threads, int64_t tid, size_t size) {
	threads->tids.room = size;
	return perf_threads_struct(threads, intern_get(&threads->tids, &tid, sizeof(tid)));
}

/** Return the struct of a thread, or NULL. */
static inline void *perf_threads_find(const struct perf_threads *threads, int64_t tid) {
	struct intern_key *key = intern_find(&threads->tids, &tid, sizeof(tid));
	return key == NULL ? NULL : perf_threads_struct(threads, key);
}

/** Return the struct of thread `i`. Threads are numbered in order of arrival. There are
 * `threads->tids.count` threads. */
static inline void *perf_threads_at(const struct perf_threads *threads, uint32_t i) {
	return perf_threads_struct(threads, threads->tids.keys[i]);
}

/** Release the table. The caller must first release the memory that the structs own. */
static inline void perf_threads_release(struct perf_threads *threads) {
	intern_release(&threads->tids);
}
