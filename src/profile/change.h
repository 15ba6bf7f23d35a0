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

/** The names of the values of enum scaling, NULL-terminated. */
extern const char *const scalings[];

/** The scale between two profiles, and the limits of noise. */
struct scale {
	struct change totals;
	double sample_before, sample_after; // count of one sample
	enum scaling scaling;               // how `factor` was found
	double factor; // earlier counts are multiplied by this factor before they are compared with
		       // later counts
	double error;    // standard deviation of `factor`, as a fraction of `factor`
	size_t measured; // number of functions whose median change is `factor`, with SCALE_MEDIAN
	double sigma;    // limit of noise for a comparison of only one function, in standard
			 // deviations
	double limit; // a change is noise if its size in standard deviations is below this limit;
		      // 0: no change is noise
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

/** Set the limit of noise for comparing `n` functions. The limit grows with `n`: among more
 * functions, it is more likely that some function changes a lot by chance. */
void scale_limit(struct scale *scale, double sigma, size_t n);

/** Return the change of a count, in units of the later profile. The change is negative if the count
 * has become smaller.
 */
static inline double change_amount(const struct scale *scale, struct change change) {
	return (double)change.after - scale->factor * (double)change.before;
}

/** Return the size of a change in standard deviations, assuming that samples are random events (a
 * Poisson process). Return 0 if nothing was counted. */
double change_deviations(const struct scale *scale, struct change change);

/** Return whether a change is noise. */
bool change_is_noise(const struct scale *scale, struct change change);

#endif
