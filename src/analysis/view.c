/* One or two profiles, arranged once. */
#include "analysis/view.h"

/** Find the sum of the counts and the count of the root. Return 0, or -1 after diag_error(). */
static int find_total(struct view *view, struct diag *diag) {
	uint64_t wanted = view->transform->total;
	if (!profile_sum(view->profile, &view->sum)) {
		return diag_error(diag,
				  "the counts are too large: their sum does not fit into 64 bits");
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

int view_arrange(struct view *view, struct diag *diag) {
	static const struct transform none = {0};
	if (view->tree != NULL) {
		return 0;
	}
	if (view->compared != NULL) {
		view->tree = &view->compared->tree;
		view->total = view->sum = view->tree->n == 0 ? 0 : view->tree->totals[0];
		return 0;
	}
	view->transform = view->transform == NULL ? &none : view->transform;
	if (transform_apply(view->transform, view->profile, diag) != 0 ||
	    find_total(view, diag) != 0) {
		return -1;
	}
	tree_build(&view->built, view->profile, view->total);
	view->tree = &view->built;
	return 0;
}

void view_release(struct view *view) {
	tree_release(&view->built);
}
