/* Comparing two profiles. */
#include "profile/compared.h"

#include <stdlib.h>

/** Return the own counts of every function, and their number. The caller frees them. */
static struct change *own_counts(const struct profile *profile, size_t *n) {
	const struct calls *calls = &profile->calls;
	struct change *own = mem_new(profile->names.table.count, sizeof(*own));
	bool *called = mem_new(profile->names.table.count, sizeof(*called));
	*n = 0;
	for (size_t i = 1; i < calls->n; i++) {
		uint32_t name = calls->items[i].name;
		own[name].before += calls_before(calls, i);
		own[name].after += calls->items[i].count;
		called[name] = true;
	}
	for (size_t id = 0; id < profile->names.table.count; id++) {
		own[*n] = own[id];
		*n += called[id];
	}
	free(called);
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
