/** Two profiles that are compared: the result of diff, which a picture shows. */
#ifndef INFERNO_COMPARED_H
#define INFERNO_COMPARED_H

#include "profile/change.h"
#include "profile/tree.h"

/** A zeroed one is empty. */
struct compared {
	struct profile profile; // of both
	struct tree tree;       // with changes
	struct yardstick yardstick;
	const char *before, *after; // labels of the profiles
};

/**
 * Compare the profile, which is the earlier one, with `after`. The totals and the counts of one
 * sample are those of the yardstick. Call profile_make_calls() on both profiles first. The calls of
 * `after` may be put in order.
 */
void compared_make(struct compared *compared, struct profile *after, enum scaling scaling,
		   double sigma);

/** Add how counts before were scaled, and why: "; counts before are scaled by 1.1674 (median of 12
 * functions)". Add nothing if there is nothing to say. */
void compared_add_scale(struct buf *out, const struct yardstick *yardstick);

void compared_release(struct compared *compared);

#endif
