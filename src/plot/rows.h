/** What the options do to the stacks before they become a tree. */
#ifndef INFERNO_PLOT_ROWS_H
#define INFERNO_PLOT_ROWS_H

#include "plot/options.h"
#include "profile/profile.h"

/**
 * Check, cuts, turns, marks and sorts the rows as the options ask. Afterwards the stacks are fit
 * for tree_build(). Return 0, or -1 after diag_error().
 */
int rows_arrange(struct profile *profile, const struct graph_options *options, struct diag *diag);

#endif
