/** Turn a tree into rectangles: the place of everything in a picture, without colours. */
#ifndef INFERNO_LAYOUT_H
#define INFERNO_LAYOUT_H

#include "picture/design.h"
#include "picture/theme.h"
#include "profile/tree.h"

/** One frame as it is drawn. */
struct box {
	const struct call_item *frame;
	uint64_t start, total; // counts
	double x, width;       // per cent of the frames' area
	uint64_t top;          // px
	size_t room;           // characters that the label can have
	struct fill fill; // zeroed by layout_build(), set by palette_paint() or compare_paint()
};

/** A zeroed layout is an empty one. Heights, widths and places on the y axis are px. */
struct layout {
	uint64_t height;
	uint64_t title_y, subtitle_y, controls_y, details_y, matched_y;
	uint64_t box_height;
	uint64_t label_drop; // px from the middle of a box to the baseline of its label
	double label_inset;  // of the label in its box, in per cent
	double pixel;        // a pixel in per cent, as boxes are measured
	struct box *boxes;   // in the order in which the frames end; of frames that end together,
			     // callers first
	size_t n;
};

/**
 * Place the frames of a tree that is `total` counts wide; the layout borrows the tree. Frames
 * narrower than `least` counts are left out, and the picture is as high as the others need.
 */
void layout_build(struct layout *layout, const struct tree *tree, uint64_t total, uint64_t least,
		  const struct design *design);

void layout_release(struct layout *layout);

#endif
