/**
 * Give numbers to the names of a tree, for output formats that list each name once and refer to it
 * by its number.
 */
#pragma once

#include "analysis/view.h"

struct numbering {
	uint32_t *numbers; // for each id of a name, its number; undefined for ids that no frame has
	uint32_t *frames;  // for each number, the first frame with this name
	uint32_t n;
};

/** Number the names in the order of their first frames. The root has no number. */
void numbering_init(struct numbering *numbering, const struct view *view);
void numbering_release(struct numbering *numbering);

/** Return the name with a number. */
static inline struct str numbering_name(const struct numbering *numbering, const struct view *view,
					uint32_t number) {
	return tree_name(view->profile, &view->tree->frames[numbering->frames[number]]);
}

/** Return the number of a frame's name. */
static inline uint32_t numbering_of(const struct numbering *numbering,
				    const struct call_item *frame) {
	return numbering->numbers[frame->name];
}
