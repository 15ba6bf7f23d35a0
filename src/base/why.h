/** Explain why a file cannot be opened or written, and how to fix it. */
#pragma once

#include "base/buf.h"

/** Add the text of `error`, which is from opening the file at `path` for reading, and a hint. */
void why_unread(struct buf *text, const char *path, int error);

/** Add the text of `error`, which is from writing the file at `path`, and a hint. */
void why_unwritten(struct buf *text, const char *path, int error);
