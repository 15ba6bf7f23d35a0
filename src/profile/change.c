/* How something that was counted changed, and whether that says more than chance does. */
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

/** What a count adds to the deviance: how far it is from what is expected. */
static double deviance_of(double count, double expected) {
	return count > 0 ? 2 * count * log(count / expected) : 0;
}

/*
 * Of n samples in all, chance puts each into the later profile with the same probability: a
 * binomial distribution. Its exact sums are not worth their time. Of the two usual approximations,
 * the score is too sure of few samples in the shorter profile, the deviance of few in profiles of
 * equal length; so the smaller is taken.
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

/** How probable it is that chance alone gives so many standard deviations, or more. */
static double chance_of(double deviations) {
	return erfc(fabs(deviations) / sqrt(2));
}

bool change_is_noise_among(const struct yardstick *yardstick, struct change change, size_t n) {
	if (yardstick->sigma <= 0) {
		return false;
	}
	// Of n that do not change, one or more seem to with n times the probability, at the most.
	double chance = chance_of(change_deviations(yardstick, change)) * (double)n;
	return chance > chance_of(yardstick->sigma);
}
