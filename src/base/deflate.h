/** Bytes made smaller. */
#ifndef INFERNO_DEFLATE_H
#define INFERNO_DEFLATE_H

#include "base/buf.h"

/**
 * Append the bytes in the deflate format (RFC 1951, without a header). Return false, and appends
 * nothing, in a program that was built without libdeflate.
 */
bool deflate_add(struct buf *out, struct str bytes);

#endif
