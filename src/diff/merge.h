/** Two folded texts to one with two counts, line by line: the fast way for what folding writes. */
#ifndef INFERNO_MERGE_H
#define INFERNO_MERGE_H

#include "base/buf.h"
#include "base/output.h"
#include "profile/change.h"

/** The stacks of a sorted text, each as what it does not share with the one before. A zeroed side
 * is empty. */
struct merge_side {
	struct buf lines; // of struct merge_line, each with the rest of its stack behind it
	size_t last;      // where the last one is in them
	uint64_t sum;     // of the counts
	size_t before;    // length of the last stack, which the text that is read starts with
	size_t taken;     // bytes of that text that were looked at
};

/** Makes room for what a text of about so many bytes needs. */
void merge_expect(struct merge_side *side, uint64_t size);

/**
 * Takes what was added to a text: all of it, or else up to the last line end. What is not needed
 * for more is removed from the text. Returns whether it can be merged: every line is a stack, a
 * blank and a count, with nothing to be repaired or warned of, stacks ascend, no line is very long,
 * and the sum is not near what 64 bits hold.
 */
bool merge_take(struct merge_side *side, struct buf *text, bool all);

/** Writes what diff_write_text() writes of two texts that can be merged. */
void merge_write(struct output *out, const struct merge_side *before,
		 const struct merge_side *after, bool normalized);

void merge_release(struct merge_side *side);

#endif
