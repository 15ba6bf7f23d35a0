/** Modules and source lines as rows of a report. Each row has a name, and the same counts as a
 * function. */
#ifndef INFERNO_SITE_GROUPS_H
#define INFERNO_SITE_GROUPS_H

#include "analysis/site_sums.h"
#include "base/mem.h"

/** A zeroed struct is empty. */
struct site_groups {
	struct site_sums sums;
	struct functions rows; // parallel arrays of names and counts; the rank is that of
			       // the line's function
	struct arena texts;
};

/** Add up a view by module or by line, and name the sums: "/lib/libc.so.6", "src/main.c:12 main".
 * `ranked` are the functions of the view, with their ranks. The profile has sites. */
void site_groups_collect(struct site_groups *groups, const struct view *view, enum site_sums_by by,
			 const struct functions *ranked);

/** Add the last two parts of a path, which distinguish most files. */
void site_groups_add_path(struct buf *out, struct str path);

/** Add the reason why no line or module of a profile is known, and how to fix this. `only` is the
 * id of a function's name, or SITE_NO_NAME for all functions. */
void site_groups_explain(struct buf *out, const struct view *view, uint32_t only);

void site_groups_release(struct site_groups *groups);

#endif
