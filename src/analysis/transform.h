/** Apply the options that change the stacks of a profile, before the stacks become a tree. */
#pragma once

#include "base/opt.h"
#include "profile/profile.h"

/** Options that change the stacks of one profile or of two. */
struct transform_options {
	struct opt_list base;
	bool reverse;
};

/** The rows of the options in struct transform_options. */
extern const struct opt transform_rows[];

/** A zeroed struct only sorts the stacks by their names. */
struct transform {
	const struct opt_list
		*base; // keep only stacks in which one of these functions calls another function,
		       // and cut off its callers; NULL: keep all stacks
	bool reverse;      // merge stacks from the leaf on, not from the root on
	bool keeps_order;  // for a timeline: the last stack comes first
	bool needs_order;  // fail if the rows of a timeline are not sorted
	bool marks_wakers; // add _[w] to names after a frame `--`
	bool has_total;    // the count of the root is `total`, not the sum of the stacks
	uint64_t total;
};

/** Change the stacks so that tree_build() can read them. Return 0, or -1 after diag_error(). */
int transform_apply(const struct transform *transform, struct profile *profile, struct diag *diag);
