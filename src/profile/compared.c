/* Comparing two profiles. */
#include "profile/compared.h"

#include <stdlib.h>

/**
 * Number the functions that are called, from 1 on, by the ids of their names. Set `*n` to how many
 * they are. Ids may differ from run to run, so the numbers follow the names, if these are sorted,
 * or else the calls, which are in the order of names then: sums of fractions depend on the order.
 */
static uint32_t *number_functions(const struct profile *profile, size_t *n) {
	const struct calls *calls = &profile->calls;
	uint32_t names = names_count(&profile->names);
	uint32_t *numbers = mem_new(names, sizeof(*numbers));
	*n = 0;
	for (size_t i = 1; i < calls->n; i++) {
		uint32_t *number = &numbers[calls->items[i].name];
		*number = *number > 0 ? *number : (uint32_t)++ * n;
	}
	uint32_t sorted = 0;
	for (uint32_t id = 0; id < names && profile->names.sorted != NULL; id++) {
		numbers[id] = numbers[id] > 0 ? ++sorted : 0;
	}
	return numbers;
}

/** Return the own counts of every function, and their number. The caller frees them. */
static struct change *own_counts(const struct profile *profile, size_t *n) {
	const struct calls *calls = &profile->calls;
	uint32_t *numbers = number_functions(profile, n);
	struct change *own = mem_new(*n, sizeof(*own));
	for (size_t i = 1; i < calls->n; i++) {
		struct change *change = &own[numbers[calls->items[i].name] - 1];
		change->before += calls_before(calls, i);
		change->after += calls->items[i].count;
	}
	free(numbers);
	return own;
}

void compared_make(struct compared *compared, struct profile *after, enum scaling scaling,
		   double sigma) {
	size_t n;
	struct profile *profile = &compared->profile;
	profile_compare(profile, after);
	profile_sort_names(profile);
	struct change *own = own_counts(profile, &n);
	yardstick_scale(&compared->yardstick, scaling, own, n);
	yardstick_limit(&compared->yardstick, sigma, n);
	free(own);
	tree_compare(&compared->tree, profile, &compared->yardstick);
}

void compared_add_scale(struct buf *out, const struct yardstick *yardstick) {
	const struct change *totals = &yardstick->totals;
	if (yardstick->scale != 1) {
		buf_add_text(out, "; counts before are scaled by ");
		buf_add_fixed(out, yardstick->scale, 4);
	} else if (yardstick->scaling == SCALE_MEDIAN && totals->before != totals->after) {
		buf_add_text(out, "; counts are not scaled");
	} else {
		return;
	}
	if (yardstick->scaling == SCALE_MEDIAN) {
		buf_printf(out, " (median of %zu functions)", yardstick->measured);
	} else {
		buf_add_text(out, " (ratio of the totals)");
	}
}

void compared_release(struct compared *compared) {
	tree_release(&compared->tree);
	profile_release(&compared->profile);
}
