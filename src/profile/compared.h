/** Compare two profiles. The command diff makes a comparison, and pictures and reports show it. */
#pragma once

#include "profile/change.h"
#include "profile/profile.h"

/** A zeroed struct is empty. */
struct compared {
	struct profile profile; // both profiles in one profile, whose stacks have two counts
	enum scaling scaling;   // way of scaling, for view_measure()
	double sigma;           // limit of noise, for view_measure()
	struct scale scale;
	const char *before, *after; // labels of the two profiles
};

/**
 * Add the later profile `after` to the earlier profile in `compared`. Call profile_make_calls() on
 * both profiles first. This function may put the calls of both profiles in the order of their
 * names.
 */
void compared_add(struct compared *compared, struct profile *after);

/** Set the totals and the count of one sample, for both profiles. Use this function if one text
 * with two counts contains both profiles. Return false if a total does not fit into 64 bits. */
bool compared_find_totals(struct compared *compared);

/** Add a phrase that says how the earlier counts were scaled, and why. For example: "; counts
 * before are scaled by 1.1674 (median of 12 functions)". If the factor is 1, say that counts are
 * not scaled, but only if a median was computed and the totals differ. */
void compared_add_scale(struct buf *out, const struct scale *scale);

/** Add a phrase that says how the scale was found, for example "median of 12 functions". With
 * SCALE_NONE, add nothing. */
void compared_add_reason(struct buf *out, const struct scale *scale);

void compared_release(struct compared *compared);
