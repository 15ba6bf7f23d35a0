/** Source files of the functions in a profile. */
#ifndef INFERNO_SOURCE_H
#define INFERNO_SOURCE_H

#include "base/buf.h"
#include "base/opt.h"

/** Return whether this machine has the source file with this path in the profile. The first rule
 * FROM=TO whose FROM matches the path changes the path. */
bool source_exists(struct str recorded, const struct opt_list *rules);

/** Read a source file into the empty `source`. Return 0, or an errno. */
int source_read(struct str recorded, const struct opt_list *rules, struct buf *source);

#endif
