/** Why a file cannot be opened or written, and how to fix it. */
#ifndef INFERNO_WHY_H
#define INFERNO_WHY_H

#include "base/buf.h"

/** Add the text of an errno from opening a file for reading, and a hint. */
void why_unread(struct buf *text, const char *path, int error);

/** Add the text of an errno from writing a file, and a hint. */
void why_unwritten(struct buf *text, const char *path, int error);

#endif
