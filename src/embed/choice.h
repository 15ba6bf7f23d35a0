/**
 * Choose the frames and names of a large profile that are written to the file: those with the
 * highest counts, as many as fit into a given number of bytes. The time for choosing grows linearly
 * with the number of frames and names.
 */
#pragma once

#include "profile/tree.h"

/** The frames and names that go into the file. A zeroed choice includes all frames and names. */
struct choice {
	uint64_t least; // frames with at least this count are chosen
	// Frames with the count `least` - 1 are chosen, too, if their index in the tree is lower
	// than this.
	size_t alike;
	uint64_t least_name; // names whose frames together have at least this count are chosen, and
			     // all names of chosen frames
};

/** The frames and names to choose from. */
struct offer {
	const struct tree *tree;
	uint64_t drawn; // frames with at least this count are drawn, and always chosen
	uint32_t names_n;
	uint64_t *names;  // by id: the sum of the counts of all frames with the name
	struct ids order; // names in the order of their first frames in the tree; ids themselves
			  // may differ from run to run
	uint64_t cost;    // size of everything, in bytes before compression
};

/** Compute the count and the cost of each frame and name. */
void offer_init(struct offer *offer, const struct tree *tree, const struct profile *profile,
		uint64_t drawn);

/** Choose frames and names that take at most `budget` bytes in the file, or only the drawn frames
 * and their names if these take more. Set `*cost` to the number of bytes that they take. */
struct choice offer_choose(const struct offer *offer, uint64_t budget, uint64_t *cost);

void offer_release(struct offer *offer);

/** Return whether the frame with the index `i` of a tree is chosen. The root is always chosen. */
static inline bool choice_has(const struct choice *choice, const struct tree *tree, size_t i) {
	uint64_t total = tree->totals[i];
	return total >= choice->least || i == 0 ||
	       (i < choice->alike && total + 1 == choice->least);
}
