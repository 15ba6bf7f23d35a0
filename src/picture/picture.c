/* Makes a picture of a profile. */
#include "picture/picture.h"

#include <math.h>

#include "picture/compare.h"
#include "viewer-constants.h"

/** Return the options for a picture of one profile; or for a comparison, the defaults of these
 * options. */
static const struct graph_options *picture_graph_of(const struct opt_set *options) {
	static const struct graph_options compares = {.style = STYLE_MODERN, .factor = 1};
	const struct graph_options *graph = OPT_OF(options, graph_rows, struct graph_options);
	return graph == NULL ? &compares : graph;
}

bool picture_compares(const struct opt_set *options, bool is_page) {
	return design_is_modern(picture_graph_of(options), is_page);
}

struct transform picture_transform(const struct opt_set *options) {
	const struct graph_options *graph = picture_graph_of(options);
	const struct colour_options *colours = OPT_OF(options, colour_rows, struct colour_options);
	const struct transform_options *stacks =
		OPT_OF(options, transform_rows, struct transform_options);
	return (struct transform){
		.base = stacks != NULL && stacks->base.n > 0 ? &stacks->base : NULL,
		.reverse = stacks != NULL && stacks->reverse,
		.keeps_order = graph->flamechart,
		.needs_order = graph->no_sort,
		.marks_wakers = colours != NULL && palette_has_wakers(colours->colors),
		.has_total = opt_given(options, "total"),
		.total = graph->total,
	};
}

int picture_init(struct picture *picture, const struct opt_set *options, bool is_page,
		 struct diag *diag) {
	const char *attrs = OPT_OF(options, colour_rows, struct colour_options)->nameattr;
	picture->design = design_of(OPT_OF(options, picture_rows, struct picture_options),
				    picture_graph_of(options), options, is_page, false);
	if (attrs != NULL && attrs_read(&picture->attrs, attrs, diag) != 0) {
		return -1;
	}
	return palette_init(&picture->palette, &picture->design, diag);
}

uint64_t picture_whole_counts(double counts) {
	counts = ceil(counts);
	return counts < 0x1p64 ? (uint64_t)counts : UINT64_MAX;
}

/** Remember the unit of the counts. In a classic picture, the user's word for it is only a text. */
static void picture_find_unit(struct picture *picture, const struct profile *profile) {
	const struct design *design = &picture->design;
	bool is_known = !design->keeps_countname && profile->unit.n > 0;
	picture->countname = is_known ? buf_str(&profile->unit) : str_of(design->countname);
	picture->unit = is_known || design->modern ? unit_of(picture->countname)
						   : unit_plain(picture->countname);
}

/** Place the frames of the tree. */
static void picture_place_frames(struct picture *picture, const struct tree *tree,
				 const struct profile *profile) {
	const struct design *design = &picture->design;
	picture->least =
		picture_whole_counts(design->size.least_percent / (100 / (double)picture->total));
	picture->tree = tree;
	picture->profile = profile;
	picture_find_unit(picture, profile);
	layout_build(&picture->layout, tree, picture->total, picture->least, design);
}

/** Decide which frames are drawn. All frames are drawn, unless there are many and the file contains
 * the profile. */
static void picture_choose_drawn(struct picture *picture) {
	// up to this number of frames, all are drawn, for viewers without scripts
	enum { FEW = 1000 };
	const struct design *design = &picture->design;
	double pixels = design->is_page ? LEAST_IN_PAGE : LEAST_DRAWN;
	picture->has_profile = !design->no_javascript && design->data != DATA_NONE;
	picture->lean = picture->has_profile && picture->layout.n > FEW;
	picture->least_drawn = picture->lean ? pixels * picture->layout.pixel : 0;
}

/** Make the design again, for two profiles. */
static void picture_design_comparison(struct picture *picture, const struct opt_set *given) {
	const struct compared *compared = picture->compared;
	struct picture_options options = *OPT_OF(given, picture_rows, struct picture_options);
	// Keep every frame, because a left-out frame would hide its change from its callers.
	options.data = options.data == DATA_NONE ? DATA_NONE : DATA_FULL;
	if (picture->design.is_page && options.title == NULL) {
		compare_add_names(&picture->title, compared);
		options.title = picture->title.n > 0 ? buf_text(&picture->title) : NULL;
	}
	if (options.subtitle == NULL) {
		const struct unit unit = unit_of(buf_str(&compared->profile.unit));
		compare_add_subtitle(&picture->subtitle, compared, &unit);
		options.subtitle = buf_text(&picture->subtitle);
	}
	picture->design =
		design_of(&options, picture_graph_of(given), given, picture->design.is_page, true);
}

void picture_draw(struct picture *picture, const struct view *view, const struct opt_set *options) {
	picture->total = view->total;
	picture->compared = view->compared;
	picture->by_self = view->by_self;
	if (picture_graph_of(options)->health || picture->design.is_page) {
		picture->remarks = buf_str(&view->profile->remarks);
	}
	if (picture->total == 0) {
		return;
	}
	if (picture->compared != NULL) {
		picture_design_comparison(picture, options);
	}
	picture->design.reverse = view->transform->reverse;
	picture->design.unsorted = view->transform->keeps_order;
	picture_place_frames(picture, view->tree, view->profile);
	picture_choose_drawn(picture);
	if (picture->compared != NULL && picture->design.colours.shaded) {
		compare_paint(&picture->layout, picture);
	} else {
		palette_paint(&picture->palette, &picture->layout, view->profile, view->tree,
			      picture->least_drawn);
	}
}

void picture_release(struct picture *picture) {
	layout_release(&picture->layout);
	palette_release(&picture->palette);
	attrs_release(&picture->attrs);
	buf_release(&picture->title);
	buf_release(&picture->subtitle);
	buf_release(&picture->left_out);
}
