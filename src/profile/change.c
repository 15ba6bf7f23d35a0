/* Compute how a count changed, and whether the change may be chance. */
#include "profile/change.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

const char *const scalings[] = {"median", "total", "none", NULL};

struct scale scale_of(struct change totals) {
	return (struct scale){
		.totals = totals,
		.sample_before = 1,
		.sample_after = 1,
		.scaling = SCALE_NONE,
		.factor = 1,
	};
}

/* --- The scale ------------------------------------------------------------------------------ */

static void change_scale_by_totals(struct scale *scale) {
	const double alike = 0.01;
	double before = (double)scale->totals.before, after = (double)scale->totals.after;
	bool differ = before > 0 && after > 0 && fabs(after - before) > alike * fmax(before, after);
	scale->scaling = SCALE_TOTAL;
	scale->factor = differ ? after / before : 1;
}

/** The ratio of a function's later to its earlier count, and the weight of this ratio. */
struct ratio {
	double grew, weight;
};

/** The ratios of the functions that have enough samples. */
struct ratios {
	struct ratio *items;
	size_t n;
	struct change sum; // sums of the counts
};

/*
 * A function has enough samples if at least five can be expected in each profile. The expected
 * number is computed from the function's samples in both profiles together, because this sum does
 * not depend on the change. The weight of a ratio is the square root of the number of samples, so
 * that one large function does not determine the median alone.
 */
static void change_add_ratio(struct ratios *ratios, const struct scale *scale, struct change self) {
	const double least = 5;
	double all_before = (double)scale->totals.before / scale->sample_before;
	double all_after = (double)scale->totals.after / scale->sample_after;
	double smaller = fmin(all_before, all_after) / (all_before + all_after);
	double before = (double)self.before / scale->sample_before;
	double after = (double)self.after / scale->sample_after;
	if ((before + after) * smaller >= least) {
		double grew = self.before > 0 ? (double)self.after / (double)self.before : HUGE_VAL;
		ratios->items[ratios->n++] = (struct ratio){grew, sqrt(before + after)};
		ratios->sum.before += self.before;
		ratios->sum.after += self.after;
	}
}

static int change_compare_ratios(const void *a, const void *b) {
	const struct ratio *x = a, *y = b;
	return x->grew != y->grew ? (x->grew > y->grew ? 1 : -1)
				  : (x->weight > y->weight) - (x->weight < y->weight);
}

/** Return the weighted median: half of the weight belongs to smaller ratios, and half to larger
 * ratios. Add the weights in the order of the ratios: the sum of fractions depends on the order,
 * and the order of the functions' ids could differ from run to run. */
static double change_median_of(const struct ratios *ratios) {
	double sum = 0, weight = 0;
	qsort(ratios->items, ratios->n, sizeof(*ratios->items), change_compare_ratios);
	for (size_t i = 0; i < ratios->n; i++) {
		weight += ratios->items[i].weight;
	}
	for (size_t i = 0; i < ratios->n; i++) {
		sum += ratios->items[i].weight;
		if (2 * sum >= weight) {
			return ratios->items[i].grew;
		}
	}
	return HUGE_VAL;
}

/** Set the factor to the median ratio, or to 1 if the median differs from 1 by no more than its
 * standard error. Return false if there are too few functions for a median, or if the median is 0
 * or infinite. */
static bool change_scale_by_median(struct scale *scale, const struct change *self, size_t n) {
	enum { LEAST = 5 };
	struct ratios ratios = {.items = mem_new(n, sizeof(*ratios.items))};
	for (size_t i = 0; i < n; i++) {
		change_add_ratio(&ratios, scale, self[i]);
	}
	double median = change_median_of(&ratios);
	free(ratios.items);
	if (ratios.n < LEAST || !(median > 0) || !isfinite(median)) {
		return false;
	}
	scale->scaling = SCALE_MEDIAN;
	scale->measured = ratios.n;
	// Compute the standard error of the median. The formula assumes that the logarithms of the
	// ratios have a normal distribution.
	scale->error = sqrt(acos(-1) / 2 *
			    (scale->sample_before / (double)ratios.sum.before +
			     scale->sample_after / (double)ratios.sum.after));
	scale->factor = fabs(median - 1) <= scale->error ? 1 : median;
	return true;
}

void scale_find(struct scale *scale, enum scaling scaling, const struct change *self, size_t n) {
	if (scaling == SCALE_TOTAL ||
	    (scaling == SCALE_MEDIAN && !change_scale_by_median(scale, self, n))) {
		change_scale_by_totals(scale);
	}
}

/* --- Noise ---------------------------------------------------------------------------------- */

/** Return the probability that chance causes a deviation of at least `deviations` standard
 * deviations. */
static double change_chance_of(double deviations) {
	return erfc(fabs(deviations) / sqrt(2));
}

/** Set the limit for `n` functions. The probability that at least one of n unchanged functions
 * seems to change is at most n times the probability for one function. So use the limit at which
 * the probability for one function is an nth of the probability at `sigma`. */
void scale_limit(struct scale *scale, double sigma, size_t n) {
	enum { HALVINGS = 60 };
	const double most = 40; // the probability at 40 standard deviations is too small for a
				// double
	double from = sigma, to = fmax(sigma, most);
	scale->sigma = sigma;
	for (int i = 0; i < HALVINGS && n > 1; i++) {
		double middle = (from + to) / 2;
		if (change_chance_of(middle) * (double)n > change_chance_of(sigma)) {
			from = middle;
		} else {
			to = middle;
		}
	}
	scale->limit = sigma > 0 ? from : 0;
}

/** Return the contribution of a count to the deviance, a statistic that measures the distance from
 * the expected counts. */
static double change_deviance_of(double count, double expected) {
	return count > 0 ? 2 * count * log(count / expected) : 0;
}

/*
 * If a function did not change, each of its n samples is in the later profile with the same
 * probability. So the number of its samples in the later profile has a binomial distribution. Exact
 * sums of this distribution would take too long. Two usual approximations are the score and the
 * deviance. The score is too large if the shorter profile has few samples. The deviance is too
 * large if two profiles of equal length have few samples. So use the smaller value.
 */
double change_deviations(const struct scale *scale, struct change change) {
	double before = (double)change.before / scale->sample_before; // in samples
	double after = (double)change.after / scale->sample_after;
	double ratio = scale->factor * scale->sample_before / scale->sample_after;
	double n = before + after, share = ratio / (1 + ratio), rest = 1 / (1 + ratio);
	if (n <= 0) {
		return 0;
	}
	double score = fabs(after - n * share) / sqrt(n * share * rest);
	double deviance =
		change_deviance_of(before, n * rest) + change_deviance_of(after, n * share);
	// Include the error of the scale factor. This error is important for large counts.
	double error = scale->error * sqrt(n * share * rest);
	return copysign(fmin(score, sqrt(fmax(deviance, 0))) / hypot(1, error),
			change_amount(scale, change));
}

bool change_is_noise(const struct scale *scale, struct change change) {
	return fabs(change_deviations(scale, change)) < scale->limit;
}
