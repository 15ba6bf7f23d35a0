/** The recorded program: a child process that waits until it may start. */
#pragma once

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "record/runtimes.h"
#include "base/diag.h"

struct workload {
	pid_t pid;   // process id; 0: there is no child
	int go;      // descriptor: a byte that is written here starts the program
	int problem; // descriptor from which the errno is read if the program cannot start
	int exit_fd; // descriptor that is readable when the child has ended; -1: not available
	bool ended;  // whether the status of the child was read
	bool left;   // whether the child is left running, and is not waited for
	int status;  // status as returned by waitpid()
	struct rusage usage;
};

/** Make a child that waits to become the program, with the variables of `runtimes` set. Return 0,
 * or -1 after diag_error(). */
int workload_fork(struct workload *workload, char *const *program, const struct runtimes *runtimes,
		  struct diag *diag);

/** Let the child become the program. Return 0, or -1 after diag_error() if the program could not be
 * started. */
int workload_start(struct workload *workload, const char *name, struct diag *diag);

/** Return whether the child has ended. If `wait` is set, wait until the child has ended. */
bool workload_ended(struct workload *workload, bool wait);

/** Leave the child running, and do not wait for it any more. */
void workload_leave(struct workload *workload);

/** Send a signal to the child. */
void workload_signal(const struct workload *workload, int number);

/** End the child with SIGTERM if it runs, and wait for its end, unless it is left running. Close
 * the descriptors. */
void workload_release(struct workload *workload);
