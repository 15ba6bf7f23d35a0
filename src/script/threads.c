/* The threads of a process. */
#include "script/threads.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/read.h"
#include "symbols/maps.h"

/** Return the id of a thread in its innermost pid namespace. */
static int32_t threads_inner(int32_t pid, int32_t tid) {
	enum { MOST = 16 << 10 };
	char path[64];
	struct buf text = {0};
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	int32_t inner = tid;
	if (read_whole(path, MOST, &text) == 0) {
		struct str status = buf_str(&text);
		size_t at = str_find_str(status, STR("NSpid:"));
		struct str line = at == STR_NONE ? STR("") : str_from(status, at);
		line = str_trim(str_cut(&line, '\n'));
		size_t last = str_find_last(line, '\t');
		inner = last == STR_NONE ? tid : (int32_t)strtol(line.p + last + 1, NULL, 10);
	}
	buf_release(&text);
	return inner;
}

static bool threads_are_inner(int32_t pid) {
	return inner_pid((uint32_t)pid) != (uint32_t)pid;
}

static void threads_add(struct thread_numbers *threads, int32_t pid, int32_t tid, bool is_inner) {
	*MEM_APPEND(threads->items, threads->n, threads->capacity) =
		(struct threads_pair){tid, is_inner ? threads_inner(pid, tid) : tid};
}

void threads_list_one(struct thread_numbers *threads, int32_t pid, int32_t tid) {
	threads->n = 0;
	threads_add(threads, pid, tid, threads_are_inner(pid));
}

void threads_list(struct thread_numbers *threads, int32_t pid) {
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *folder = opendir(path);
	threads->n = 0;
	if (folder == NULL) {
		return;
	}
	bool is_inner = threads_are_inner(pid);
	for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		int32_t tid = (int32_t)strtol(entry->d_name, NULL, 10);
		if (tid > 0) {
			threads_add(threads, pid, tid, is_inner);
		}
	}
	closedir(folder);
}

int32_t threads_outer(const struct thread_numbers *threads, int32_t inner) {
	for (size_t i = 0; i < threads->n; i++) {
		if (threads->items[i].inner == inner) {
			return threads->items[i].tid;
		}
	}
	return 0;
}

int32_t threads_of_pthread(const struct thread_numbers *threads, struct remote *remote,
			   uint64_t pthread) {
	// The offsets of the thread id in the thread structs of glibc and of two versions of musl.
	// Each of these structs also contains its own address. This address is checked first.
	static const struct { uint32_t self, tid; } places[] = {{16, 720}, {0, 48}, {0, 56}};
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && remote_is_pointer(pthread);
	     i++) {
		if (remote_u64(remote, pthread + places[i].self) == pthread) {
			int32_t tid = threads_outer(
				threads, (int32_t)remote_u32(remote, pthread + places[i].tid));
			if (tid != 0) {
				return tid;
			}
		}
	}
	return 0;
}

void threads_release(struct thread_numbers *threads) {
	free(threads->items);
	*threads = (struct thread_numbers){0};
}

/** Return the time of a monotonic clock, in nanoseconds. */
static uint64_t threads_clock(void) {
	const uint64_t second = 1000000000;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * second + (uint64_t)now.tv_nsec;
}

bool threads_watch_is_due(const struct threads_watch *watch, uint64_t now, int32_t tid,
			  uint64_t limit) {
	const uint64_t soon = 20000000, rarely = 10; // ns
	bool was_missing = watch->missing[(uint32_t)tid % THREADS_MISSING] == tid;
	// samples of several processors are read in any order
	uint64_t age = now > watch->listed ? now - watch->listed : 0;
	if (limit == 0) {
		limit = was_missing ? soon : rarely * watch->cost;
	}
	return watch->listed == 0 || age > limit;
}

uint64_t threads_watch_begin(struct threads_watch *watch, uint64_t now) {
	watch->listed = now;
	return threads_clock();
}

void threads_watch_end(struct threads_watch *watch, uint64_t began, int32_t tid, bool found) {
	int32_t *missing = &watch->missing[(uint32_t)tid % THREADS_MISSING];
	watch->cost = threads_clock() - began;
	*missing = !found ? tid : *missing == tid ? 0 : *missing;
}
