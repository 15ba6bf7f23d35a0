/** Turn the samples of each thread into periods of time. Periods do not overlap, and each is as
 * long as its count. Output formats with one axis for times and counts need periods. */
#pragma once

#include "base/diag.h"
#include "export/sited.h"

/** A period in which a thread had the stack of a node. If counts are times, `from` and `to` are
 * nanoseconds since the first sample of all threads. If counts are not times, `from` is the sum of
 * the earlier counts of the thread. */
struct period {
	uint32_t node;
	uint64_t from, to;
};

struct periods {
	const struct sited *sited;
	const struct moments *moments; // sorted by time in each thread; NULL: times are not known,
				       // so the nodes of the tree are the periods
	uint64_t scale;                // number of nanoseconds in a count of 1; 0: counts are not
				       // times
	uint64_t first;                // time of the first sample
	size_t threads;                // number of threads, if times are known
	size_t heaviest;               // index of the thread with the largest sum of counts
};

/** A thread, with the position of its next period. Zero the struct before the first call of
 * periods_next_thread(). */
struct periods_thread {
	struct str name;
	uint32_t index;               // number of ids of threads up to this one
	struct moments_cursor moment; // position before the next moment
	size_t node;                  // if times are not known, index of the next node
	uint64_t now;                 // end of the last period
};

/** Make periods from the times of a tree, for a format with the periods of at most `most` threads.
 * If counts are not times, or if the times cannot become periods, warn that times are left out. In
 * the second case, all stacks become periods of one thread, in the order of the tree. Return 0, or
 * -1 if the run must end. */
int periods_init(struct periods *periods, struct sited *sited, size_t most, struct diag *diag);

/** Go to the first or the next thread. Return false after the last thread. */
bool periods_next_thread(const struct periods *periods, struct periods_thread *thread);

/** Set `*period` to the next period of a thread. Samples of the same stack that follow each other
 * without a gap are one period. Return false after the last period. */
bool periods_next(const struct periods *periods, struct periods_thread *thread,
		  struct period *period);

/** Return the time from the start of the first period of a thread to the end of the last one. Set
 * `*gaps` to whether there are gaps between the periods. */
struct period periods_range(const struct periods *periods, struct periods_thread thread,
			    bool *gaps);
