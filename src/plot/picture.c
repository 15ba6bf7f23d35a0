/* Profile to picture. */
#include "plot/picture.h"

#include <math.h>

#include "plot/compare.h"
#include "plot/rows.h"
#include "viewer-constants.h"

int picture_init(struct picture *picture, const struct picture_options *options,
		 const struct graph_options *graph, const struct opt_set *given,
		 struct diag *diag) {
	picture->design = design_of(options, graph, given, false);
	if (graph->nameattr != NULL && attrs_read(&picture->attrs, graph->nameattr, diag) != 0) {
		return -1;
	}
	return palette_init(&picture->palette, &picture->design, diag);
}

/** Find the count that the whole width of the picture stands for. Return 0, or -1 after
 * diag_error(). */
static int find_total(struct picture *picture, const struct profile *profile, struct diag *diag) {
	const struct design *design = &picture->design;
	if (!profile_sum(profile, &picture->total)) {
		return diag_error(diag,
				  "the counts are too large: their sum does not fit into 64 bits");
	}
	if (!design->has_total || picture->total == 0) {
		return 0;
	}
	if (design->total < picture->total) {
		return diag_warn(diag, "--total %llu is less than the sum of the counts, %llu",
				 (unsigned long long)design->total,
				 (unsigned long long)picture->total);
	}
	picture->total = design->total;
	return 0;
}

/** Round up to a whole count, the least that a frame must have. */
static uint64_t whole_counts(double counts) {
	counts = ceil(counts);
	return counts < 0x1p64 ? (uint64_t)counts : UINT64_MAX;
}

static bool has_pack(const struct design *design) {
	return !design->no_javascript && design->data != DATA_NONE;
}

/** Note what is counted. In a classic picture, what the user calls it is no more than a word. */
static void find_unit(struct picture *picture, const struct profile *profile) {
	const struct design *design = &picture->design;
	bool is_known = !design->keeps_countname && profile->unit.n > 0;
	picture->countname = is_known ? buf_str(&profile->unit) : str_of(design->countname);
	picture->unit = is_known || design->modern ? unit_of(picture->countname)
						   : unit_plain(picture->countname);
}

/** Place the frames of the tree. Return the least count of those that are drawn. */
static uint64_t place_frames(struct picture *picture, const struct tree *tree,
			     const struct profile *profile) {
	const struct design *design = &picture->design;
	uint64_t least = whole_counts(design->least_percent / (100 / (double)picture->total));
	picture->tree = tree;
	picture->profile = profile;
	find_unit(picture, profile);
	layout_build(&picture->layout, tree, picture->total, least, design);
	return least;
}

/** Decide which frames are drawn: all, unless the file has the profile and they are many. */
static void choose_drawn(struct picture *picture) {
	enum { FEW = 1000 }; // frames: up to so many are all drawn, for programs without scripts
	const struct design *design = &picture->design;
	double pixels = design->is_page ? LEAST_IN_PAGE : LEAST_DRAWN;
	picture->lean = has_pack(design) && picture->layout.n > FEW;
	picture->least_drawn = picture->lean ? pixels * picture->layout.pixel : 0;
}

/** Put the profile into the picture, if it is wanted there. */
static void add_pack(struct picture *picture, uint64_t least) {
	if (!has_pack(&picture->design)) {
		return;
	}
	uint64_t half_pixel =
		whole_counts(LEAST_DRAWN * picture->layout.pixel / 100 * (double)picture->total);
	pack_build(&picture->pack, picture, &picture->palette,
		   picture->lean && half_pixel > least ? half_pixel : least);
}

int picture_draw(struct picture *picture, struct profile *profile,
		 const struct graph_options *graph, struct diag *diag) {
	if (rows_arrange(profile, graph, diag) != 0 || find_total(picture, profile, diag) != 0) {
		return -1;
	}
	if (graph->health) {
		picture->remarks = buf_str(&profile->remarks);
	}
	if (picture->total > 0) {
		tree_build(&picture->built, profile, picture->total);
		uint64_t least = place_frames(picture, &picture->built, profile);
		choose_drawn(picture);
		palette_paint(&picture->palette, &picture->layout, profile, &picture->built,
			      picture->least_drawn);
		add_pack(picture, least);
		return activity_build(&picture->activity, picture, diag);
	}
	return 0;
}

void picture_compare(struct picture *picture, const struct compared *compared,
		     const struct picture_options *given_options, const struct opt_set *given) {
	static const struct graph_options graph = {.style = STYLE_MODERN, .factor = 1};
	struct picture_options options = *given_options;
	// The changes of frames that were left out would be missing in their callers.
	options.data = options.data == DATA_NONE ? DATA_NONE : DATA_FULL;
	if (options.subtitle == NULL) {
		const struct unit unit = unit_of(buf_str(&compared->profile.unit));
		compare_add_subtitle(&picture->subtitle, compared, &unit);
		options.subtitle = buf_text(&picture->subtitle);
	}
	picture->design = design_of(&options, &graph, given, true);
	picture->palette.design = &picture->design;
	picture->compared = compared;
	picture->total = compared->tree.totals[0];
	uint64_t least = place_frames(picture, &compared->tree, &compared->profile);
	choose_drawn(picture);
	compare_paint(&picture->layout, compared);
	add_pack(picture, least);
}

void picture_release(struct picture *picture) {
	activity_release(&picture->activity);
	pack_release(&picture->pack);
	layout_release(&picture->layout);
	tree_release(&picture->built);
	palette_release(&picture->palette);
	attrs_release(&picture->attrs);
	buf_release(&picture->subtitle);
}
