/*
 * The frames of an SVG file. A file may have millions of frames. So no function here allocates
 * memory or calls printf(), and constant text is written with a known length.
 */
#include "picture/frames.h"

#include <math.h>

#include "base/num.h"
#include "base/utf8.h"
#include "picture/compare.h"
#include "picture/escape.h"
#include "picture/label.h"
#include "viewer-constants.h"

#define ADD(out, literal) output_add_str((out), STR(literal))

/** The state that all frames of a picture share. */
struct drawing {
	struct output *out;
	const struct picture *picture;
	const struct design *design;
	double shown_total; // sum of all counts, as it is shown
	struct buf *label;  // scratch memory for a label
	struct str root;    // label of the root
	unsigned places;    // number of decimals of percentages
	// line breaks and indentation, if the options ask for them
	struct str before_frame, before_part;
};

static void frames_add_fixed(struct output *out, double value, unsigned places) {
	char digits[NUM_FIXED_MAX];
	output_add(out, digits, num_format_fixed(digits, value, places));
}

/** Write the change of a frame from the earlier profile, in per cent of the whole. */
static void frames_write_delta(const struct drawing *drawing, const struct tree_delta *delta) {
	struct output *out = drawing->out;
	ADD(out, "; ");
	if (delta->value != 0) {
		output_add_char(out, delta->shrank != drawing->design->colours.negate ? '-' : '+');
	}
	frames_add_fixed(out, 100 * (double)delta->value / (double)drawing->picture->total, 2);
	output_add_char(out, '%');
}

static void frames_write_title(const struct drawing *drawing, const struct box *box,
			       struct str label) {
	struct output *out = drawing->out;
	const struct call_item *frame = box->frame;
	const struct tree_delta *delta = tree_delta(drawing->picture->tree, frame);
	const struct unit *unit = &drawing->picture->unit;
	uint64_t count = design_count(drawing->design, box->total);
	char digits[UNIT_MAX];
	escape_xml(out, frame->depth == 0 ? STR("all") : label);
	if (drawing->picture->compared != NULL) {
		compare_write_title(out, drawing->picture, frame);
		return;
	}
	ADD(out, " (");
	output_add(out, digits, unit_format(digits, unit, count));
	output_add_str(out, unit_is_spaced(unit) ? STR(" ") : STR(""));
	escape_xml(out, unit->subject);
	ADD(out, ", ");
	if (frame->depth == 0) {
		ADD(out, "100%");
	} else {
		frames_add_fixed(out, 100 * (double)count / drawing->shown_total, 2);
		output_add_char(out, '%');
		if (delta != NULL) {
			frames_write_delta(drawing, delta);
		}
	}
	size_t n = unit_format_exact(digits, unit, count);
	output_add_str(out, n > 0 ? STR("; ") : STR(""));
	output_add(out, digits, n);
	output_add_char(out, ')');
}

/** Write the fill of a box: a shade as a class, and its light colour in case the style sheet is
 * blocked. */
static void frames_write_fill(struct output *out, const struct fill *fill, bool lean) {
	char text[RGB_MAX];
	bool short_form = lean || fill->is_shade;
	if (fill->is_shade) {
		ADD(out, "\" class=\"c");
		output_add_u64(out, fill->shade);
	}
	ADD(out, "\" fill=\"");
	output_add(out, text,
		   (short_form ? rgb_format_hex : rgb_format)(
			   text, fill->is_shade ? shades[fill->shade].light : fill->colour));
}

/**
 * Return the drawn width of a box, in per cent. --style=modern leaves a gap to its right, which
 * shrinks to nothing for narrow boxes, so that a row of them looks even.
 */
static double frames_drawn_width(const struct drawing *drawing, const struct box *box) {
	double pixel = drawing->picture->layout.pixel;
	if (!drawing->design->modern) {
		return box->width;
	}
	double share = (box->width / pixel - BOX_GAP_STARTS) / (BOX_GAP_FULL - BOX_GAP_STARTS);
	return box->width - BOX_GAP * pixel * fmin(fmax(share, 0), 1);
}

static void frames_write_rect(const struct drawing *drawing, const struct box *box) {
	struct output *out = drawing->out;
	const struct layout *layout = &drawing->picture->layout;
	ADD(out, "<rect x=\"");
	frames_add_fixed(out, box->x, drawing->places);
	ADD(out, "%\" y=\"");
	output_add_u64(out, box->top);
	ADD(out, "\" width=\"");
	frames_add_fixed(out, frames_drawn_width(drawing, box), drawing->places);
	ADD(out, "%\" height=\"");
	output_add_u64(out, layout->box_height);
	if (drawing->design->modern && box->width > ROUND_FROM * layout->pixel) {
		ADD(out, "\" rx=\"");
		frames_add_fixed(out, ROUND, 1);
	}
	frames_write_fill(out, &box->fill, drawing->picture->lean);
	if (drawing->picture->compared != NULL && !drawing->design->colours.shaded) {
		ADD(out, "\" data-change=\"c"); // the viewer puts the sign before the label
		output_add_u64(out, compare_fill(drawing->picture, box->frame).shade);
	}
	ADD(out, "\" fg:x=\"");
	output_add_u64(out, box->start);
	ADD(out, "\" fg:w=\"");
	output_add_u64(out, box->total);
	ADD(out, "\"/>");
}

static bool frames_has_label(const struct drawing *drawing, const struct box *box) {
	// In a comparison, a sign and a blank come before the name.
	size_t least = LEAST_LABEL + (drawing->picture->compared != NULL ? 2 : 0);
	return (box->frame->depth > 0 || drawing->design->modern) && box->room >= least;
}

/** Return whether text on a box is white, because black has less contrast. In --style=modern the
 * style sheet has the colours of text on shades, and all other colours are light. */
static bool frames_is_white(const struct drawing *drawing, const struct box *box) {
	return !drawing->design->modern && rgb_is_dark(box->fill.colour);
}

/** Write the name, or as much of its start as fits with two dots. */
static void frames_write_label(struct output *out, struct str label, size_t room) {
	// A name never has more characters than bytes.
	if (label.n < room || utf8_count(label) < room) {
		escape_xml(out, label);
		return;
	}
	escape_xml(out, str_to(label, utf8_prefix(label, room - strlen(".."))));
	ADD(out, "..");
}

static void frames_write_text(const struct drawing *drawing, const struct box *box,
			      struct str label) {
	struct output *out = drawing->out;
	const struct layout *layout = &drawing->picture->layout;
	bool labelled = frames_has_label(drawing, box);
	output_add_str(out, labelled && frames_is_white(drawing, box)
				    ? STR("<text class=\"w\" x=\"")
				    : STR("<text x=\""));
	frames_add_fixed(out, box->x + layout->label_inset, drawing->places);
	if (labelled && box->fill.is_shade && box->fill.shade >= SHADE_NEW) { // a dark shade
		char hex[RGB_MAX];
		ADD(out, "%\" fill=\"");
		output_add(out, hex, rgb_format_hex(hex, shade_text.dark));
		ADD(out, "\" y=\"");
	} else {
		ADD(out, "%\" y=\"");
	}
	output_add_u64(out, box->top + layout->box_height / 2 + layout->label_drop);
	output_add_str(out, layout->box_height % 2 == 0 ? STR(".00\">") : STR(".50\">"));
	if (labelled && drawing->design->modern) {
		struct str name = box->frame->depth == 0 ? drawing->root : label;
		struct str sign =
			drawing->picture->compared == NULL ? STR("")
			: box->fill.is_shade
				? compare_sign(box->fill)
				: compare_sign(compare_fill(drawing->picture, box->frame));
		output_add_str(out, sign);
		escape_xml(out, label_shorten(name, box->room - utf8_count(sign), drawing->label));
	} else if (labelled) {
		frames_write_label(out, label, box->room);
	}
	ADD(out, "</text>");
}

void frames_write_attrs(struct output *out, const struct function_attrs *function) {
	for (size_t i = 0; i < function->n; i++) {
		output_add_char(out, ' ');
		output_add_str(out, function->items[i].name);
		ADD(out, "=\"");
		escape_xml(out, function->items[i].value);
		output_add_char(out, '"');
	}
}

static void frames_write_frame(const struct drawing *drawing, const struct box *box) {
	struct output *out = drawing->out;
	struct str name = tree_name(drawing->picture->profile, box->frame);
	struct str label = tree_label(name);
	const struct function_attrs *function =
		box->frame->depth == 0 ? NULL : attrs_find(&drawing->picture->attrs, name);
	bool is_link = function != NULL && function->is_link;

	output_add_str(out, drawing->before_frame);
	output_add_str(out, is_link ? STR("<a") : STR("<g"));
	if (function != NULL) {
		frames_write_attrs(out, function);
	}
	if (drawing->picture->compared != NULL && !drawing->picture->has_profile) {
		ADD(out, " data-name=\""); // the viewer cannot find the name in the title of a
					   // comparison
		escape_xml(out, box->frame->depth == 0 ? STR("all") : label);
		output_add_char(out, '"');
	}
	output_add_char(out, '>');
	output_add_str(out, drawing->before_part);
	ADD(out, "<title>");
	if (function != NULL && function->has_title) {
		escape_xml(out, function->title);
	} else {
		frames_write_title(drawing, box, label);
	}
	ADD(out, "</title>");
	output_add_str(out, drawing->before_part);
	frames_write_rect(drawing, box);
	if (!drawing->picture->lean || frames_has_label(drawing, box)) {
		output_add_str(out, drawing->before_part);
		frames_write_text(drawing, box, label);
	}
	output_add_str(out, drawing->before_frame);
	output_add_str(out, is_link ? STR("</a>") : STR("</g>"));
}

/** Add the root's name and count. */
static void frames_add_root_label(struct buf *out, const struct picture *picture) {
	const struct unit *unit = &picture->unit;
	char digits[UNIT_MAX];
	buf_add_text(out, "all (");
	if (picture->compared != NULL) {
		compare_add_totals(out, picture);
		buf_add_char(out, ')');
		return;
	}
	uint64_t count = design_count(&picture->design, picture->total);
	buf_add(out, digits, unit_format(digits, unit, count));
	buf_add_text(out, unit_is_spaced(unit) ? " " : "");
	buf_add_str(out, unit->subject);
	buf_add_char(out, ')');
}

void frames_write(struct output *out, const struct picture *picture) {
	const struct design *design = &picture->design;
	struct buf label = {0}, root = {0};
	frames_add_root_label(&root, picture);
	const struct drawing drawing = {
		.out = out,
		.picture = picture,
		.design = design,
		.shown_total = (double)picture->total * design->factor,
		.places = !picture->lean   ? 4
			  : design->modern ? 3
					   : 2,
		.label = &label,
		.root = buf_str(&root),
		.before_frame = design->pretty_xml ? STR("\n        ") : STR(""),
		.before_part = design->pretty_xml ? STR("\n            ") : STR(""),
	};
	ADD(out, "<svg id=\"frames\" x=\"");
	output_add_u64(out, design->size.margin);
	ADD(out, "\" width=\"");
	output_add_u64(out, design->size.width - 2 * design->size.margin);
	ADD(out, "\" total_samples=\"");
	output_add_u64(out, picture->total);
	if (picture->unit.kind != UNIT_PLAIN) {
		ADD(out, "\" data-unit=\"");
		escape_xml(out, picture->countname);
	}
	ADD(out, "\">");
	for (size_t i = 0; i < picture->layout.n; i++) {
		const struct box *box = &picture->layout.boxes[i];
		if (box->width >= picture->least_drawn) {
			frames_write_frame(&drawing, box);
		}
	}
	output_add_str(out, design->pretty_xml ? STR("\n    ") : STR(""));
	ADD(out, "</svg>");
	buf_release(&label);
	buf_release(&root);
}
