/** Why a file cannot be opened or written, and what helps. */
#ifndef INFERNO_WHY_H
#define INFERNO_WHY_H

#include "base/buf.h"

/** Add the text of an errno that came from opening a file to read, and what helps. */
void why_unread(struct buf *text, const char *path, int error);

/** Add the text of an errno that came from writing a file, and what helps. */
void why_unwritten(struct buf *text, const char *path, int error);

#endif
