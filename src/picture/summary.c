/* The picture in a sentence or two: the total, and the functions with the highest counts. */
#include "picture/summary.h"

#include <stdlib.h>

#include "analysis/functions.h"
#include "base/num.h"
#include "picture/escape.h"

enum { MOST = 5 }; // number of functions that are named

/** Return whether a function has a higher count than another, or the same count and a name that
 * sorts first. */
static bool summary_comes_before(const struct profile *profile, const struct change *self, size_t a,
				 size_t b) {
	return self[a].after > self[b].after ||
	       (self[a].after == self[b].after &&
		str_compare(profile_name(profile, (uint32_t)a),
			    profile_name(profile, (uint32_t)b)) < 0);
}

/** Find the functions with the highest counts, highest first. Return the number of functions, which
 * is at most MOST. Leave out functions with a count of 0. */
static size_t summary_find_most(size_t *most, const struct profile *profile,
				const struct change *self) {
	size_t found = 0;
	for (size_t id = 0; id < names_count(&profile->names); id++) {
		size_t at = found;
		while (at > 0 && summary_comes_before(profile, self, id, most[at - 1])) {
			at--;
		}
		if (self[id].after == 0 || at == MOST) {
			continue;
		}
		found += found < MOST;
		memmove(&most[at + 1], &most[at], (found - at - 1) * sizeof(*most));
		most[at] = id;
	}
	return found;
}

static void summary_write_count(struct output *out, const struct picture *picture, uint64_t count) {
	char digits[UNIT_MAX];
	uint64_t shown = design_count(&picture->design, count);
	output_add(out, digits, unit_format(digits, &picture->unit, shown));
}

/** Write the words before the list of functions with the highest counts. */
static void summary_write_most_of(struct output *out, const struct picture *picture) {
	const struct unit *unit = &picture->unit;
	output_add_text(out, " Functions with most ");
	escape_xml(out, unit->kind == UNIT_TIME    ? STR("time")
			: unit->kind == UNIT_BYTES ? STR("bytes")
						   : unit->subject);
	output_add_text(out, " of their own: ");
}

static void summary_write_function(struct output *out, const struct picture *picture, size_t id,
				   uint64_t self) {
	struct str label = tree_label(profile_name(picture->profile, (uint32_t)id));
	char digits[NUM_FIXED_MAX];
	escape_xml(out, label.n == 0 ? STR("(no name)") : label);
	output_add_char(out, ' ');
	summary_write_count(out, picture, self);
	output_add_text(out, " (");
	double share = 100 * (double)self / (double)picture->total;
	output_add(out, digits, num_format_fixed(digits, share, 2));
	output_add_text(out, "%)");
}

void summary_write(struct output *out, const struct picture *picture) {
	summary_write_count(out, picture, picture->total);
	output_add_text(out, unit_is_spaced(&picture->unit) ? " " : "");
	escape_xml(out, picture->unit.subject);
	output_add_text(out, " in all.");

	size_t most[MOST];
	struct tree widths = *picture->tree;
	widths.changes = NULL; // in a comparison, use the widths of frames as counts
	struct change *self = functions_self(picture->profile, &widths, picture->design.reverse);
	size_t found = summary_find_most(most, picture->profile, self);
	if (found > 0) {
		summary_write_most_of(out, picture);
	}
	for (size_t i = 0; i < found; i++) {
		output_add_text(out, i == 0 ? "" : ", ");
		summary_write_function(out, picture, most[i], self[most[i]].after);
	}
	output_add_text(out, found > 0 ? "." : "");
	free(self);
}
