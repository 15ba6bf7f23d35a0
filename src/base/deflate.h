/** Compression of bytes. */
#ifndef INFERNO_DEFLATE_H
#define INFERNO_DEFLATE_H

#include "base/buf.h"

/** Append the bytes in the deflate format (RFC 1951, without a header). Return false and append
 * nothing if the program was built without libdeflate. */
bool deflate_add(struct buf *out, struct str bytes);

/** Append what one or more streams in the deflate format hold, at most `most` bytes. Return false
 * if they are broken or hold more, or if the program was built without libdeflate. */
bool deflate_read(struct buf *out, struct str bytes, uint64_t most);

/** Unpack bytes in the zlib format (RFC 1950) that give exactly `size` bytes. Return false if they
 * do not, or if the program was built without libdeflate. */
bool deflate_unpack(void *out, size_t size, struct str bytes);

#endif
