/** The text of a frame, for formats whose names are neither demangled nor repaired. */
#ifndef INFERNO_FRAME_TEXT_H
#define INFERNO_FRAME_TEXT_H

#include "base/buf.h"

/**
 * Put into `out` what a name reads as in folded text: ill-formed UTF-8 replaced, a `;` made `:`,
 * control bytes made blanks. The result lives in `out`, until that changes.
 */
struct str frame_text(struct buf *out, struct str name);

#endif
