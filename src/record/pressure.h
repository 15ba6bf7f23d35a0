/** Signs that the kernel writes records faster than the recorder reads them. */
#pragma once

#include "record/rings.h"

/** Return whether this process may give its threads priority over all others. */
bool pressure_may_hurry(void);

/** Give this thread priority over all others. If this is not allowed, ask the kernel to let this
 * thread wait less than usual for a processor. */
void pressure_hurry(void);

/** Return whether less of each stack should be copied. This is so if the reader of the stream is
 * slow. It is also so if this thread may have to wait for a processor, and one of these is true:
 * many threads run, a ring was half full, or samples were lost. */
bool pressure_is_high(const struct rings *rings, struct stream *stream, size_t cpus, bool hurries);
