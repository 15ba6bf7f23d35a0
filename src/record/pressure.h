/** Signs that the kernel writes records faster than the recorder reads them. */
#ifndef INFERNO_RECORD_PRESSURE_H
#define INFERNO_RECORD_PRESSURE_H

#include "record/rings.h"

/** Return whether this process may have its threads run before all others. */
bool pressure_may_hurry(void);

/** Give this thread priority over all others or, if that is not allowed, shorter waits than usual.
 */
void pressure_hurry(void);

/** Return whether less of each stack should be copied: because the reader of the stream is slow
 * or, if this thread may have to wait for a processor, because there are many threads that run, a
 * ring was half full, or samples were lost. */
bool pressure_is_high(const struct rings *rings, struct stream *stream, size_t cpus, bool hurries);

#endif
