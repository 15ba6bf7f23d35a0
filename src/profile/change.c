/* How a count changed, and whether that may be chance. */
#include "profile/change.h"

#include <math.h>

struct yardstick yardstick_of(struct change totals, double sigma) {
	const double alike = 0.01;
	double before = (double)totals.before, after = (double)totals.after;
	bool scaled = before > 0 && after > 0 && fabs(after - before) > alike * fmax(before, after);
	return (struct yardstick){
		.totals = totals,
		.sample_before = 1,
		.sample_after = 1,
		.scale = scaled ? after / before : 1,
		.sigma = sigma,
	};
}

double change_amount(const struct yardstick *yardstick, struct change change) {
	return (double)change.after - yardstick->scale * (double)change.before;
}

/** Return what a count adds to the deviance, a measure of its distance from the expected count. */
static double deviance_of(double count, double expected) {
	return count > 0 ? 2 * count * log(count / expected) : 0;
}

/*
 * By chance, each of n samples is in the later profile with the same probability: a binomial
 * distribution. Its exact sums would take too long. Of the two usual approximations, the score
 * overrates few samples in the shorter profile, and the deviance overrates few samples in profiles
 * of equal length. So the smaller one is used.
 */
double change_deviations(const struct yardstick *yardstick, struct change change) {
	double before = (double)change.before / yardstick->sample_before; // in samples
	double after = (double)change.after / yardstick->sample_after;
	double ratio = yardstick->scale * yardstick->sample_before / yardstick->sample_after;
	double n = before + after, share = ratio / (1 + ratio), rest = 1 / (1 + ratio);
	if (n <= 0) {
		return 0;
	}
	double score = fabs(after - n * share) / sqrt(n * share * rest);
	double deviance = deviance_of(before, n * rest) + deviance_of(after, n * share);
	return copysign(fmin(score, sqrt(fmax(deviance, 0))), change_amount(yardstick, change));
}

bool change_is_noise(const struct yardstick *yardstick, struct change change) {
	return yardstick->sigma > 0 &&
	       fabs(change_deviations(yardstick, change)) < yardstick->sigma;
}

/** Return the probability that chance alone gives this many standard deviations or more. */
static double chance_of(double deviations) {
	return erfc(fabs(deviations) / sqrt(2));
}

bool change_is_noise_among(const struct yardstick *yardstick, struct change change, size_t n) {
	if (yardstick->sigma <= 0) {
		return false;
	}
	// Of n unchanged functions, at least one seems to change with at most n times the
	// probability.
	double chance = chance_of(change_deviations(yardstick, change)) * (double)n;
	return chance > chance_of(yardstick->sigma);
}
