/* Comparing two profiles. */
#include "profile/compared.h"

#include <stdlib.h>

#include "base/num.h"
#include "base/sort.h"

/**
 * Number the functions that are called, from 1 on, by the ids of their names. Set `*n` to how many
 * they are. Ids may differ from run to run, so the numbers follow the names, if these are sorted,
 * or else the calls, which are in the order of names then: sums of fractions depend on the order.
 */
static uint32_t *compared_number_functions(const struct profile *profile, size_t *n) {
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

/** Number the functions that are called in the order of their names, which are not sorted. */
static uint32_t *compared_number_by_name(const struct profile *profile, size_t *n) {
	const struct calls *calls = &profile->calls;
	uint32_t names = names_count(&profile->names);
	uint32_t *numbers = mem_new(names, sizeof(*numbers));
	struct sort_item *items = mem_new(names, sizeof(*items));
	*n = 0;
	for (size_t i = 1; i < calls->n; i++) {
		uint32_t id = calls->items[i].name;
		if (numbers[id]++ == 0) {
			struct str name = profile_name(profile, id);
			items[(*n)++] = (struct sort_item){
				.bytes = name.p, .len = (uint32_t)name.n, .id = id};
		}
	}
	sort_bytes(items, *n);
	for (size_t i = 0; i < *n; i++) {
		numbers[items[i].id] = (uint32_t)i + 1;
	}
	free(items);
	return numbers;
}

/** Return the self counts of every function, and their number. The caller frees them. */
static struct change *compared_self_counts(const struct profile *profile, bool in_order,
					   size_t *n) {
	const struct calls *calls = &profile->calls;
	uint32_t *numbers = in_order ? compared_number_functions(profile, n)
				     : compared_number_by_name(profile, n);
	struct change *self = mem_new(*n, sizeof(*self));
	for (size_t i = 1; i < calls->n; i++) {
		struct change *change = &self[numbers[calls->items[i].name] - 1];
		change->before += calls_before(calls, i);
		change->after += calls->items[i].count;
	}
	free(numbers);
	return self;
}

void compared_add(struct compared *compared, struct profile *after) {
	profile_compare(&compared->profile, after);
}

void compared_measure(struct compared *compared, bool in_order) {
	size_t n;
	struct change *self = compared_self_counts(&compared->profile, in_order, &n);
	scale_find(&compared->scale, compared->scaling, self, n);
	scale_limit(&compared->scale, compared->sigma, n);
	free(self);
}

bool compared_find_totals(struct compared *compared) {
	const struct profile *profile = &compared->profile;
	struct change totals = {0};
	bool fits = profile_sum(profile, &totals.after);
	for (size_t i = 0; i < profile->calls.before_n && fits; i++) {
		fits = num_add(totals.before, profile->calls.before[i], &totals.before);
	}
	compared->scale = scale_of(totals);
	compared->scale.sample_before = profile_sample_before(profile, totals.before);
	compared->scale.sample_after = profile_sample(profile, totals.after);
	return fits;
}

void compared_add_scale(struct buf *out, const struct scale *scale) {
	const struct change *totals = &scale->totals;
	if (scale->factor != 1) {
		buf_add_text(out, "; counts before are scaled by ");
		buf_add_fixed(out, scale->factor, 4);
	} else if (scale->scaling == SCALE_MEDIAN && totals->before != totals->after) {
		buf_add_text(out, "; counts are not scaled");
	} else {
		return;
	}
	if (scale->scaling == SCALE_MEDIAN) {
		buf_printf(out, " (median of %zu functions)", scale->measured);
	} else {
		buf_add_text(out, " (ratio of the totals)");
	}
}

void compared_release(struct compared *compared) {
	profile_release(&compared->profile);
}
