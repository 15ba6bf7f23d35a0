/** Two folded texts to one with two counts, line by line: the fast way for what folding writes. */
#ifndef INFERNO_MERGE_H
#define INFERNO_MERGE_H

#include "base/buf.h"
#include "base/output.h"
#include "profile/change.h"

/** A stack of a text and what all its lines count. */
struct merge_line {
	uint64_t count;
	size_t at;       // where it stands
	uint32_t n;      // its length
	uint32_t common; // bytes that it shares with the stack before
};

/** A text, and what is known of it. A zeroed one is empty. */
struct merge_side {
	struct buf text;
	size_t taken; // bytes of it that were looked at
	struct merge_line *lines;
	size_t lines_n, lines_capacity;
	uint64_t sum; // of the counts
};

/** Makes room for a text of about so many bytes. */
void merge_expect(struct merge_side *side, uint64_t size);

/**
 * Takes what was added to the text: all of it, or else up to the last line end. Returns whether it
 * can be merged: every line is a stack, a blank and a count, with nothing to be repaired or warned
 * of, stacks ascend, and the sum is not near what 64 bits hold. A last line that is cut off and
 * longer than what was added cannot.
 */
bool merge_take(struct merge_side *side, bool all);

/** Writes what diff_write_text() writes of two texts that can be merged. */
void merge_write(struct output *out, const struct merge_side *before,
		 const struct merge_side *after, bool normalized);

void merge_release(struct merge_side *side);

#endif
