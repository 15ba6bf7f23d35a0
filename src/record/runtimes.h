/** Runtimes that generate code at run time, such as node and Java. Environment variables make a
 * runtime write the names of its functions to a perf map in each process. */
#pragma once

#include <time.h>

#include "base/buf.h"

struct runtimes {
	unsigned set;       // bit mask of runtimes whose variables are set for the program
	unsigned seen;      // bit mask of the runtimes that ran in the program
	int32_t *processes; // ids of processes with such a runtime
	size_t n, capacity;
	time_t start;
	struct buf record; // the first bytes of a record whose other bytes were not read yet
	size_t skipped;    // number of bytes to skip
};

/** Choose the variables to set. Leave out a variable that the user has already set for the same
 * purpose. Also leave out the variables of runtimes whose functions are read from outside: `read`
 * has a bit for each of these runtimes. */
void runtimes_init(struct runtimes *runtimes, unsigned read);

/** Set the variables. Call this in the child process that becomes the program. */
void runtimes_set(const struct runtimes *runtimes);

/** Read the next bytes of a recording, to determine which runtimes run. */
void runtimes_see(struct runtimes *runtimes, const char *bytes, size_t n);

/** Add a phrase that names the runtimes that ran, and the variables that were set for them. */
void runtimes_format(const struct runtimes *runtimes, struct buf *text);

/** Remove the perf maps that the runtimes have written since the start. */
void runtimes_remove_maps(const struct runtimes *runtimes);

/** Remove the logs that node writes with perf maps, from the current folder. Return 0, or an errno
 * if some logs may be left. */
int runtimes_remove_logs(const struct runtimes *runtimes);

void runtimes_release(struct runtimes *runtimes);
