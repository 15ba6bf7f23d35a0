/** The source lines in a page. */
#ifndef INFERNO_WEB_LINES_H
#define INFERNO_WEB_LINES_H

#include "analysis/site_groups.h"
#include "base/output.h"

/** The number of lines that a page has at most: those with the largest totals. */
enum { LINES_MOST = 2000 };

/** Collect the lines of one profile that is not reversed, if it has any. */
void lines_collect(struct site_groups *lines, const struct view *view);

/** Write them as a list, which the page's script reads. */
void lines_write(struct output *out, struct site_groups *lines, const struct view *view);

#endif
