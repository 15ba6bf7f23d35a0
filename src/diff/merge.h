/** Two folded texts to one with two counts, line by line: the fast way for what folding writes. */
#ifndef INFERNO_MERGE_H
#define INFERNO_MERGE_H

#include "base/buf.h"
#include "base/output.h"
#include "base/sort.h"
#include "profile/change.h"

/** The stacks of a sorted text, each as what it does not share with the one before. A zeroed side
 * is empty. */
struct merge_side {
	struct buf lines; // of struct merge_line, each with the rest of its stack after it
	size_t last;      // where the last one is in them
	uint64_t sum;     // of the counts
	bool descends;    // no more was taken, since a stack does not ascend
	size_t before;    // length of the last stack, which the text that is read starts with
	size_t taken;     // bytes of that text that were looked at
};

/** A line of a text in any order. */
struct merge_read {
	uint64_t count;
	uint32_t at, n; // where its stack stands in the text, and its length
};

enum { MERGE_RUNS_MAX = 64 };

/** A text in any order that is read: runs of its lines that were sorted. Each is at least twice as
 * large as the next. One that is zeroed but for `most` is empty. */
struct merge_any {
	size_t most;              // bytes of text, below 4 GiB, whose lines are sorted together
	struct merge_read *lines; // of these bytes
	size_t n, capacity;
	struct sort_item *items; // to sort them
	size_t items_capacity;
	size_t taken; // how many bytes of the text were looked at
	struct merge_side runs[MERGE_RUNS_MAX];
	size_t runs_n;
};

/** Make room for what a text of about so many bytes needs. */
void merge_expect(struct merge_side *side, uint64_t size);

/**
 * Take what was added to a text: all of it, or else up to the last line end. What is not needed
 * for more is removed from the text. Return whether it can be merged: every line is a stack, a
 * blank and a count, with nothing to be repaired or warned of, stacks ascend, no line is very long,
 * and the sum fits into 64 bits. If the side `descends`, merge_go_on() can take the rest.
 */
bool merge_take(struct merge_side *side, struct buf *text, bool all);

/** Give a side that descends, and with it the rest of its text, to the readers of any order. */
void merge_go_on(struct merge_any *any, struct merge_side *side);

/** Take likewise what was added to a text whose lines may have any order. With the last of it,
 * `*side` gets them all. */
bool merge_take_any(struct merge_any *any, struct buf *text, bool all, struct merge_side *side);

/** Write what diff_write_text() writes of two texts that can be merged. */
void merge_write(struct output *out, const struct merge_side *before,
		 const struct merge_side *after, bool normalized);

void merge_release(struct merge_side *side);
void merge_release_any(struct merge_any *any);

#endif
