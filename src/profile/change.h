/** Compute how a count changed from one profile to another, and whether the change may be
 * chance. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A count in the earlier and in the later profile. */
struct change {
	uint64_t before, after;
};

/** Ways to scale the counts of the earlier profile, so that they are comparable with the counts of
 * the later profile. */
enum scaling {
	SCALE_MEDIAN, // the median function does not change
	SCALE_TOTAL,  // the totals are equal
	SCALE_NONE,   // no scaling
};

/** The names of the values of enum scaling, NULL-terminated. */
extern const char *const scalings[];

/** The factor between the counts of two profiles, and the limits of noise. */
struct scale {
	struct change totals;
	double sample_before, sample_after; // the count that one sample adds, in each profile
	enum scaling scaling;               // how `factor` was found
	double factor;   // an earlier count times this factor is comparable with a later count
	double error;    // standard deviation of `factor`, as a fraction of `factor`
	size_t measured; // with SCALE_MEDIAN: number of functions in the median
	double sigma;    // limit of noise for one function, in standard deviations
	double limit; // a change is noise if its size in standard deviations is below this limit;
		      // 0: no change is noise
};

/** Return a scale with the factor 1, for two profiles in which each sample counts 1. With this
 * scale, no change is noise. */
struct scale scale_of(struct change totals);

/**
 * Compute the scale. `self` holds the self counts of the `n` functions in both profiles. If fewer
 * than five functions have enough samples, or if the median is 0 or infinite, use SCALE_TOTAL
 * instead of SCALE_MEDIAN. With SCALE_TOTAL, do not scale if the totals differ by at most 1 %. With
 * SCALE_MEDIAN, do not scale if the median differs from 1 by at most its standard error.
 */
void scale_find(struct scale *scale, enum scaling scaling, const struct change *self, size_t n);

/** Set the limit of noise for comparing `n` functions. `sigma` is the limit for one function, in
 * standard deviations; 0: no change is noise. The limit grows with `n`, because among many
 * functions it is likely that some function changes by chance. */
void scale_limit(struct scale *scale, double sigma, size_t n);

/** Return the change of a count, in units of the later profile. The change is negative if the count
 * has become smaller. */
static inline double change_amount(const struct scale *scale, struct change change) {
	return (double)change.after - scale->factor * (double)change.before;
}

/** Return a change in standard deviations. The samples are taken to be random events (a Poisson
 * process). If both counts are 0, return 0. */
double change_deviations(const struct scale *scale, struct change change);

bool change_is_noise(const struct scale *scale, struct change change);
