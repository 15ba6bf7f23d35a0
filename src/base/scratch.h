/** Files without a name, for data that does not fit into memory. Such a file disappears when it is
 * closed, or when the process ends, even by a crash. */
#pragma once

#include "base/diag.h"

/** Return the folder for temporary files: $TMPDIR, or /tmp if this variable is not set. */
const char *scratch_folder(void);

/** Open an empty file in scratch_folder() for writing and reading. Return its descriptor, or -1
 * with errno set. */
int scratch_open(void);

/** Report that a temporary file could not be used. `verb` is "write" or "read". Return -1. */
int scratch_fail(struct diag *diag, const char *verb, int error);

/** Write all bytes to a descriptor. Return 0, or -1 with errno set. */
int scratch_write(int fd, const char *bytes, size_t size);
