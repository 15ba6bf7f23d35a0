/* A picture with its profile, and the SVG file around them. */
#include "web/document.h"

#include "base/num.h"
#include "picture/escape.h"
#include "picture/svg.h"
#include "web/lines.h"
#include "compare.css.h"
#include "modern.css.h"
#include "viewer.css.h"
#include "viewer.js.h"

int document_draw(struct document *document, const struct view *view, const struct opt_set *options,
		  struct diag *diag) {
	struct picture *picture = &document->picture;
	picture_draw(picture, view, options);
	if (picture->total == 0) {
		return 0;
	}
	document->view = view;
	if (picture->design.is_page && opt_given(options, "with-lines")) {
		lines_collect(&document->lines, view);
	}
	if (picture->has_profile) {
		pack_build(&document->pack, picture, view->threads);
		pack_add_note(&picture->left_out, &document->pack, picture);
	}
	return picture->design.is_page
		       ? activity_build(&document->activity, picture, &document->pack, diag)
		       : 0;
}

size_t document_sheets(struct sheet sheets[static DOCUMENT_SHEETS], const struct design *design) {
	const struct sheet all[DOCUMENT_SHEETS] = {
		{{viewer_css, sizeof(viewer_css) - 1}, VIEWER_CSS_HASH},
		{{modern_css, sizeof(modern_css) - 1}, MODERN_CSS_HASH},
		{{compare_css, sizeof(compare_css) - 1}, COMPARE_CSS_HASH},
	};
	const bool wanted[DOCUMENT_SHEETS] = {true, design->modern, design->compares};
	size_t n = 0;
	for (size_t i = 0; i < DOCUMENT_SHEETS; i++) {
		sheets[n] = all[i];
		n += wanted[i];
	}
	return n;
}

static void document_write_style(struct output *out, const struct design *design) {
	struct sheet sheets[DOCUMENT_SHEETS];
	size_t n = document_sheets(sheets, design);
	output_add_text(out, "<style type=\"text/css\">\n");
	svg_write_rules(out, design);
	for (size_t i = 0; i < n; i++) {
		output_add(out, sheets[i].text.p, sheets[i].text.n);
	}
	output_add_text(out, "</style>");
}

static void document_write_number(struct output *out, const char *name, double value) {
	char digits[NUM_EXACT_MAX];
	output_add_text(out, "var ");
	output_add_text(out, name);
	output_add_text(out, " = ");
	output_add(out, digits, num_format_exact(digits, value));
	output_add_text(out, ";\n");
}

static void document_write_flag(struct output *out, const char *name, bool value) {
	output_add_text(out, "var ");
	output_add_text(out, name);
	output_add_text(out, value ? " = true;\n" : " = false;\n");
}

/** Write the settings of the viewer and, if the options ask for it, the viewer. */
static void document_write_script(struct output *out, const struct design *design) {
	char search[RGB_MAX];
	output_add_text(out, "<script type=\"text/ecmascript\"><![CDATA[\nvar nametype = ");
	escape_js(out, str_of(design->nametype));
	output_add_text(out, ";\n");
	document_write_number(out, "fontsize", design->size.font_size);
	document_write_number(out, "fontwidth", design->size.font_width);
	document_write_number(out, "xpad", (double)design->size.margin);
	document_write_flag(out, "inverted", design->inverted);
	output_add_text(out, "var searchcolor = '");
	output_add(out, search, rgb_format(search, design->colours.search));
	output_add_text(out, "';\n");
	document_write_flag(out, "fluiddrawing", design->size.fluid);
	document_write_flag(out, "truncate_text_right", design->size.truncate_text_right);
	if (!design->no_javascript) {
		output_add(out, viewer_js, sizeof(viewer_js) - 1);
	}
	output_add_text(out, "]]></script>");
}

void document_write_svg(struct output *out, struct document *document) {
	svg_write_declaration(out, &document->picture.design);
	document_write_element(out, document);
}

void document_write_element(struct output *out, const struct document *document) {
	const struct picture *picture = &document->picture;
	const struct design *design = &picture->design;
	svg_write_head(out, picture);
	if (!design->is_page) {
		svg_start_line(out, design, 1);
		document_write_style(out, design);
		svg_start_line(out, design, 1);
		document_write_script(out, design);
	}
	svg_write_body(out, picture);
	if (document->pack.bytes.n > 0) {
		svg_start_line(out, design, 1);
		pack_write(out, &document->pack, picture);
	}
	if (document->activity.bytes.n > 0) {
		svg_start_line(out, design, 1);
		activity_write(out, &document->activity);
	}
	output_add_text(out, "\n</svg>\n");
}

void document_release(struct document *document) {
	site_groups_release(&document->lines);
	activity_release(&document->activity);
	pack_release(&document->pack);
	picture_release(&document->picture);
}
