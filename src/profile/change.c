/* How a count changed, and whether that may be chance. */
#include "profile/change.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

const char *const scalings[] = {"median", "total", "none", NULL};

struct yardstick yardstick_of(struct change totals) {
	return (struct yardstick){
		.totals = totals,
		.sample_before = 1,
		.sample_after = 1,
		.scaling = SCALE_NONE,
		.scale = 1,
	};
}

/* --- The scale ------------------------------------------------------------------------------ */

static void scale_by_totals(struct yardstick *yardstick) {
	const double alike = 0.01;
	double before = (double)yardstick->totals.before, after = (double)yardstick->totals.after;
	bool differ = before > 0 && after > 0 && fabs(after - before) > alike * fmax(before, after);
	yardstick->scaling = SCALE_TOTAL;
	yardstick->scale = differ ? after / before : 1;
}

/** By how much a function grew, and how much that says about all. */
struct ratio {
	double grew, weight;
};

/** The ratios of the functions that have enough samples. */
struct ratios {
	struct ratio *items;
	size_t n;
	double weight, before, after; // sums; the latter two in samples
};

/*
 * A function has enough samples if five can be expected on each side. Its samples on both sides
 * together tell, as they do not depend on how it changed. The square root as a weight keeps one
 * large function from deciding for all.
 */
static void add_ratio(struct ratios *ratios, const struct yardstick *yardstick, struct change own) {
	const double least = 5;
	double all_before = (double)yardstick->totals.before / yardstick->sample_before;
	double all_after = (double)yardstick->totals.after / yardstick->sample_after;
	double smaller = fmin(all_before, all_after) / (all_before + all_after);
	double before = (double)own.before / yardstick->sample_before;
	double after = (double)own.after / yardstick->sample_after;
	if ((before + after) * smaller >= least) {
		double grew = own.before > 0 ? (double)own.after / (double)own.before : HUGE_VAL;
		struct ratio ratio = {grew, sqrt(before + after)};
		ratios->items[ratios->n++] = ratio;
		ratios->weight += ratio.weight;
		ratios->before += before;
		ratios->after += after;
	}
}

static int compare_ratios(const void *a, const void *b) {
	double x = ((const struct ratio *)a)->grew, y = ((const struct ratio *)b)->grew;
	return (x > y) - (x < y);
}

/** Return the ratio that has half of the weight before it and half after it. */
static double median_of(const struct ratios *ratios) {
	double sum = 0;
	qsort(ratios->items, ratios->n, sizeof(*ratios->items), compare_ratios);
	for (size_t i = 0; i < ratios->n; i++) {
		sum += ratios->items[i].weight;
		if (2 * sum >= ratios->weight) {
			return ratios->items[i].grew;
		}
	}
	return HUGE_VAL;
}

/** Return false if there are too few functions for a median. */
static bool scale_by_median(struct yardstick *yardstick, const struct change *own, size_t n) {
	enum { LEAST = 5 };
	struct ratios ratios = {.items = mem_new(n, sizeof(*ratios.items))};
	for (size_t i = 0; i < n; i++) {
		add_ratio(&ratios, yardstick, own[i]);
	}
	double median = median_of(&ratios);
	free(ratios.items);
	if (ratios.n < LEAST || !(median > 0) || !isfinite(median)) {
		return false;
	}
	yardstick->scaling = SCALE_MEDIAN;
	yardstick->measured = ratios.n;
	// The error of a median, if the logarithm of each ratio has a normal distribution.
	yardstick->scale_error = sqrt(acos(-1) / 2 * (1 / ratios.before + 1 / ratios.after));
	yardstick->scale = fabs(median - 1) <= yardstick->scale_error ? 1 : median;
	return true;
}

void yardstick_scale(struct yardstick *yardstick, enum scaling scaling, const struct change *own,
		     size_t n) {
	if (scaling == SCALE_TOTAL ||
	    (scaling == SCALE_MEDIAN && !scale_by_median(yardstick, own, n))) {
		scale_by_totals(yardstick);
	}
}

/* --- Noise ---------------------------------------------------------------------------------- */

/** Return the probability that chance alone gives this many standard deviations or more. */
static double chance_of(double deviations) {
	return erfc(fabs(deviations) / sqrt(2));
}

/** Of n unchanged functions, at least one seems to change with at most n times the probability of
 * one. So the limit is where a single function has an n-th of the probability. */
void yardstick_limit(struct yardstick *yardstick, double sigma, size_t n) {
	enum { HALVINGS = 60 };
	const double most = 40; // the probability is too small for a double
	double from = sigma, to = fmax(sigma, most);
	yardstick->sigma = sigma;
	for (int i = 0; i < HALVINGS && n > 1; i++) {
		double middle = (from + to) / 2;
		if (chance_of(middle) * (double)n > chance_of(sigma)) {
			from = middle;
		} else {
			to = middle;
		}
	}
	yardstick->limit = sigma > 0 ? from : 0;
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
	// The scale is not known exactly, which matters for large counts.
	double error = yardstick->scale_error * sqrt(n * share * rest);
	return copysign(fmin(score, sqrt(fmax(deviance, 0))) / hypot(1, error),
			change_amount(yardstick, change));
}

bool change_is_noise(const struct yardstick *yardstick, struct change change) {
	return fabs(change_deviations(yardstick, change)) < yardstick->limit;
}
