/** Bytes made smaller. */
#ifndef INFERNO_DEFLATE_H
#define INFERNO_DEFLATE_H

#include "base/buf.h"

/**
 * Appends `parts`, one after the other, in the deflate format (RFC 1951, without a header). Each
 * part is coded by itself, which pays where one is unlike the next. Returns false, and appends
 * nothing, in a program that was built without zlib.
 */
bool deflate_add(struct buf *out, const struct str *parts, size_t n);

#endif
