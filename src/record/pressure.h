/** Signs that the kernel writes records faster than the recorder reads them. */
#ifndef INFERNO_RECORD_PRESSURE_H
#define INFERNO_RECORD_PRESSURE_H

#include "record/rings.h"

/** Return whether this process may give its threads priority over all others. */
bool pressure_may_hurry(void);

/** Give this thread priority over all others. If that is not allowed, ask for shorter waits than
 * usual.
 */
void pressure_hurry(void);

/** Return whether less of each stack should be copied: either because the reader of the stream is
 * slow, or because this thread may have to wait for a processor and many threads run, a ring was
 * half full, or samples were lost. */
bool pressure_is_high(const struct rings *rings, struct stream *stream, size_t cpus, bool hurries);

#endif
