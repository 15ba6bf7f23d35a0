/* The parts that only a picture of two profiles has. */
#include "picture/compare.h"

#include <math.h>

#include "base/num.h"
#include "base/utf8.h"
#include "picture/escape.h"

#define MINUS "\xe2\x88\x92" // U+2212, as wide as a plus sign

/**
 * Return the fill for a change. The step of the shade is the change as a share of the frame,
 * because the width of the frame already shows its share of the whole.
 */
static struct fill compare_fill_of_change(const struct scale *scale, struct change change) {
	double before = scale->factor * (double)change.before;
	double amount = change_amount(scale, change);
	struct fill fill = shade_neutral();
	if (fabs(amount) < 0.5 || change_is_noise(scale, change)) {
		return fill;
	}
	double share = fabs(amount) / fmax(before, (double)change.after);
	int step = shade_step(share, (const double[]){CHANGE_STEPS});
	fill.shade = (uint8_t)(change.before == 0  ? SHADE_NEW
			       : change.after == 0 ? SHADE_GONE
			       : amount > 0        ? SHADE_GREW + step
						   : SHADE_SHRANK + step);
	return fill;
}

struct fill compare_fill(const struct picture *picture, const struct call_item *frame) {
	const struct tree_change *change = &picture->tree->changes[frame - picture->tree->frames];
	return frame->depth == 0
		       ? shade_neutral()
		       : compare_fill_of_change(&picture->compared->scale,
						picture->by_self ? change->self : change->total);
}

void compare_paint(struct layout *layout, const struct picture *picture) {
	for (size_t i = 0; i < layout->n; i++) {
		layout->boxes[i].fill = compare_fill(picture, layout->boxes[i].frame);
	}
}

struct str compare_sign(struct fill fill) {
	return fill.shade == SHADE_NEUTRAL                            ? STR("")
	       : fill.shade < SHADE_SHRANK || fill.shade == SHADE_NEW ? STR("+ ")
								      : STR(MINUS " ");
}

/** Write a count in everyday words, or if `exact`, with all digits. */
static void compare_write_count(struct output *out, const struct unit *unit, uint64_t count,
				bool exact) {
	char digits[UNIT_MAX];
	size_t n = exact ? unit_format_exact(digits, unit, count) : 0;
	output_add(out, digits, n > 0 ? n : unit_format(digits, unit, count));
}

static void compare_write_fixed(struct output *out, double value, unsigned places) {
	char digits[NUM_FIXED_MAX];
	output_add(out, digits, num_format_fixed(digits, value, places));
}

/** Return a count of the first profile, scaled. */
static uint64_t compare_scaled(const struct scale *scale, uint64_t before) {
	return scale->factor == 1 ? before
				  : picture_whole_counts(round(scale->factor * (double)before));
}

static const char *compare_words_before(const struct scale *scale) {
	return scale->factor == 1 ? " before, " : " scaled before, ";
}

static void compare_write_counts(struct output *out, const struct picture *picture,
				 struct change change) {
	const struct scale *scale = &picture->compared->scale;
	compare_write_count(out, &picture->unit, compare_scaled(scale, change.before), false);
	output_add_text(out, compare_words_before(scale));
	compare_write_count(out, &picture->unit, change.after, false);
	output_add_text(out, " after");
}

void compare_add_totals(struct buf *out, const struct picture *picture) {
	const struct scale *scale = &picture->compared->scale;
	char digits[UNIT_MAX];
	buf_add(out, digits,
		unit_format(digits, &picture->unit, compare_scaled(scale, scale->totals.before)));
	buf_add_text(out, compare_words_before(scale));
	buf_add(out, digits, unit_format(digits, &picture->unit, scale->totals.after));
	buf_add_text(out, " after");
}

/** If the counts that were written so far are scaled or rounded, write the counts of both profiles
 * with all digits. */
static void compare_write_exact(struct output *out, const struct picture *picture,
				struct change change) {
	const struct unit *unit = &picture->unit;
	char digits[UNIT_MAX];
	bool is_scaled = picture->compared->scale.factor != 1;
	if (is_scaled || unit_format_exact(digits, unit, change.before) > 0 ||
	    unit_format_exact(digits, unit, change.after) > 0) {
		output_add_text(out, is_scaled ? "; counted " : "; exactly ");
		compare_write_count(out, unit, change.before, true);
		output_add_text(out, " before, ");
		compare_write_count(out, unit, change.after, true);
		output_add_text(out, " after");
	}
}

/** Write a change in words: `+50.4%`, `new`, `gone`, and whether it may be noise. */
static void compare_write_change(struct output *out, const struct scale *scale,
				 struct change change) {
	double amount = change_amount(scale, change);
	if (fabs(amount) < 0.5) {
		output_add_text(out, ", unchanged");
		return;
	}
	if (change.before == 0) {
		output_add_text(out, ", new");
	} else if (change.after == 0) {
		output_add_text(out, ", gone");
	} else {
		output_add_text(out, amount > 0 ? ", +" : ", " MINUS);
		double before = scale->factor * (double)change.before;
		compare_write_fixed(out, 100 * fabs(amount) / before, 1);
		output_add_char(out, '%');
	}
	output_add_text(out, change_is_noise(scale, change) ? ", within noise" : "");
}

void compare_write_title(struct output *out, const struct picture *picture,
			 const struct call_item *frame) {
	const struct compared *compared = picture->compared;
	const struct tree_change *change = &picture->tree->changes[frame - picture->tree->frames];
	output_add_text(out, " (");
	compare_write_counts(out, picture, change->total);
	if (frame->depth > 0) {
		compare_write_change(out, &compared->scale, change->total);
		output_add_text(out, "; self ");
		compare_write_counts(out, picture, change->self);
		compare_write_change(out, &compared->scale, change->self);
	}
	compare_write_exact(out, picture, change->total);
	output_add_char(out, ')');
}

/** Return the name of a file without its folders; or the whole path if the other file has the same
 * name. */
static struct str compare_name_of(const char *path, const char *other) {
	const char *slash = strrchr(path, '/'), *other_slash = strrchr(other, '/');
	const char *name = slash == NULL ? path : slash + 1;
	bool same = strcmp(name, other_slash == NULL ? other : other_slash + 1) == 0;
	return str_of(same ? path : name);
}

void compare_add_names(struct buf *out, const struct compared *compared) {
	if (strcmp(compared->before, "before") == 0 && strcmp(compared->after, "after") == 0) {
		return; // labels of profiles without names
	}
	utf8_repair(out, compare_name_of(compared->before, compared->after));
	buf_add_text(out, " \xe2\x86\x92 "); // U+2192, an arrow
	utf8_repair(out, compare_name_of(compared->after, compared->before));
}

void compare_add_subtitle(struct buf *out, const struct compared *compared,
			  const struct unit *unit) {
	const struct scale *scale = &compared->scale;
	char digits[UNIT_MAX];
	utf8_repair(out, compare_name_of(compared->before, compared->after));
	buf_add_text(out, ": ");
	buf_add(out, digits, unit_format(digits, unit, scale->totals.before));
	buf_add_text(out, " before, ");
	utf8_repair(out, compare_name_of(compared->after, compared->before));
	buf_add_text(out, ": ");
	buf_add(out, digits, unit_format(digits, unit, scale->totals.after));
	buf_add_text(out, " after");
	compared_add_scale(out, scale);
}

/** Write a pattern: marks on a rectangle. A class gives the rectangle its shade, as it gives boxes
 * theirs. */
static void compare_write_pattern(struct output *out, unsigned shade, const char *marks) {
	char hex[RGB_MAX];
	output_add_text(out, "<pattern id=\"p");
	output_add_u64(out, shade);
	output_add_text(out, "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect "
			     "class=\"c");
	output_add_u64(out, shade);
	output_add_text(out, "\" fill=\"");
	output_add(out, hex, rgb_format_hex(hex, shades[shade].light));
	output_add_text(out, "\" stroke=\"none\" width=\"6\" height=\"6\"/><path d=\"");
	output_add_text(out, marks);
	output_add_text(out, "\"/></pattern>");
}

void compare_write_patterns(struct output *out) {
	static const char rising[] = "M-1 1l2-2M0 6l6-6M5 7l2-2";
	static const char falling[] = "M-1 5l2 2M0 0l6 6M5-1l2 2";
	static const char crossed[] = "M-1 1l2-2M0 6l6-6M5 7l2-2M-1 5l2 2M0 0l6 6M5-1l2 2";
	static const char dots[] = "M2 3h1.5";
	output_add_text(out, "<defs fill=\"none\" stroke=\"#fff\" stroke-opacity=\"0.35\">");
	for (unsigned i = SHADE_GREW; i < SHADE_NEW; i++) {
		compare_write_pattern(out, i, i < SHADE_SHRANK ? rising : falling);
	}
	compare_write_pattern(out, SHADE_NEW, dots);
	compare_write_pattern(out, SHADE_GONE, crossed);
	output_add_text(out, "</defs>");
}

static void compare_write_real(struct output *out, const char *name, double value) {
	char digits[NUM_EXACT_MAX];
	output_add_text(out, name);
	output_add(out, digits, num_format_exact(digits, value));
}

static void compare_write_name(struct output *out, const char *attribute, const char *path,
			       const char *other) {
	struct buf name = {0};
	utf8_repair(&name, compare_name_of(path, other));
	output_add_text(out, attribute);
	escape_xml(out, buf_str(&name));
	buf_release(&name);
}

void compare_write_attributes(struct output *out, const struct picture *picture) {
	const struct compared *compared = picture->compared;
	const struct scale *scale = &compared->scale;
	compare_write_real(out, "\" data-scale=\"", scale->factor);
	struct buf why = {0};
	compared_add_reason(&why, scale);
	output_add_text(out, why.n > 0 ? "\" data-scale-reason=\"" : "");
	output_add_str(out, buf_str(&why));
	buf_release(&why);
	compare_write_real(out, "\" data-scale-error=\"", scale->error);
	compare_write_real(out, "\" data-noise=\"", scale->limit);
	compare_write_real(out, "\" data-sample-before=\"", scale->sample_before);
	compare_write_real(out, "\" data-sample-after=\"", scale->sample_after);
	if (picture->design.is_page && picture->subtitle.n > 0) {
		compare_write_name(out, "\" data-before=\"", compared->before, compared->after);
		compare_write_name(out, "\" data-after=\"", compared->after, compared->before);
	}
	output_add_text(out, picture->design.colours.shaded ? "" : "\" data-by-name=\"true");
	output_add_text(out, picture->by_self ? "\" data-own=\"true" : "");
}
