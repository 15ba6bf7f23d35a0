/* Arrange one or two profiles for the exporters. */
#include "analysis/view.h"

#include <stdlib.h>

#include "analysis/functions.h"

/** Set `sum` and `total` of a view. Return 0, or -1 after diag_error(). */
static int view_find_total(struct view *view, struct diag *diag) {
	uint64_t wanted = view->transform->total;
	if (!profile_sum(view->profile, &view->sum)) {
		return diag_error_sum(diag, NULL);
	}
	view->total = view->sum;
	if (!view->transform->has_total || view->sum == 0) {
		return 0;
	}
	if (wanted < view->sum) {
		return diag_warn(diag, "--total %llu is less than the sum of the counts, %llu",
				 (unsigned long long)wanted, (unsigned long long)view->sum);
	}
	view->total = wanted;
	return 0;
}

/** Build the tree of two profiles. */
static void view_arrange_two(struct view *view) {
	struct scale *scale = &view->compared->scale;
	tree_compare(&view->built, view->profile, scale);
	bool any = view->built.n > 0;
	scale->totals = any ? view->built.changes[0].total : (struct change){0};
	view->total = view->sum = any ? view->built.totals[0] : 0;
}

/** Return the number of distinct functions in the stacks of a profile. */
static size_t view_count_functions(const struct profile *profile) {
	bool *called = mem_new(names_count(&profile->names), sizeof(*called));
	size_t n = 0;
	for (size_t i = 1; i < profile->calls.n; i++) {
		n += !called[profile->calls.items[i].name];
		called[profile->calls.items[i].name] = true;
	}
	free(called);
	return n;
}

void view_measure(struct compared *compared) {
	const struct profile *profile = &compared->profile;
	struct change *self = functions_self(profile, NULL, false);
	scale_find(&compared->scale, compared->scaling, self, names_count(&profile->names));
	scale_limit(&compared->scale, compared->sigma, view_count_functions(profile));
	free(self);
}

/** Refuse a flame chart that takes far more memory than its input. */
static int view_check_chart(const struct profile *profile, struct diag *diag) {
	const struct timeline *timeline = &profile->timeline;
	bool large = profile->too_large ||
		     (timeline->most != 0 &&
		      timeline_size(timeline) + tree_size_of_rows(timeline) > timeline->most);
	return large ? diag_error(diag,
				  "there are too many stacks for a flame chart, or they are too "
				  "deep; leave out --flamechart and --no-sort; if the input is "
				  "compressed and you trust it, unpack it first")
		     : 0;
}

int view_arrange(struct view *view, struct diag *diag) {
	static const struct transform none = {0};
	if (view->tree != NULL) {
		return 0;
	}
	view->transform = view->transform == NULL ? &none : view->transform;
	if (view->compared != NULL) {
		view_measure(view->compared); // measure first: the scale is computed from all
					      // stacks
	}
	if (transform_apply(view->transform, view->profile, diag) != 0) {
		return -1;
	}
	if (view->compared != NULL) {
		view_arrange_two(view);
	} else if (view_check_chart(view->profile, diag) == 0 && view_find_total(view, diag) == 0) {
		tree_build(&view->built, view->profile, view->total);
	} else {
		return -1;
	}
	view->tree = &view->built;
	return 0;
}

const struct sites *view_sites(const struct view *view) {
	const struct sites *sites = view->profile->sites;
	const struct transform *transform = view->transform;
	uint64_t sum = 0;
	if (sites == NULL || !sites->finished || view->compared != NULL ||
	    transform->base != NULL || transform->reverse || transform->marks_wakers) {
		return NULL;
	}
	for (uint32_t i = 0; i < sites->stacks.table.count; i++) {
		sum += stacks_count(&sites->stacks, i); // this cannot overflow, because it is at
							// most the sum of the view
	}
	return sum == view->sum ? sites : NULL;
}

void view_release(struct view *view) {
	tree_release(&view->built);
}
