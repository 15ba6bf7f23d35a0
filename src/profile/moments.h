/**
 * When stacks were sampled, and in which threads: for pages that show the course of time. Times are
 * kept in buckets of equal width. If the recording gets too long for the buckets, or takes too much
 * memory, the width doubles, so that memory is bounded however long the recording is.
 */
#ifndef INFERNO_MOMENTS_H
#define INFERNO_MOMENTS_H

#include "base/intern.h"
#include "profile/ids.h"

enum {
	MOMENTS_BUCKETS = 512,  // at most so many from the first time to the last
	MOMENTS_THREADS = 4096, // at most so many are told apart; the first of them has all others
};

/** What a stack counts in a thread in a bucket. */
struct moment_cell {
	uint64_t bucket; // time >> shift
	uint64_t count;  // 0: the cell is free
	uint32_t stack, thread;
};

struct moments {
	struct intern stacks;      // ids as bytes
	struct intern threads;     // labels; the first is for the threads that are not told apart
	size_t ids;                // in all stacks
	struct moment_cell *cells; // a table with open addressing
	size_t cells_n, mask;
	size_t most;          // cells, before the width doubles
	unsigned shift;       // buckets are 2^shift ns wide
	uint64_t first, last; // time, in ns; if any is known
	bool any;
	bool weights;     // counts are weights: what the stack counts is shared out in proportion
	bool too_many;    // the stacks take too much memory, so some were left out
	uint64_t untimed; // how many stacks had no time

	bool known; // when the next stack was sampled, and where:
	uint32_t thread;
	uint64_t from, to; // in ns; equal for a point in time
};

struct moments *moments_new(void);

/** Note that the next stacks are of this thread, from one time to another, in ns. */
void moments_set(struct moments *moments, struct str thread, uint64_t from, uint64_t to);

/** Return the number of a thread. */
uint32_t moments_thread(struct moments *moments, struct str label);

/** Return the number of a stack, adding it if it is new. */
uint32_t moments_stack(struct moments *moments, const uint32_t *ids, size_t depth);

/** Share a count out to the buckets from one time to another, in proportion to their parts. */
void moments_count(struct moments *moments, uint32_t stack, uint32_t thread, uint64_t from,
		   uint64_t to, uint64_t count);

/** Count a stack at the time that was set, or note that it has none. */
void moments_add(struct moments *moments, const uint32_t *ids, size_t depth, uint64_t count);

/** Add all of `from`. `new_ids` gives the id here of each of its ids. */
void moments_merge(struct moments *moments, const struct moments *from, const uint32_t *new_ids);

/** Change a stack in place. Return false to leave it out. */
typedef bool moments_change(void *context, struct ids *stack);

/** Change all stacks. Those that become equal are added up. */
void moments_remake(struct moments *moments, moments_change *change, void *context);

/** Give every id its new one. */
void moments_rename(struct moments *moments, const uint32_t *new_ids);

void moments_free(struct moments *moments);

#endif
