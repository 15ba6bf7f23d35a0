/**
 * Which frames and names of a large profile go into the file: those with the highest counts, as
 * many as a given number of bytes can hold. Choosing takes time in proportion to the frames and
 * names.
 */
#ifndef INFERNO_CHOICE_H
#define INFERNO_CHOICE_H

#include "profile/tree.h"

/** The frames and names that go into the file. A zeroed choice is all of them. */
struct choice {
	uint64_t least;      // frames that count at least this
	size_t alike;        // also frames that count one less, if before this place in the tree
	uint64_t least_name; // the names of these frames, and names whose frames together count
			     // at least this
};

/** The frames and names to choose from. */
struct offer {
	const struct tree *tree;
	uint64_t drawn; // frames that count at least this are drawn, and always chosen
	uint32_t names_n;
	uint64_t *names;  // by id: the sum of the counts of all frames with the name
	struct ids order; // names in the order of their first frames in the tree; ids themselves
			  // may differ from run to run
	uint64_t cost;    // of everything, in bytes before compression
};

/** Compute the count and the cost of each frame and name. */
void offer_init(struct offer *offer, const struct tree *tree, const struct profile *profile,
		uint64_t drawn);

/** Choose for up to `budget` bytes; set `*cost` to the size of the choice. */
struct choice offer_choose(const struct offer *offer, uint64_t budget, uint64_t *cost);

void offer_release(struct offer *offer);

/** Return whether the frame at place `i` of a tree is chosen. The root is. */
static inline bool choice_has(const struct choice *choice, const struct tree *tree, size_t i) {
	uint64_t total = tree->totals[i];
	return total >= choice->least || i == 0 ||
	       (i < choice->alike && total + 1 == choice->least);
}

#endif
