/** A view is one profile, or two profiles that are compared, in the form that exporters need. The
 * view is arranged once. Exporters only read it. */
#pragma once

#include "analysis/transform.h"
#include "profile/compared.h"
#include "profile/tree.h"

struct code_reader; // see analysis/instructions.h

/** A view. The command sets the first members, and owns the objects to which they point. A zeroed
 * member stands for a missing object. */
struct view {
	struct profile *profile;   // names, stacks, unit, remarks and times
	struct compared *compared; // comparison of two profiles; NULL: one profile
	const struct transform *transform;
	size_t threads;    // number of threads that the exporter may use; 0: one
	bool by_self;      // changes are changes of self counts, not of totals
	bool keeps_stacks; // the profile's stacks are needed after an exporter has read them
	bool normalized;   // in text, earlier counts are scaled to the later total
	const struct code_reader *code; // functions that read machine code and sources; NULL: none

	// Set by view_arrange():
	// tree; NULL: not arranged yet; the tree of two profiles has changes
	const struct tree *tree;
	uint64_t sum;   // sum of the counts
	uint64_t total; // count of the root: the sum, or the total of the transform
	struct tree built;
};

/** Build the tree, unless it is built already. After this call, folded_write() cannot write the
 * profile. If the transform leaves out stacks of two profiles, set the totals of the scale to the
 * totals of the remaining stacks. Return 0, or -1 after diag_error(). */
int view_arrange(struct view *view, struct diag *diag);

/** Compute the scale and the limit of noise of two profiles from the self counts of their
 * functions. The scale already has the totals and the counts of one sample. view_arrange() calls
 * this function. */
void view_measure(struct compared *compared);

/** Return the sites of an arranged profile, for exporters that write files and lines. Return NULL
 * if the profile has no sites, or if options have removed or changed stacks. */
const struct sites *view_sites(const struct view *view);

void view_release(struct view *view);
