/** As much of a function's name as a box has room for, and the part that tells most. */
#ifndef INFERNO_LABEL_H
#define INFERNO_LABEL_H

#include "base/buf.h"

/**
 * Shorten a name, which is well-formed UTF-8, to `room` characters, at least 3. Step by step,
 * until it fits, it loses its argument lists and template arguments; its leading namespaces,
 * packages or folders; its end, in place of which there is an ellipsis. Return a part of the name
 * or what it wrote into `buf`.
 */
struct str label_shorten(struct str name, size_t room, struct buf *buf);

#endif
