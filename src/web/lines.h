/** The source lines in a page. */
#pragma once

#include "analysis/site_groups.h"
#include "base/output.h"

/** The greatest number of lines in a page. A page has the lines with the largest totals. */
enum { LINES_MOST = 2000 };

/** Collect the source lines of a profile. Collect nothing from a comparison, a reversed profile, or
 * a profile without lines. */
void lines_collect(struct site_groups *lines, const struct view *view);

/** Write the source lines as a list, which the page's script reads. */
void lines_write(struct output *out, struct site_groups *lines, const struct view *view);
