/* Computes a design from options. */
#include "picture/design.h"

#include <math.h>

#include "picture/palette.h"

static const char *design_title_of(const struct picture_options *picture,
				   const struct graph_options *graph, bool compares) {
	return picture->title != NULL ? picture->title
	       : compares             ? "Differential Flame Graph"
	       : graph->flamechart    ? "Flame Chart"
	       : picture->inverted    ? "Icicle Graph"
				      : "Flame Graph";
}

static void design_set_measures(struct design *design, const struct picture_options *picture,
				const struct opt_set *given) {
	enum { DEFAULT_WIDTH = 1200, NARROW = 100, MARGIN = 10, WIDE_MARGIN = 16, MODERN_ROW = 18 };
	// width of a character in the widest font that browsers may use
	const double modern_font_width = 0.62;
	struct measures *size = &design->size;
	bool is_pixels, has_font = opt_given(given, "fonttype");
	size->fluid = picture->width == 0;
	size->width = size->fluid ? DEFAULT_WIDTH : picture->width;
	size->margin = design->modern && size->width >= NARROW ? WIDE_MARGIN : MARGIN;
	size->row = design->modern && !opt_given(given, "height") ? MODERN_ROW : picture->height;
	size->font_size = picture->fontsize;
	size->text_height = (uint64_t)ceil(picture->fontsize);
	size->font = design->modern && !has_font ? NULL : picture->fonttype;
	size->font_width = design->modern && !has_font && !opt_given(given, "fontwidth")
				   ? modern_font_width
				   : picture->fontwidth;
	minwidth_parse(picture->minwidth, &size->least_percent, &is_pixels);
	if (is_pixels) {
		double frames = (double)(size->width - 2 * size->margin);
		size->least_percent = size->least_percent / frames * 100;
	}
}

static void design_set_colours(struct design *design, const struct picture_options *picture,
			       const struct opt_set *given) {
	const struct colour_options *colours = OPT_OF(given, colour_rows, struct colour_options);
	struct colouring *made = &design->colours;
	made->colors = colours->colors;
	made->hash = colours->hash;
	made->deterministic =
		design->modern ? !colours->hash && !colours->random : colours->deterministic;
	made->cp = colours->cp;
	made->colordiffusion = colours->colordiffusion;
	made->shaded = design->modern && !opt_given(given, "colors") && !colours->hash &&
		       !colours->random && !colours->cp && !colours->colordiffusion;
	made->background = palette_background(colours->colors);
	if (picture->bgcolors != NULL) {
		gradient_parse(picture->bgcolors, &made->background);
	}
	made->adapts = picture->uicolor == NULL && picture->bgcolors == NULL;
	made->flat = design->modern && picture->bgcolors == NULL;
	made->text = picture->uicolor == NULL ? (struct rgb){0} : rgb_of(picture->uicolor);
	made->search = rgb_of(picture->search_color);
	made->has_stroke = rgb_parse(str_of(picture->stroke_color), &made->stroke);
}

bool design_is_modern(const struct graph_options *graph, bool is_page) {
	return graph->style == STYLE_MODERN || is_page;
}

struct design design_of(const struct picture_options *picture, const struct graph_options *graph,
			const struct opt_set *given, bool is_page, bool compares) {
	struct design design = {
		.modern = design_is_modern(graph, is_page),
		.is_page = is_page,
		.compares = compares,
		.inverted = picture->inverted,
		.title = design_title_of(picture, graph, compares),
		.subtitle = picture->subtitle,
		.notes = picture->notes,
		.countname = picture->countname,
		.nametype = picture->nametype,
		.keeps_countname = opt_given(given, "countname") || graph->factor != 1,
		.factor = graph->factor,
		.colours.negate = graph->negate,
		.size.truncate_text_right = picture->truncate_text_right,
		.data = picture->data,
		.source_url = picture->source_url,
		.frame_notes = picture->frame_notes,
		.encoding = picture->encoding,
		.pretty_xml = picture->pretty_xml,
		.no_javascript = picture->no_javascript,
	};
	design_set_measures(&design, picture, given);
	design_set_colours(&design, picture, given);
	return design;
}

uint64_t design_count(const struct design *design, uint64_t count) {
	if (design->factor == 1) { // without the multiplication, counts above 2^53 stay exact
		return count;
	}
	double product = round((double)count * design->factor);
	return product < 0x1p64 ? (uint64_t)product : UINT64_MAX;
}
