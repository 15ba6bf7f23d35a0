/** Compression of bytes. */
#ifndef INFERNO_DEFLATE_H
#define INFERNO_DEFLATE_H

#include "base/buf.h"

/** Append the bytes in the deflate format (RFC 1951, without a header). Return false and append
 * nothing if the program was built without libdeflate. */
bool deflate_add(struct buf *out, struct str bytes);

/** Unpack bytes in the zlib format (RFC 1950) that give exactly `size` bytes. Return false if they
 * do not, or if the program was built without libdeflate. */
bool deflate_unpack(void *out, size_t size, struct str bytes);

#endif
