/* The picture in a sentence or two: the total, and the functions with the highest counts. */
#include "plot/summary.h"

#include <stdlib.h>

#include "base/num.h"
#include "plot/escape.h"

enum { MOST = 5 }; // functions that are named

/** A function and its own count, without that of its callees. */
struct function {
	uint32_t id;
	uint64_t own;
};

/**
 * Return the own count of each function, by id. After --reverse, the frames on the root are the
 * leaves of the stacks, so their totals are the own counts. The caller releases it with free().
 */
static uint64_t *own_counts(const struct picture *picture, size_t *n) {
	const struct tree *tree = picture->tree;
	*n = picture->profile->names.table.count;
	uint64_t *own = mem_new(*n, sizeof(*own));
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		if (picture->design.reverse) {
			own[frame->name] += frame->depth == 1 ? tree->totals[i] : 0;
		} else if (frame->count > 0) {
			own[frame->name] += frame->depth > 0 ? frame->count : 0;
		}
	}
	return own;
}

/** Return whether a function has a higher count than another, or the same and a name that comes
 * first. */
static bool comes_before(const struct profile *profile, struct function a, struct function b) {
	return a.own > b.own || (a.own == b.own && str_compare(profile_name(profile, a.id),
							       profile_name(profile, b.id)) < 0);
}

/** Find the functions with the highest counts, highest first. Return how many, at most MOST, all
 * above 0. */
static size_t find_most(struct function *most, const struct profile *profile, const uint64_t *own,
			size_t n) {
	size_t found = 0;
	for (size_t id = 0; id < n; id++) {
		struct function function = {(uint32_t)id, own[id]};
		size_t at = found;
		while (at > 0 && function.own >= most[at - 1].own &&
		       comes_before(profile, function, most[at - 1])) {
			at--;
		}
		if (own[id] == 0 || at == MOST) {
			continue;
		}
		found += found < MOST;
		memmove(&most[at + 1], &most[at], (found - at - 1) * sizeof(*most));
		most[at] = function;
	}
	return found;
}

static void write_count(struct output *out, const struct picture *picture, uint64_t count) {
	char digits[UNIT_MAX];
	uint64_t shown = design_count(&picture->design, count);
	output_add(out, digits, unit_format(digits, &picture->unit, shown));
}

/** Write what the functions with the highest counts have most of. */
static void write_most_of(struct output *out, const struct picture *picture) {
	const struct unit *unit = &picture->unit;
	output_add_text(out, " Functions with most ");
	escape_xml(out, unit->kind == UNIT_TIME    ? STR("time")
			: unit->kind == UNIT_BYTES ? STR("bytes")
						   : unit->subject);
	output_add_text(out, " of their own: ");
}

static void write_function(struct output *out, const struct picture *picture,
			   const struct function *function) {
	struct str label = tree_label(profile_name(picture->profile, function->id));
	char digits[NUM_FIXED_MAX];
	escape_xml(out, label.n == 0 ? STR("(no name)") : label);
	output_add_char(out, ' ');
	write_count(out, picture, function->own);
	output_add_text(out, " (");
	double share = 100 * (double)function->own / (double)picture->total;
	output_add(out, digits, num_format_fixed(digits, share, 2));
	output_add_text(out, "%)");
}

void summary_write(struct output *out, const struct picture *picture) {
	write_count(out, picture, picture->total);
	output_add_text(out, unit_is_spaced(&picture->unit) ? " " : "");
	escape_xml(out, picture->unit.subject);
	output_add_text(out, " in all.");

	struct function most[MOST];
	size_t n;
	uint64_t *own = own_counts(picture, &n);
	size_t found = find_most(most, picture->profile, own, n);
	free(own);
	if (found == 0) {
		return;
	}
	write_most_of(out, picture);
	for (size_t i = 0; i < found; i++) {
		output_add_text(out, i == 0 ? "" : ", ");
		write_function(out, picture, &most[i]);
	}
	output_add_char(out, '.');
}
