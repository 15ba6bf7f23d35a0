/** Make rows of a report for modules and source lines. Each row has a name, and counts as a
 * function has. */
#pragma once

#include "analysis/site_sums.h"
#include "base/mem.h"

/** A zeroed struct is empty. */
struct site_groups {
	struct site_sums sums;
	struct functions rows; // names and counts of `sums`, in the same order; the rank of a line
			       // is the rank of its function
	struct arena texts;
};

/** Add up a view by module or by line, and name the sums. Names are, for example, "/lib/libc.so.6"
 * and "src/main.c:12 main". `ranked` are the functions of the view, with their ranks. The profile
 * must have sites. */
void site_groups_collect(struct site_groups *groups, const struct view *view, enum site_sums_by by,
			 const struct functions *ranked);

/** Add the last two parts of a path. Two parts are enough to distinguish most files. */
void site_groups_add_path(struct buf *out, struct str path);

/** Add the reason why no line or module is known, and how to fix this. `only` is the id of the name
 * of the only function that matters, or SITE_NO_NAME for all functions. */
void site_groups_explain(struct buf *out, const struct view *view, uint32_t only);

void site_groups_release(struct site_groups *groups);
