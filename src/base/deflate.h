/** Compression of bytes. */
#ifndef INFERNO_DEFLATE_H
#define INFERNO_DEFLATE_H

#include "base/buf.h"

/** Append the bytes in the deflate format (RFC 1951, without a header). Return false and append
 * nothing if the program was built without libdeflate. */
bool deflate_add(struct buf *out, struct str bytes);

#endif
