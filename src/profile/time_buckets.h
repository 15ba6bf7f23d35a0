/**
 * Keep the times at which stacks were sampled, and the threads, for pages that show a timeline.
 * Times are counted in buckets of equal width. If a recording has too many buckets or takes too
 * much memory, the width doubles. So memory is bounded even for a very long recording.
 */
#pragma once

#include "base/intern.h"
#include "profile/moments.h"

enum {
	TIME_BUCKETS_MOST = 2048,    // largest number of buckets
	TIME_BUCKETS_THREADS = 4096, // largest number of labels of threads; all further threads
				     // share the label with the number 0
};

/** A cell: the count of one stack in one thread in one bucket. */
struct time_bucket_cell {
	uint64_t bucket;        // index of the bucket: the time >> shift
	uint64_t count;         // 0: the cell is free
	uint32_t stack, thread; // id of the stack; number of the thread
};

struct time_buckets {
	struct intern threads; // labels of threads; the first label stands for all threads without
			       // a separate number
	struct time_bucket_cell *cells; // a table with open addressing
	size_t cells_n, mask;
	size_t most;          // largest number of cells before the width of the buckets doubles
	unsigned shift;       // buckets are 2^shift ns wide
	uint64_t first, last; // the earliest and the latest time, in ns, if any time is known
	bool any;
	bool weights;     // counts are weights: the count of a stack is divided among its cells in
			  // proportion to their weights
	bool too_many;    // stacks took too much memory, so some have no id
	uint64_t untimed; // number of stacks without a time
	bool compared;    // the times belong to two profiles; see time_buckets_compare()
	uint32_t later;   // if `compared` is set, stacks with this id or a higher id belong to the
			  // later profile

	bool is_kept;            // whether the buckets are needed
	struct moments *moments; // exact times; NULL: not asked for

	bool known; // the time of the next stack is known; the following members have its thread
		    // and its time
	uint32_t thread;
	uint64_t from, to; // start and end in ns; equal for a point in time
};

struct time_buckets *time_buckets_new(void);

/** Set the thread of the next stacks, and their start and end times in nanoseconds. */
void time_buckets_set(struct time_buckets *buckets, struct str thread, uint64_t from, uint64_t to);

/** Return the number of a thread, adding it if it is new. If there are TIME_BUCKETS_THREADS labels
 * already, return 0 for a new thread. */
uint32_t time_buckets_thread(struct time_buckets *buckets, struct str label);

/** Divide a count among the buckets between two times, in proportion to their overlap. */
void time_buckets_count(struct time_buckets *buckets, uint32_t stack, uint32_t thread,
			uint64_t from, uint64_t to, uint64_t count);

/** Give a stack a weight between two times. In a profile with weights, the count of each stack is
 * divided among its cells in proportion to their weights. */
void time_buckets_weigh(struct time_buckets *buckets, uint32_t stack, struct str thread,
			uint64_t from, uint64_t to, uint64_t weight);

/** Count a stack at the time that was set. If no time was set, count it as a stack without a time.
 */
void time_buckets_add(struct time_buckets *buckets, uint32_t stack, uint64_t count);

/** Add all times of `from`. `new_stacks` has the new id, in `buckets`, of each stack of `from`. */
void time_buckets_merge(struct time_buckets *buckets, const struct time_buckets *from,
			const uint32_t *new_stacks);

/** Return the times of two profiles together. The times of each profile count from its own start.
 * The `n` stacks of the earlier profile keep their ids. The `more` stacks of the later profile get
 * the ids from `n` on. The caller releases the result with time_buckets_free(). */
struct time_buckets *time_buckets_compare(const struct time_buckets *before, uint32_t n,
					  const struct time_buckets *after, uint32_t more);

/** Replace each id of a stack by `new_stacks[id]`. Add up the cells of stacks that get the same
 * id. */
void time_buckets_renumber(struct time_buckets *buckets, const uint32_t *new_stacks);

void time_buckets_free(struct time_buckets *buckets);
