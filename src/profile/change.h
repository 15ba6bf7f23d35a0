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

/** The scales to compare two profiles with. */
struct yardstick {
	struct change totals;
	double sample_before, sample_after; // count of one sample
	double scale; // multiply counts before by it to compare them with counts after
	double sigma; // a change of fewer standard deviations is noise; 0: no change is noise
};

/** Return the yardstick of two profiles in which each sample counts 1. If the totals differ by more
 * than 1 %, counts before are scaled to the total after. */
struct yardstick yardstick_of(struct change totals, double sigma);

/** Return by how much a count grew, in counts after; negative if it shrank. */
double change_amount(const struct yardstick *yardstick, struct change change);

/** Return the number of standard deviations of a change, if samples are random events (a Poisson
 * process). Return 0 if nothing was counted. */
double change_deviations(const struct yardstick *yardstick, struct change change);

/** Return whether one given change is noise. */
bool change_is_noise(const struct yardstick *yardstick, struct change change);

/** Return whether the largest of `n` changes is noise. Of many counts, some change by chance, so
 * the limit grows with `n`. */
bool change_is_noise_among(const struct yardstick *yardstick, struct change change, size_t n);

#endif
