/** How a count changed from one profile to another, and whether that may be chance. */
#ifndef INFERNO_CHANGE_H
#define INFERNO_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A count in the earlier and in the later profile. */
struct change {
	uint64_t before, after;
};

/** Ways to make counts before comparable with counts after. */
enum scaling {
	SCALE_MEDIAN, // so that the median function does not change
	SCALE_TOTAL,  // so that the totals are equal
	SCALE_NONE,   // as they are
};

/** Their names, NULL-terminated. */
extern const char *const scalings[];

/** The scales to compare two profiles with. */
struct scale {
	struct change totals;
	double sample_before, sample_after; // count of one sample
	enum scaling scaling;               // how the scale was found
	double factor;   // multiply counts before by it to compare them with counts after
	double error;    // standard deviation of the scale, as a part of it
	size_t measured; // the number of functions that SCALE_MEDIAN was found with
	double sigma;    // the limit if only one function were compared
	double limit;    // a change of fewer standard deviations is noise; 0: no change is noise
};

/** Return the scale of two profiles in which each sample counts 1. It does not scale, and no
 * change is noise. */
struct scale scale_of(struct change totals);

/**
 * Find the scale. `self` holds the self counts of the `n` functions of both profiles. A median of
 * fewer than five functions with enough samples says nothing; then the totals are made equal.
 * Totals that differ by at most 1 %, and a median that is 1 within its error, are not scaled.
 */
void scale_find(struct scale *scale, enum scaling scaling, const struct change *self, size_t n);

/** Set the limit of noise for `n` functions that are compared: of many counts, some change by
 * chance, so that the limit grows with their number. */
void scale_limit(struct scale *scale, double sigma, size_t n);

/** Return by how much a count grew, in counts after; negative if it shrank. */
static inline double change_amount(const struct scale *scale, struct change change) {
	return (double)change.after - scale->factor * (double)change.before;
}

/** Return the number of standard deviations of a change, if samples are random events (a Poisson
 * process). Return 0 if nothing was counted. */
double change_deviations(const struct scale *scale, struct change change);

/** Return whether a change is noise. */
bool change_is_noise(const struct scale *scale, struct change change);

#endif
