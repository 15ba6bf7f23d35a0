/** The start of the stream: what the kernel's records leave out, because it was there before. */
#ifndef INFERNO_RECORD_PREAMBLE_H
#define INFERNO_RECORD_PREAMBLE_H

#include <linux/perf_event.h>

#include "base/buf.h"

/** Add the head of a recording: the event, this machine, and where its kernel is. */
void preamble_add_head(struct buf *out, const struct perf_event_attr *attr);

/** Add the names of the threads of a running process, and what code it has mapped. A process that
 * has ended adds nothing. */
void preamble_add_process(struct buf *out, int32_t pid);

#endif
