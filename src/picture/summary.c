/* The picture in a sentence or two: the total, and the functions with the highest counts. */
#include "picture/summary.h"

#include <stdlib.h>

#include "base/num.h"
#include "picture/escape.h"

enum { MOST = 5 }; // functions that are named

/** A function and its self count, without that of its callees. */
struct summary_function {
	uint32_t id;
	uint64_t self;
};

/**
 * Return the self count of each function, by id. After --reverse, the frames on the root are the
 * leaves of the stacks, so their totals are the self counts. The caller releases it with free().
 */
static uint64_t *summary_self_counts(const struct picture *picture, size_t *n) {
	const struct tree *tree = picture->tree;
	*n = picture->profile->names.table.count;
	uint64_t *self = mem_new(*n, sizeof(*self));
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		if (picture->design.reverse) {
			self[frame->name] += frame->depth == 1 ? tree->totals[i] : 0;
		} else if (frame->count > 0) {
			self[frame->name] += frame->depth > 0 ? frame->count : 0;
		}
	}
	return self;
}

/** Return whether a function has a higher count than another, or the same and a name that comes
 * first. */
static bool summary_comes_before(const struct profile *profile, struct summary_function a,
				 struct summary_function b) {
	return a.self > b.self ||
	       (a.self == b.self &&
		str_compare(profile_name(profile, a.id), profile_name(profile, b.id)) < 0);
}

/** Find the functions with the highest counts, highest first. Return how many, at most MOST, all
 * above 0. */
static size_t summary_find_most(struct summary_function *most, const struct profile *profile,
				const uint64_t *self, size_t n) {
	size_t found = 0;
	for (size_t id = 0; id < n; id++) {
		struct summary_function function = {(uint32_t)id, self[id]};
		size_t at = found;
		while (at > 0 && function.self >= most[at - 1].self &&
		       summary_comes_before(profile, function, most[at - 1])) {
			at--;
		}
		if (self[id] == 0 || at == MOST) {
			continue;
		}
		found += found < MOST;
		memmove(&most[at + 1], &most[at], (found - at - 1) * sizeof(*most));
		most[at] = function;
	}
	return found;
}

static void summary_write_count(struct output *out, const struct picture *picture, uint64_t count) {
	char digits[UNIT_MAX];
	uint64_t shown = design_count(&picture->design, count);
	output_add(out, digits, unit_format(digits, &picture->unit, shown));
}

/** Write what the functions with the highest counts have most of. */
static void summary_write_most_of(struct output *out, const struct picture *picture) {
	const struct unit *unit = &picture->unit;
	output_add_text(out, " Functions with most ");
	escape_xml(out, unit->kind == UNIT_TIME    ? STR("time")
			: unit->kind == UNIT_BYTES ? STR("bytes")
						   : unit->subject);
	output_add_text(out, " of their own: ");
}

static void summary_write_function(struct output *out, const struct picture *picture,
				   const struct summary_function *function) {
	struct str label = tree_label(profile_name(picture->profile, function->id));
	char digits[NUM_FIXED_MAX];
	escape_xml(out, label.n == 0 ? STR("(no name)") : label);
	output_add_char(out, ' ');
	summary_write_count(out, picture, function->self);
	output_add_text(out, " (");
	double share = 100 * (double)function->self / (double)picture->total;
	output_add(out, digits, num_format_fixed(digits, share, 2));
	output_add_text(out, "%)");
}

void summary_write(struct output *out, const struct picture *picture) {
	summary_write_count(out, picture, picture->total);
	output_add_text(out, unit_is_spaced(&picture->unit) ? " " : "");
	escape_xml(out, picture->unit.subject);
	output_add_text(out, " in all.");

	struct summary_function most[MOST];
	size_t n;
	uint64_t *self = summary_self_counts(picture, &n);
	size_t found = summary_find_most(most, picture->profile, self, n);
	free(self);
	if (found == 0) {
		return;
	}
	summary_write_most_of(out, picture);
	for (size_t i = 0; i < found; i++) {
		output_add_text(out, i == 0 ? "" : ", ");
		summary_write_function(out, picture, &most[i]);
	}
	output_add_char(out, '.');
}
