/** Compress bytes to the deflate format, and unpack deflate and zlib. */
#pragma once

#include "base/buf.h"

/** Compress `bytes` to the deflate format (RFC 1951, without a header). Append the result to `out`.
 * Return false and append nothing if the program was built without libdeflate. */
bool deflate_add(struct buf *out, struct str bytes);

/** Unpack one or more streams in the deflate format, and append the bytes to `out`. Return false if
 * the streams are damaged, if `out` would become larger than `most` bytes, or if the program was
 * built without libdeflate. */
bool deflate_read(struct buf *out, struct str bytes, uint64_t most);

/** Unpack data in the zlib format (RFC 1950) into exactly `size` bytes. Return false if the
 * unpacked data has another size or is damaged, or if the program was built without libdeflate. */
bool deflate_unpack(void *out, size_t size, struct str bytes);
