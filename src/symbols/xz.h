/** Unpack the parts of object files that are compressed with xz. */
#pragma once

#include "base/buf.h"

/** Unpack xz data, and add the unpacked bytes to `bytes`. Return false if the data is damaged, or
 * if it unpacks to more than `most` bytes. Data that exceeds `most` by less than 256 KiB may be
 * accepted. Return false and set `*missing` if this build lacks liblzma, or cannot load it. */
bool xz_unpack(struct str packed, struct buf *bytes, uint64_t most, bool *missing);
