/** Runtimes that generate code at run time, such as node and Java: environment variables make them
 * write the names of its functions to a perf map for each process. */
#ifndef INFERNO_RECORD_RUNTIMES_H
#define INFERNO_RECORD_RUNTIMES_H

#include <time.h>

#include "base/buf.h"

struct runtimes {
	unsigned set;       // bit mask of runtimes whose variables are set for the program
	unsigned seen;      // bit mask of those that ran
	int32_t *processes; // ids of processes with such a runtime
	size_t n, capacity;
	time_t start;
	struct buf record; // start of a record whose rest was not read yet
	size_t skipped;    // number of bytes to skip
};

/** Choose the variables to set. Leave out those that the user has set for the same purpose, and
 * those of runtimes whose functions are read; `read` has a bit for each of these runtimes. */
void runtimes_init(struct runtimes *runtimes, unsigned read);

/** Set the variables, in the process that becomes the program. */
void runtimes_set(const struct runtimes *runtimes);

/** Read the next bytes of a recording, to determine which runtimes run. */
void runtimes_see(struct runtimes *runtimes, const char *bytes, size_t n);

/** Add a phrase with the runtimes that ran, and their variables. */
void runtimes_format(const struct runtimes *runtimes, struct buf *text);

/** Remove the perf maps that the runtimes have written since the start. */
void runtimes_remove_maps(const struct runtimes *runtimes);

/** Remove the logs that node writes with perf maps, from the current folder. Return 0, or an errno
 * if some logs may be left. */
int runtimes_remove_logs(const struct runtimes *runtimes);

void runtimes_release(struct runtimes *runtimes);

#endif
