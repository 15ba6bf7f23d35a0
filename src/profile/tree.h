/**
 * A tree of frames: stacks, merged into one flat array in preorder. A frame's parent always comes
 * before it and its level is a number in it, so a walk is a loop. A parent has one child of a name,
 * but in a flame chart.
 */
#ifndef INFERNO_TREE_H
#define INFERNO_TREE_H

#include "profile/change.h"
#include "profile/profile.h"

struct tree_frame {
	uint64_t start; // where it begins, in counts from the left
	uint64_t total; // its count with that of everything it called
	uint32_t name;  // an id of the stacks; see tree_name()
	uint32_t depth; // 0: the root, which stands under every stack and has no name
};

/** How a frame's own count differs from the earlier profile. */
struct tree_delta {
	uint64_t value; // without the sign
	bool is_known;  // the first stack through the frame has two counts
	bool shrank;    // the difference is negative
};

/** What a frame of two profiles that are compared counted. */
struct tree_change {
	struct change own, all; // itself; with all that it called
	bool is_stack;          // a stack of one of the profiles ends in it
};

/** A zeroed tree is an empty one. */
struct tree {
	struct tree_frame *frames;
	size_t n, capacity;
	size_t levels; // one more than the depth of the deepest frame
	bool gapless; // what a frame counts itself comes first in it, then what it called, in a row
	struct tree_delta *deltas; // by frame; NULL: no stack has two counts
	size_t deltas_capacity;
	uint64_t largest_delta;      // at least 1
	struct tree_change *changes; // by frame; NULL: nothing is compared
};

/**
 * Make frames of the calls, those of one caller in the order of the ids of their names and each
 * name once, for which it sorts the lists of calls; without calls, of the rows, neighbour with
 * neighbour, in the order that they have. The root is `total` wide, which is at least the sum of
 * the counts.
 */
void tree_build(struct tree *tree, struct profile *profile, uint64_t total);

/**
 * The same for stacks with two counts each, of two profiles that are compared. A frame's own width
 * is the larger of what it counts after and what it counts before, scaled, so that both what came
 * and what went has one. If the widths together might not fit into 64 bits, all are a quarter.
 */
void tree_compare(struct tree *tree, struct profile *profile, const struct yardstick *yardstick);

/** The name of a frame; that of the root is empty. */
static inline struct str tree_name(const struct profile *profile, const struct tree_frame *frame) {
	return frame->depth == 0 ? STR("") : profile_name(profile, frame->name);
}

/** How a frame differs from the earlier profile; NULL: that is not known. */
static inline const struct tree_delta *tree_delta(const struct tree *tree,
						  const struct tree_frame *frame) {
	const struct tree_delta *delta =
		tree->deltas == NULL ? NULL : &tree->deltas[frame - tree->frames];
	return delta == NULL || !delta->is_known ? NULL : delta;
}

/** A name as people read it: without an annotation such as `_[k]`, which tells what kind of code it
 * is. */
static inline struct str tree_label(struct str name) {
	enum { ANNOTATION = 4 };
	if (name.n < ANNOTATION || name.p[name.n - 1] != ']') {
		return name;
	}
	struct str head = str_to(name, name.n - ANNOTATION), tail = str_from(name, head.n);
	return str_starts(tail, STR("_[")) && memchr("kijw", tail.p[2], 4) != NULL ? head : name;
}

void tree_release(struct tree *tree);

#endif
