/** Files that describe the kernel's tracepoints. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/** Open a file or folder below the folder with the tracepoints, such as "sched/sched_switch/id";
 * "." is that folder itself. `folder` is the folder with the tracepoints, or NULL to search the
 * usual places. Return a descriptor, or -1 with errno set: ENODEV if tracefs is not mounted. */
int tracefs_open(const char *folder, const char *path);

/** Add to `names` the names of the folders in an open folder, sorted, with a line end after each
 * name. Close the open folder. Return 0 or an errno. */
int tracefs_list(int fd, struct buf *names);
