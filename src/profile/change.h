/**
 * How something that was counted changed from one profile to another, and whether that says more
 * than chance does.
 */
#ifndef INFERNO_CHANGE_H
#define INFERNO_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What was counted in the earlier and in the later profile. */
struct change {
	uint64_t before, after;
};

/** What the counts of two profiles are measured by. */
struct yardstick {
	struct change totals;
	double sample_before, sample_after; // what a sample counts
	double scale; // of counts before, so that they compare with those after
	double sigma; // a change of fewer standard deviations is noise; 0: none is
};

/**
 * A yardstick for two profiles whose samples count 1. Counts before are scaled to the same total if
 * the totals differ by more than a hundredth, or else are taken as they are.
 */
struct yardstick yardstick_of(struct change totals, double sigma);

/** By how much it grew, in counts after; below 0 it shrank. */
double change_amount(const struct yardstick *yardstick, struct change change);

/**
 * How many standard deviations the change is: samples are taken as events that happen at random, a
 * Poisson process. 0 if nothing was counted.
 */
double change_deviations(const struct yardstick *yardstick, struct change change);

/** Whether a change that somebody looked for is noise. */
bool change_is_noise(const struct yardstick *yardstick, struct change change);

/**
 * Whether the change is noise if it is the most of `n` that were looked at: among many some change
 * by chance.
 */
bool change_is_noise_among(const struct yardstick *yardstick, struct change change, size_t n);

#endif
