/** Runtimes that make code while they run, such as node and Java: environment variables have them
 * write down the names of its functions, in a perf map for each process. */
#ifndef INFERNO_RECORD_RUNTIMES_H
#define INFERNO_RECORD_RUNTIMES_H

#include <time.h>

#include "base/buf.h"

struct runtimes {
	unsigned set;       // whose variables are set for the program, a bit each
	unsigned seen;      // of them, those that ran
	int32_t *processes; // that they ran in
	size_t n, capacity;
	time_t start;
	struct buf record; // the start of one, while the recording is read
	size_t skipped;    // bytes to skip
};

/** Choose the variables to set: all that the user has not set to the same end. */
void runtimes_init(struct runtimes *runtimes);

/** Set the variables, in the process that becomes the program. */
void runtimes_set(const struct runtimes *runtimes);

/** See the next bytes of a recording, to learn which runtimes run. */
void runtimes_see(struct runtimes *runtimes, const char *bytes, size_t n);

/** Add the variables of the runtimes that ran, and the names of those, as a phrase. */
void runtimes_format(const struct runtimes *runtimes, struct buf *text);

/** Remove the perf maps that the runtimes have written since the start. */
void runtimes_remove_maps(const struct runtimes *runtimes);

/** Remove the logs that node writes with perf maps, from the current folder. */
void runtimes_remove_logs(const struct runtimes *runtimes);

void runtimes_release(struct runtimes *runtimes);

#endif
