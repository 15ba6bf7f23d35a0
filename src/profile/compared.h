/** A comparison of two profiles: the result of diff, which a picture shows. */
#ifndef INFERNO_COMPARED_H
#define INFERNO_COMPARED_H

#include "profile/change.h"
#include "profile/profile.h"

/** A zeroed struct is empty. */
struct compared {
	struct profile profile; // the two profiles in one: its stacks have two counts
	enum scaling scaling;   // for view_measure()
	double sigma;           // limit of noise, for view_measure()
	struct scale scale;
	const char *before, *after; // labels of the two profiles
};

/**
 * Add the later profile `after` to the earlier one. Call profile_make_calls() on both profiles
 * before. The calls of `after` may be put in order.
 */
void compared_add(struct compared *compared, struct profile *after);

/** Set the totals, and the count of one sample, in both profiles. Use this for a profile that was
 * read from text with two counts. Return false if a total does not fit into 64 bits. */
bool compared_find_totals(struct compared *compared);

/** Add a phrase which says how the earlier counts were scaled, and why: "; counts before are scaled
 * by 1.1674 (median of 12 functions)". Add nothing if counts need not be scaled. */
void compared_add_scale(struct buf *out, const struct scale *scale);

/** Add a phrase which says how the scale was found: "median of 12 functions". Add nothing if no
 * scale was wanted. */
void compared_add_reason(struct buf *out, const struct scale *scale);

void compared_release(struct compared *compared);

#endif
