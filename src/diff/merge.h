/** Two folded texts to one with two counts, line by line: the fast way for what folding writes. */
#ifndef INFERNO_MERGE_H
#define INFERNO_MERGE_H

#include "base/output.h"
#include "profile/change.h"

/**
 * Whether the text can be merged: every line is a stack, a blank and a count, with nothing to be
 * repaired or warned of, and stacks ascend. `*sum` gets the sum of the counts, which is
 * not near what 64 bits hold.
 */
bool merge_takes(struct str text, uint64_t *sum);

/** Writes what diff_write_text() writes of two texts that can be merged; `totals` are their sums.
 */
void merge_write(struct output *out, struct str before, struct str after, struct change totals,
		 bool normalized);

#endif
