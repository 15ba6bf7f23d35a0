/** The recorded program: a child process that waits for the signal to start. */
#ifndef INFERNO_RECORD_WORKLOAD_H
#define INFERNO_RECORD_WORKLOAD_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "record/runtimes.h"
#include "base/diag.h"

struct workload {
	pid_t pid;   // 0: there is none
	int go;      // where to write a byte to start it
	int problem; // where it writes the errno if it cannot start
	int exit_fd; // readable when it has ended; -1: there is none
	bool ended;  // it was waited for
	bool left;   // nobody waits for it
	int status;  // as waitpid() has it
	struct rusage usage;
};

/** Make a child that waits to become the program, with the variables of `runtimes` set. Return 0,
 * or -1 after diag_error(). */
int workload_fork(struct workload *workload, char *const *program, const struct runtimes *runtimes,
		  struct diag *diag);

/** Let it start. Return 0, or -1 after diag_error() if there is no such program. */
int workload_start(struct workload *workload, const char *name, struct diag *diag);

/** Return whether it has ended; wait for that if `wait` is set. */
bool workload_ended(struct workload *workload, bool wait);

/** Leave it running, and do not wait for it any more. */
void workload_leave(struct workload *workload);

/** Send a signal to it. */
void workload_signal(const struct workload *workload, int number);

/** End it if it runs, and wait for it. */
void workload_release(struct workload *workload);

#endif
