/** The text of a frame, for formats whose names are neither demangled nor repaired. */
#ifndef INFERNO_FRAME_TEXT_H
#define INFERNO_FRAME_TEXT_H

#include "base/buf.h"

/** Put a name into `out` as folded text has it: ill-formed UTF-8 is replaced, `;` becomes `:`,
 * control bytes become blanks. The result is in `out`, and valid until that changes. */
struct str frame_text(struct buf *out, struct str name);

#endif
