/** The threads of a process, with the ids that they have in the process's pid namespace. */
#pragma once

#include "script/remote.h"

struct threads_pair {
	int32_t tid, inner; // id of the thread in our pid namespace, and in the pid namespace of
			    // the process
};

/** A zeroed struct is empty. */
struct thread_numbers {
	struct threads_pair *items;
	size_t n, capacity;
};

/** List the threads of a process. */
void threads_list(struct thread_numbers *threads, int32_t pid);

/** List only one thread of a process. */
void threads_list_one(struct thread_numbers *threads, int32_t pid, int32_t tid);

/** Return the id of a thread in our pid namespace; or 0 if the process has no such thread. `inner`
 * is the thread's id in the pid namespace of the process. */
int32_t threads_outer(const struct thread_numbers *threads, int32_t inner);

/** Find the id of the thread that has this pthread_t. The id is read from the C library's data in
 * the process. Return 0 if there is no such thread. */
int32_t threads_of_pthread(const struct thread_numbers *threads, struct remote *remote,
			   uint64_t pthread);

void threads_release(struct thread_numbers *threads);

enum { THREADS_MISSING = 1024 };

/** When a language has listed the threads of a process, and which threads were missing then. */
struct threads_watch {
	uint64_t listed; // time of the sample for which the threads were listed; 0: they were not
	uint64_t cost;   // how long this took, in nanoseconds
	int32_t missing[THREADS_MISSING]; // by the id of the thread, modulo THREADS_MISSING
};

/** Return whether to list the threads again, for a sample of a thread at the time `now`. If the
 * list has the thread, `limit` is the age up to which the list is valid. If the list lacks the
 * thread, `limit` is 0. If the thread was missing before, the list is then read again after 20 ms.
 * Otherwise, the list is read at once, because a new thread may wait after this sample; but such
 * reading may take only a tenth of the time.
 */
bool threads_watch_is_due(const struct threads_watch *watch, uint64_t now, int32_t tid,
			  uint64_t limit);

/** Note that the threads are about to be listed. Return the time, for threads_watch_end(). */
uint64_t threads_watch_begin(struct threads_watch *watch, uint64_t now);

/** Note that the threads were listed, and whether the list has the thread. */
void threads_watch_end(struct threads_watch *watch, uint64_t began, int32_t tid, bool found);
