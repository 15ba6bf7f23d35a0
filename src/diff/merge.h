/** Merge two folded texts into one with two counts, line by line: fast, for plain folded text. */
#ifndef INFERNO_MERGE_H
#define INFERNO_MERGE_H

#include "base/buf.h"
#include "base/output.h"
#include "base/sort.h"
#include "profile/change.h"

/** The stacks of a sorted text, each without the start that it shares with the one before. A zeroed
 * side is empty. */
struct merge_side {
	struct buf lines; // of struct merge_line, each with the rest of its stack after it
	size_t last;      // offset of the last one
	uint64_t sum;     // of the counts
	bool descends;    // reading stopped at a stack that sorts below the one before
	size_t before;    // length of the last stack, which is kept at the start of the text
	size_t taken;     // bytes of the text that were read
};

/** A line of a text in any order. */
struct merge_read {
	uint64_t count;
	uint32_t at, n; // offset of its stack in the text, and its length
};

enum { MERGE_RUNS_MAX = 64 };

/** A text in any order: sorted runs of its lines, each at least twice as large as the next. If all
 * but `most` is zeroed, it is empty. */
struct merge_any {
	size_t most;              // bytes of text, below 4 GiB, whose lines are sorted together
	struct merge_read *lines; // of these bytes
	size_t n, capacity;
	struct sort_item *items; // to sort them
	size_t items_capacity;
	size_t taken; // bytes of the text that were read
	struct merge_side runs[MERGE_RUNS_MAX];
	size_t runs_n;
};

/** Make room for the stacks of a text of about so many bytes. */
void merge_expect(struct merge_side *side, uint64_t size);

/**
 * Read what was added to a text: all of it, or else up to the last line end. Remove what later
 * calls do not need. Return whether the text can be merged: every line is a stack, a blank and a
 * count, with nothing to repair or to warn about; the stacks ascend; no line is very long; the sum
 * fits into 64 bits. If it cannot because the side `descends`, call merge_go_on() for the rest.
 */
bool merge_take(struct merge_side *side, struct buf *text, bool all);

/** Move the lines of a side that descends into `any`. merge_take_any() can then take the rest. */
void merge_go_on(struct merge_any *any, struct merge_side *side);

/** Do what merge_take() does, for text in any order. After the last call, which has `all` set,
 * `*side` has all lines. */
bool merge_take_any(struct merge_any *any, struct buf *text, bool all, struct merge_side *side);

/** Write two texts that can be merged, as diff_write_text() would. */
void merge_write(struct output *out, const struct merge_side *before,
		 const struct merge_side *after, bool normalized);

void merge_release(struct merge_side *side);
void merge_release_any(struct merge_any *any);

#endif
