/* Turns a tree into rectangles. */
#include "picture/layout.h"

#include <math.h>
#include <stdlib.h>

#include "viewer-constants.h"

/** The values on which the position of a box depends. */
struct grid {
	const struct design *design;
	uint64_t first_top;     // position of the root's row
	double percent;         // width of one count, in per cent
	double character_width; // width of a character, in per cent
	double padding;         // margins of a label, in per cent
};

/** A frame that is wide enough to be placed. */
struct wide_frame {
	const struct call_item *frame;
	uint64_t start, total; // counts
};

static uint64_t layout_end_of(const struct wide_frame *frame) {
	return frame->start + frame->total;
}

static struct box layout_place(const struct grid *grid, const struct wide_frame *frame) {
	uint64_t rows = frame->frame->depth * grid->design->size.row;
	double x = (double)frame->start * grid->percent;
	double width = (double)layout_end_of(frame) * grid->percent - x;
	double room = fmax(width - grid->padding, 0) / grid->character_width;
	return (struct box){
		.frame = frame->frame,
		.start = frame->start,
		.total = frame->total,
		.x = x,
		.width = width,
		.top = grid->design->inverted ? grid->first_top + rows : grid->first_top - rows,
		.room = room < UINT32_MAX ? (size_t)room : UINT32_MAX,
	};
}

/** Place the frames of a path from depth `from` to depth `to` - 1. Frames are placed in the order
 * of their ends, and then of their depths. */
static void layout_place_path(struct layout *layout, const struct grid *grid,
			      const struct wide_frame **path, size_t from, size_t to) {
	while (to > from) {
		size_t first = to - 1;
		while (first > from &&
		       layout_end_of(path[first - 1]) == layout_end_of(path[to - 1])) {
			first--;
		}
		for (size_t d = first; d < to; d++) {
			layout->boxes[layout->n++] = layout_place(grid, path[d]);
		}
		to = first;
	}
}

/** The frames that are wide enough to be placed. */
struct wide {
	struct wide_frame *frames;
	size_t n, capacity;
	uint32_t deepest;
	bool gaps; // some frames that are not placed count 0
};

static struct wide layout_find_wide(const struct tree *tree, uint64_t least) {
	struct wide wide = {0};
	uint64_t now = 0; // sum of counts so far
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		if (tree->totals[i] >= least) {
			*MEM_APPEND(wide.frames, wide.n, wide.capacity) = (struct wide_frame){
				frame, tree->starts == NULL ? now : tree->starts[i],
				tree->totals[i]};
			wide.deepest = frame->depth > wide.deepest ? frame->depth : wide.deepest;
		} else if (tree->totals[i] == 0) {
			wide.gaps = true;
		}
		now += frame->count;
	}
	return wide;
}

/** Place the frames that end between a frame and `next`. Between them are only frames that are not
 * placed. If these count 0, the counts alone do not show which frames end together. */
static void layout_place_ended(struct layout *layout, const struct grid *grid,
			       const struct wide_frame **path, const struct call_item *frame,
			       const struct call_item *next, size_t next_depth) {
	size_t to = frame->depth + (size_t)1;
	for (const struct call_item *narrow = frame + 1; narrow < next; narrow++) {
		if (narrow->depth < to) {
			layout_place_path(layout, grid, path, narrow->depth, to);
			to = narrow->depth;
		}
	}
	layout_place_path(layout, grid, path, next_depth, to);
}

static void layout_place_all(struct layout *layout, const struct tree *tree,
			     const struct wide *wide, const struct grid *grid) {
	const struct wide_frame **path =
		mem_new((size_t)wide->deepest + 1, sizeof(const struct wide_frame *));
	layout->boxes = mem_new(wide->n, sizeof(*layout->boxes));
	for (size_t i = 0; i < wide->n; i++) {
		const struct call_item *frame = wide->frames[i].frame;
		bool is_last = i + 1 == wide->n;
		const struct call_item *next =
			is_last ? tree->frames + tree->n : wide->frames[i + 1].frame;
		path[frame->depth] = &wide->frames[i];
		size_t next_depth = is_last ? 0 : next->depth;
		if (wide->gaps) {
			layout_place_ended(layout, grid, path, frame, next, next_depth);
		} else {
			layout_place_path(layout, grid, path, next_depth, frame->depth + 1);
		}
	}
	free(path);
}

/** Px above and below the rows of frames. */
struct edges {
	uint64_t above, below;
};

/** Place the parts around the frames of a classic picture, except the parts whose place depends on
 * the height. Return the room for the parts. */
static struct edges layout_place_classic(struct layout *layout, const struct design *design) {
	uint64_t font = design->size.text_height;
	uint64_t subtitle = design->subtitle == NULL ? 0 : 2 * font;
	layout->title_y = layout->controls_y = 2 * font;
	layout->subtitle_y = 4 * font;
	layout->label_drop = LABEL_DROP;
	layout->label_inset = 100. * LABEL_LEFT / (double)design->size.width;
	return design->inverted ? (struct edges){4 * font + 4 + subtitle, font + 10}
				: (struct edges){3 * font + subtitle, 2 * font + 10};
}

/** Place the parts around the frames of a modern picture: headings on the left, controls on the
 * right. Return the room for the parts. The controls are in the title's line if the title is short
 * and there is no subtitle, or else in the next line. */
static struct edges layout_place_modern(struct layout *layout, const struct design *design) {
	enum { SHORT_TITLE = 24 };
	uint64_t font = design->size.text_height, line = font + 8;
	bool is_short = strlen(design->title) <= SHORT_TITLE;
	layout->title_y = design->size.margin + font + 2;
	layout->subtitle_y = layout->title_y + line;
	layout->controls_y =
		is_short && design->subtitle == NULL ? layout->title_y : layout->subtitle_y;
	layout->label_drop = (7 * font + 10) / 20;
	layout->label_inset = MODERN_LABEL_LEFT * layout->pixel;
	return design->is_page
		       ? (struct edges){PAGE_ABOVE, PAGE_BELOW}
		       : (struct edges){layout->controls_y + font + (design->inverted ? line : 0),
					2 * line};
}

void layout_build(struct layout *layout, const struct tree *tree, uint64_t total, uint64_t least,
		  const struct design *design) {
	bool modern = design->modern;
	uint64_t row = design->size.row;
	struct wide wide = layout_find_wide(tree, least);

	layout->pixel = 100.0 / (double)(design->size.width - 2 * design->size.margin);
	struct edges edges =
		modern ? layout_place_modern(layout, design) : layout_place_classic(layout, design);
	layout->height = (wide.deepest + UINT64_C(1)) * row + edges.above + edges.below;
	layout->matched_y = layout->height - edges.below / 2;
	layout->details_y =
		design->inverted ? edges.above - design->size.text_height : layout->matched_y;
	layout->box_height = row - 1;

	double character = design->size.font_size * design->size.font_width;
	layout_place_all(
		layout, tree, &wide,
		&(struct grid){
			.design = design,
			.first_top = design->inverted ? edges.above
						      : layout->height - edges.below - row + 1,
			.percent = 100 / (double)total,
			.character_width = modern ? character * layout->pixel
						  : 100 * character / (double)design->size.width,
			.padding = modern ? MODERN_LABEL_PADDING * layout->pixel : 0,
		});
	free(wide.frames);
}

void layout_release(struct layout *layout) {
	free(layout->boxes);
	*layout = (struct layout){0};
}
