/** Turn a tree into rectangles: the positions of all parts of a picture, without colours. */
#pragma once

#include "picture/design.h"
#include "picture/theme.h"
#include "profile/tree.h"

/** One frame as it is drawn. */
struct box {
	const struct call_item *frame;
	uint64_t start, total; // counts
	double x, width;       // position and width in per cent of the frames' area
	uint64_t top;          // px
	size_t room;           // number of characters that fit into the label
	struct fill fill; // zeroed by layout_build(), set by palette_paint() or compare_paint()
};

/** A zeroed layout is empty. Heights, widths and positions on the y axis are in px. */
struct layout {
	uint64_t height;
	uint64_t title_y, subtitle_y, controls_y, details_y, matched_y;
	uint64_t box_height;
	uint64_t label_drop; // distance from the middle of a box to the baseline of its label
	double label_inset;  // margins of the label in its box, in per cent
	double pixel;        // width of a pixel in per cent, the unit of boxes
	// Boxes in the order in which a walk over the tree, from left to right, leaves their
	// frames. If one step of the walk leaves several frames, callers come first.
	struct box *boxes;
	size_t n;
};

/**
 * Place the frames of a tree that is `total` counts wide; the layout borrows the tree. Frames
 * narrower than `least` counts are left out. The height of the picture depends on the remaining
 * frames.
 */
void layout_build(struct layout *layout, const struct tree *tree, uint64_t total, uint64_t least,
		  const struct design *design);

void layout_release(struct layout *layout);
