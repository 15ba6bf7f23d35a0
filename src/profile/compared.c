/* Compare two profiles. */
#include "profile/compared.h"

#include "base/num.h"

void compared_add(struct compared *compared, struct profile *after) {
	profile_compare(&compared->profile, after);
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
	buf_add_text(out, " (");
	compared_add_reason(out, scale);
	buf_add_text(out, ")");
}

void compared_add_reason(struct buf *out, const struct scale *scale) {
	if (scale->scaling == SCALE_MEDIAN) {
		buf_printf(out, "median of %zu functions", scale->measured);
	} else if (scale->scaling == SCALE_TOTAL) {
		buf_add_text(out, "ratio of the totals");
	}
}

void compared_release(struct compared *compared) {
	profile_release(&compared->profile);
}
