/** One or two profiles, arranged once, and read by the exporters. */
#ifndef INFERNO_VIEW_H
#define INFERNO_VIEW_H

#include "analysis/transform.h"
#include "profile/compared.h"
#include "profile/tree.h"

struct code_reader; // see analysis/instructions.h

/** The command sets the first part, and owns the objects that it points to; a zeroed field means
 * none. */
struct view {
	struct profile *profile;   // names, stacks, unit, remarks and times
	struct compared *compared; // two profiles, with their totals; NULL: one profile
	const struct transform *transform;
	size_t threads;                 // threads that the exporter may use; 0: one
	bool by_self;                   // changes are of self counts
	bool normalized;                // text has the counts before scaled to the total after
	const struct code_reader *code; // reads machine code and sources; NULL: nothing does

	// Set by view_arrange():
	const struct tree *tree; // NULL: it was not called; of two profiles, it has changes
	uint64_t sum;            // of the counts
	uint64_t total;          // of the root: the sum, or the total of the transform
	struct tree built;
};

/** Build the tree, unless there is one. The stacks of the profile cannot be written after this. If
 * the transform leaves out stacks of two profiles, the scale gets the totals of the remaining ones.
 * Return 0, or -1 after diag_error(). */
int view_arrange(struct view *view, struct diag *diag);

/** Find the scale and the limit of noise of two profiles, from the self counts of their functions.
 * The totals and the counts of one sample are those of the scale. view_arrange() does this. */
void view_measure(struct compared *compared);

/** Return the sites of a profile that was arranged, for writing its stacks with files and lines.
 * Return NULL if it has none, or if its stacks are not all there, or not as they were read. */
const struct sites *view_sites(const struct view *view);

void view_release(struct view *view);

#endif
