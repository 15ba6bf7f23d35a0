/** Packed parts of object files: xz. */
#ifndef INFERNO_SYMBOLS_UNPACK_H
#define INFERNO_SYMBOLS_UNPACK_H

#include "base/buf.h"

/** Unpack xz into `bytes`, up to 256 MiB. Return false if it is broken or larger, or, setting
 * `*missing`, if liblzma is not in this build or cannot be loaded. */
bool unpack_xz(struct str packed, struct buf *bytes, bool *missing);

#endif
