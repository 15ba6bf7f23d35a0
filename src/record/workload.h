/** The recorded program: a child process that waits until it may start. */
#ifndef INFERNO_RECORD_WORKLOAD_H
#define INFERNO_RECORD_WORKLOAD_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "record/runtimes.h"
#include "base/diag.h"

struct workload {
	pid_t pid;   // process id; 0: there is no child
	int go;      // descriptor: a byte that is written here starts it
	int problem; // descriptor from which the errno is read if it cannot start
	int exit_fd; // descriptor that is readable when it has ended; -1: not available
	bool ended;  // whether its status was read
	bool left;   // whether it is left running without waiting for it
	int status;  // status as returned by waitpid()
	struct rusage usage;
};

/** Make a child that waits to become the program, with the variables of `runtimes` set. Return 0,
 * or -1 after diag_error(). */
int workload_fork(struct workload *workload, char *const *program, const struct runtimes *runtimes,
		  struct diag *diag);

/** Let the child start. Return 0, or -1 after diag_error() if there is no such program. */
int workload_start(struct workload *workload, const char *name, struct diag *diag);

/** Return whether the child has ended. If `wait` is set, wait until it has. */
bool workload_ended(struct workload *workload, bool wait);

/** Leave the child running, and do not wait for it any more. */
void workload_leave(struct workload *workload);

/** Send a signal to the child. */
void workload_signal(const struct workload *workload, int number);

/** Kill the child if it runs, and wait for its end. */
void workload_release(struct workload *workload);

#endif
