/** What the options do to the stacks before they become a tree. */
#ifndef INFERNO_PLOT_ROWS_H
#define INFERNO_PLOT_ROWS_H

#include "plot/options.h"
#include "profile/profile.h"

/**
 * Check, cut, reverse, mark and sort the stacks as the options ask, so that tree_build() can read
 * them. Return 0, or -1 after diag_error().
 */
int rows_arrange(struct profile *profile, const struct graph_options *options, struct diag *diag);

#endif
