/** Show a picture to whoever asked for it (--open). */
#ifndef INFERNO_BROWSER_H
#define INFERNO_BROWSER_H

#include "base/buf.h"

/** Add the name of a new file for a picture that is to be looked at. */
void browser_name_file(struct buf *path);

/**
 * Open a file with $BROWSER, or with what the desktop opens pictures with, and does not wait for
 * it to be closed. Return 0, or -1 after face_error().
 */
int browser_open(const char *path);

#endif
