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

double change_deviations(const struct yardstick *yardstick, struct change change) {
	double scale = yardstick->scale;
	double variance = yardstick->sample_after * (double)change.after +
			  scale * scale * yardstick->sample_before * (double)change.before;
	return variance > 0 ? change_amount(yardstick, change) / sqrt(variance) : 0;
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
