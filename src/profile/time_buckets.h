/**
 * When stacks were sampled, and in which threads: for pages that show the course of time. Times are
 * kept in buckets of equal width. If the recording gets too long for the buckets, or takes too much
 * memory, the width doubles, so that memory is bounded however long the recording is.
 */
#ifndef INFERNO_TIME_BUCKETS_H
#define INFERNO_TIME_BUCKETS_H

#include "base/intern.h"

enum {
	TIME_BUCKETS_MOST = 2048, // most buckets
	TIME_BUCKETS_THREADS =
		4096, // most threads with a number of their own; the first number is for all others
};

/** The count of a stack in a thread in a bucket. */
struct time_bucket_cell {
	uint64_t bucket;        // time >> shift
	uint64_t count;         // 0: the cell is free
	uint32_t stack, thread; // the stack's id
};

struct time_buckets {
	struct intern threads; // labels; the first is for the threads without a number of their own
	struct time_bucket_cell *cells; // a table with open addressing
	size_t cells_n, mask;
	size_t most;          // cells, before the width doubles
	unsigned shift;       // buckets are 2^shift ns wide
	uint64_t first, last; // time, in ns; if any is known
	bool any;
	bool weights;     // counts are weights: the stack's count is shared out in proportion
	bool too_many;    // the stacks take too much memory, so some have no id
	uint64_t untimed; // how many stacks had no time
	bool compared;    // of two profiles: see time_buckets_compare()
	uint32_t later;   // then stacks with this id or a higher one are of the later profile

	bool known; // when the next stack was sampled, and where:
	uint32_t thread;
	uint64_t from, to; // in ns; equal for a point in time
};

struct time_buckets *time_buckets_new(void);

/** Note that the next stacks are of this thread, from one time to another, in ns. */
void time_buckets_set(struct time_buckets *buckets, struct str thread, uint64_t from, uint64_t to);

/** Return the number of a thread. */
uint32_t time_buckets_thread(struct time_buckets *buckets, struct str label);

/** Share a count out to the buckets from one time to another, in proportion to their parts. */
void time_buckets_count(struct time_buckets *buckets, uint32_t stack, uint32_t thread,
			uint64_t from, uint64_t to, uint64_t count);

/** Count a stack at the time that was set, or note that it has none. */
void time_buckets_add(struct time_buckets *buckets, uint32_t stack, uint64_t count);

/** Add all of `from`. `new_stacks` has the id in `buckets` of each stack of `from`. */
void time_buckets_merge(struct time_buckets *buckets, const struct time_buckets *from,
			const uint32_t *new_stacks);

/** Return the times of two profiles, each from its own start on. The stacks of the earlier one keep
 * their ids, `n` of them; those of the later one, `more`, come after them. The caller releases the
 * result with time_buckets_free(). */
struct time_buckets *time_buckets_compare(const struct time_buckets *before, uint32_t n,
					  const struct time_buckets *after, uint32_t more);

/** Give every stack its new id. Add up the cells of stacks that get the same id. */
void time_buckets_renumber(struct time_buckets *buckets, const uint32_t *new_stacks);

void time_buckets_free(struct time_buckets *buckets);

#endif
