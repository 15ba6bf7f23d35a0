/** Options that keep, cut or leave out stacks of a profile in memory. The options have the same
 * meaning as in the command filter. */
#pragma once

#include "profile/profile.h"
#include "base/opt.h"

struct selection_options {
	struct opt_list keep, ignore, root, trim, hide, renames;
	const char *rules;     // path of a file, or NULL
	const char *from, *to; // times, which reading_run() passes to the format; or NULL
	bool fold_recursion, estimate_stacks;
	double least_share; // in percent
};

/** The options of the command line that set struct selection_options, and the names of these
 * options, separated by blanks. */
extern const struct opt selection_rows[];
extern const char selection_names[];

/** Check that --keep is not given too often. Return 0, or -1 after diag_error(). */
int selection_check(const struct selection_options *options, struct diag *diag);

/** Change the stacks of a profile. Return 0, or -1 after diag_error(), such as when no stack is
 * left. */
int selection_apply(const struct selection_options *options, struct profile *profile,
		    struct diag *diag);
