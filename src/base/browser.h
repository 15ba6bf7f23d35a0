/** Show a picture in the browser (--open). */
#ifndef INFERNO_BROWSER_H
#define INFERNO_BROWSER_H

#include "base/diag.h"

/** Add the path of a new temporary file for a picture. `suffix` is its format. */
void browser_name_file(struct buf *path, const char *suffix);

/**
 * Open a file with $BROWSER or with the desktop's program for pictures, and return without waiting
 * for this program. Return 0, or -1 after diag_error().
 */
int browser_open(const char *path, struct diag *diag);

#endif
