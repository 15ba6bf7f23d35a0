/** Find and read source files of the functions in a profile. */
#pragma once

#include "base/buf.h"
#include "base/opt.h"

/** Return whether this machine has a source file. `recorded` is the path of the file in the
 * profile. The first rule FROM=TO whose FROM is the start of this path replaces this start by
 * TO. */
bool source_exists(struct str recorded, const struct opt_list *rules);

/** Read a source file into `source`, which must be empty. Return 0, or an errno. */
int source_read(struct str recorded, const struct opt_list *rules, struct buf *source);
