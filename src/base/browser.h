/** Show a picture in the browser (--open). */
#pragma once

#include "base/diag.h"

/** Add a path for a new temporary file to `path`. `suffix` is the end of the name, without the
 * dot. */
void browser_name_file(struct buf *path, const char *suffix);

/**
 * Open a file with $BROWSER or with the desktop's program for pictures, and wait at most a second
 * for this program, to notice that it fails. Return 0, or -1 after diag_error().
 */
int browser_open(const char *path, struct diag *diag);
