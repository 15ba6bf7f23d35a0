/* Tree to rectangles. */
#include "plot/layout.h"

#include <stdlib.h>

uint64_t layout_width(const struct plot_options *options) {
	enum { DEFAULT_WIDTH = 1200 };
	return options->width == 0 ? DEFAULT_WIDTH : options->width;
}

/** What it takes to place a box. */
struct grid {
	const struct plot_options *options;
	uint64_t first_top;     // of the root's row
	double percent;         // per count
	double least;           // counts of a frame that is placed
	double character_width; // in per cent
};

static uint64_t end_of(const struct tree_frame *frame) {
	return frame->start + frame->total;
}

static struct box place(const struct grid *grid, const struct tree_frame *frame) {
	uint64_t rows = frame->depth * grid->options->height;
	double x = (double)frame->start * grid->percent;
	double width = (double)end_of(frame) * grid->percent - x;
	double room = width / grid->character_width;
	return (struct box){
		.frame = frame,
		.x = x,
		.width = width,
		.top = grid->options->inverted ? grid->first_top + rows : grid->first_top - rows,
		.room = room < UINT32_MAX ? (size_t)room : UINT32_MAX,
	};
}

/** Places the frames of a path, from depth `from` to before depth `to`: by where they end, then by
 * depth. */
static void place_path(struct layout *layout, const struct grid *grid,
		       const struct tree_frame **path, size_t from, size_t to) {
	while (to > from) {
		size_t first = to - 1;
		while (first > from && end_of(path[first - 1]) == end_of(path[to - 1])) {
			first--;
		}
		for (size_t d = first; d < to; d++) {
			layout->boxes[layout->n++] = place(grid, path[d]);
		}
		to = first;
	}
}

/** The first frame at `i` or behind that is wide enough to be placed; the number of frames if there
 * is none. What a narrow frame calls is no wider. */
static size_t next_wide(const struct tree *tree, size_t i, double least) {
	while (i < tree->n && (double)tree->frames[i].total < least) {
		i++;
	}
	return i;
}

static void place_all(struct layout *layout, const struct tree *tree, size_t wide, uint32_t deepest,
		      const struct grid *grid) {
	const struct tree_frame **path =
		mem_new((size_t)deepest + 1, sizeof(const struct tree_frame *));
	layout->boxes = mem_new(wide, sizeof(*layout->boxes));
	for (size_t i = next_wide(tree, 0, grid->least); i < tree->n;) {
		const struct tree_frame *frame = &tree->frames[i];
		path[frame->depth] = frame;
		i = next_wide(tree, i + 1, grid->least);
		// Behind a leaf the next frame tells which are over.
		size_t next_depth = i < tree->n ? tree->frames[i].depth : 0;
		place_path(layout, grid, path, next_depth, frame->depth + 1);
	}
	free(path);
}

/** How many frames are to be placed, and the depth of the deepest. */
static size_t count_wide(const struct tree *tree, double least, uint32_t *deepest) {
	size_t wide = 0;
	*deepest = 0;
	for (size_t i = 0; (i = next_wide(tree, i, least)) < tree->n; i++) {
		*deepest = tree->frames[i].depth > *deepest ? tree->frames[i].depth : *deepest;
		wide++;
	}
	return wide;
}

void layout_build(struct layout *layout, const struct tree *tree, uint64_t total, double least,
		  const struct plot_options *options) {
	uint64_t font = options->fontsize, row = options->height;
	uint64_t subtitle = options->subtitle == NULL ? 0 : 2 * font;
	uint64_t above = (options->inverted ? 4 * font + 4 : 3 * font) + subtitle;
	uint64_t below = options->inverted ? font + 10 : 2 * font + 10;
	uint32_t deepest;
	size_t wide = count_wide(tree, least, &deepest);

	layout->width = layout_width(options);
	layout->height = (deepest + UINT64_C(1)) * row + above + below;
	layout->title_y = layout->controls_y = 2 * font;
	layout->subtitle_y = 4 * font;
	layout->matched_y = layout->height - below / 2;
	layout->details_y = options->inverted ? above - font : layout->matched_y;
	layout->box_height = row - 1;
	layout->half_pixel = 50.0 / (double)(layout->width - 2 * XPAD);

	place_all(layout, tree, wide, deepest,
		  &(struct grid){
			  .options = options,
			  .first_top = options->inverted ? above : layout->height - below - row + 1,
			  .percent = 100 / (double)total,
			  .least = least,
			  .character_width =
				  100 * (double)font * options->fontwidth / (double)layout->width,
		  });
}

void layout_release(struct layout *layout) {
	free(layout->boxes);
	*layout = (struct layout){0};
}
