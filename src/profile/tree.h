/**
 * Build a tree of frames: all stacks, merged into one flat array in preorder. A frame comes after
 * its caller, and stores its depth. So a loop over the array visits the whole tree. The callees of
 * a frame have distinct names, except in a flame chart.
 *
 * Frames are the calls of the profile, in the order of their names. If the calls are in this order
 * already, the tree borrows them. This saves half of the memory.
 */
#pragma once

#include "profile/change.h"
#include "profile/profile.h"

/** The difference between a frame's later and earlier self count. */
struct tree_delta {
	uint64_t value; // absolute value of the difference
	bool is_known;  // the difference is known: the first stack through the frame has two counts
	bool shrank;    // the difference is negative
};

/** The counts of a frame in two profiles that are compared. */
struct tree_change {
	struct change self, total; // self counts; totals
};

/** A zeroed tree is empty. */
struct tree {
	const struct call_item
		*frames;  // `count` is the self count; in a comparison, the self width
	uint64_t *totals; // for each frame, its total: the self count plus the totals of its
			  // callees
	uint64_t *starts; // for each frame, the sum of the counts to the left of it; NULL: this sum
			  // is the sum of the self counts of all earlier frames
	size_t n;
	size_t levels;          // the depth of the deepest frame, plus one
	bool gapless;           // the self counts add up to the root's total; `starts` is then NULL
	struct call_item *made; // the frames, if they are not borrowed from the profile
	size_t capacity, totals_capacity, starts_capacity;
	struct tree_delta *deltas; // difference of each frame; NULL: stacks have one count
	size_t deltas_capacity;
	uint64_t largest_delta; // largest `value` of `deltas`, at least 1
	// counts of each frame in both profiles; NULL: this is not a comparison
	struct tree_change *changes;
	uint32_t *ends; // for each id of a stack, the frame in which the stack ends, or CALLS_NONE
			// if the stack was left out; NULL: the calls have no `ends`
	size_t ends_n;
};

/**
 * Build frames from the calls. If there are no calls, build frames from the rows, in the order of
 * the rows. The callees of one caller are first sorted by the ids of their names, and callees with
 * the same name are merged. The root gets the total `total`, which is at least the sum of the
 * counts. The profile must not change while the tree is in use.
 */
void tree_build(struct tree *tree, struct profile *profile, uint64_t total);

/** Make a tree with the frames of the tree `from`, but with the counts and totals of a column. The
 * totals of functions in a column are computed from such a tree. The tree `from` must have
 * `ends`. */
void tree_count_column(struct tree *tree, const struct tree *from,
		       const struct value_column *column);

/**
 * Build the frames of a comparison, from stacks with two counts each. The self width of a frame is
 * the larger of two numbers: its later count, and its scaled earlier count. So a frame that exists
 * in only one of the profiles has a width, too. If the sum of the widths might not fit into 64
 * bits, all widths are divided by four.
 */
void tree_compare(struct tree *tree, struct profile *profile, const struct scale *scale);

/** Return the name of a frame. The name of the root is empty. */
static inline struct str tree_name(const struct profile *profile, const struct call_item *frame) {
	return frame->depth == 0 ? STR("") : profile_name(profile, frame->name);
}

/** Return how a frame differs from the earlier profile, or NULL if the difference is not known. */
static inline const struct tree_delta *tree_delta(const struct tree *tree,
						  const struct call_item *frame) {
	const struct tree_delta *delta =
		tree->deltas == NULL ? NULL : &tree->deltas[frame - tree->frames];
	return delta == NULL || !delta->is_known ? NULL : delta;
}

/** Return how many bytes of memory a tree of the timeline's rows may take. */
uint64_t tree_size_of_rows(const struct timeline *timeline);

/** Return a name without its annotation. An annotation such as `_[k]` marks the kind of code. */
static inline struct str tree_label(struct str name) {
	enum { ANNOTATION = 4 };
	if (name.n < ANNOTATION || name.p[name.n - 1] != ']') {
		return name;
	}
	struct str head = str_to(name, name.n - ANNOTATION), tail = str_from(name, head.n);
	return str_starts(tail, STR("_[")) && memchr("kijw", tail.p[2], 4) != NULL ? head : name;
}

void tree_release(struct tree *tree);
