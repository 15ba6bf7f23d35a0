/** The threads of a process, with the numbers that they have in the process's pid namespace. */
#pragma once

#include "script/remote.h"

struct threads_pair {
	int32_t tid, inner; // number of the thread in our pid namespace, and in the pid namespace
			    // of the process
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

/** Return the number of a thread in our pid namespace; or 0 if the process has no such thread. */
int32_t threads_outer(const struct thread_numbers *threads, int32_t inner);

/** Find the number of the thread that has this pthread_t. The number is read from the C library's
 * data in the process. Return 0 if there is no such thread. */
int32_t threads_of_pthread(const struct thread_numbers *threads, struct remote *remote,
			   uint64_t pthread);

void threads_release(struct thread_numbers *threads);
