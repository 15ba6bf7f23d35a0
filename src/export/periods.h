/** Turn the samples of each thread into periods of time. Periods do not overlap, and each is as
 * long as its count. Output formats with one axis for times and counts need periods. */
#ifndef INFERNO_PERIODS_H
#define INFERNO_PERIODS_H

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
	const struct moments *moments; // sorted by thread and time; NULL: there are no periods
	uint64_t scale;                // number of nanoseconds in a count of 1; 0: counts are not
				       // times
	uint64_t first;                // time of the first sample
	size_t threads;
	size_t heaviest; // index of the thread with the largest sum of counts
};

/** A thread, with the position of its next period. Zero the struct before the first call of
 * periods_next_thread(). */
struct periods_thread {
	struct str name;
	size_t first, end; // range of the thread's moments
	size_t next;       // index of the next moment
	uint64_t now;      // end of the last period
};

/** Make periods from the times of a tree, for a format with the periods of at most `most` threads.
 * If the times cannot become periods, or if counts are not times, warn that times are left out.
 * Return 0, or -1 if the run must end. */
int periods_init(struct periods *periods, struct sited *sited, size_t most, struct diag *diag);

/** Go to the first or the next thread. Return false after the last thread. */
bool periods_next_thread(const struct periods *periods, struct periods_thread *thread);

/** Set `*period` to the next period of a thread. Samples of the same stack in a row are one period.
 * Return false after the last period. */
bool periods_next(const struct periods *periods, struct periods_thread *thread,
		  struct period *period);

/** Return the end of the last period of a thread. */
uint64_t periods_end(const struct periods *periods, struct periods_thread thread);

#endif
