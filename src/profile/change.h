/** How a count changed from one profile to another, and whether the change may be chance. */
#ifndef INFERNO_CHANGE_H
#define INFERNO_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A count in the earlier and in the later profile. */
struct change {
	uint64_t before, after;
};

/** Ways to scale the counts of the earlier profile, so that they can be compared with the counts of
 * the later profile. */
enum scaling {
	SCALE_MEDIAN, // so that the median function does not change
	SCALE_TOTAL,  // so that the totals are equal
	SCALE_NONE,   // without scaling
};

/** The names of these ways, NULL-terminated. */
extern const char *const scalings[];

/** The scale between two profiles, and the limits of noise. */
struct scale {
	struct change totals;
	double sample_before, sample_after; // count of one sample
	enum scaling scaling;               // how `factor` was found
	double factor;   // multiply counts before by it to compare them with counts after
	double error;    // standard deviation of the scale, as a part of it
	size_t measured; // the number of functions that SCALE_MEDIAN was found with
	double sigma;    // the limit of noise if only one function were compared
	double limit;    // a change of fewer standard deviations is noise; 0: no change is noise
};

/** Return the scale of two profiles in which each sample counts 1. The scale has the factor 1, and
 * treats no change as noise. */
struct scale scale_of(struct change totals);

/**
 * Find the scale. `self` holds the self counts of the `n` functions of both profiles. If fewer than
 * five functions have enough samples, a median is not reliable, so make the totals equal instead.
 * Do not scale if the totals differ by at most 1 %, or if the median differs from 1 by no more than
 * its error.
 */
void scale_find(struct scale *scale, enum scaling scaling, const struct change *self, size_t n);

/** Set the limit of noise for comparing `n` functions. The limit grows with `n`, because more
 * functions change by chance if more functions are compared. */
void scale_limit(struct scale *scale, double sigma, size_t n);

/** Return the change of a count, in units of the later profile. The change is negative if the count
 * has become smaller.
 */
static inline double change_amount(const struct scale *scale, struct change change) {
	return (double)change.after - scale->factor * (double)change.before;
}

/** Return the number of standard deviations of a change, if samples are random events (a Poisson
 * process). Return 0 if nothing was counted. */
double change_deviations(const struct scale *scale, struct change change);

/** Return whether a change is noise. */
bool change_is_noise(const struct scale *scale, struct change change);

#endif
