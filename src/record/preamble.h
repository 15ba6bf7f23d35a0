/** The start of the stream: what the kernel's records leave out, because it was there before. */
#ifndef INFERNO_RECORD_PREAMBLE_H
#define INFERNO_RECORD_PREAMBLE_H

#include "base/buf.h"
#include "record/waiters.h"

/** Add the head of a recording: the events, this machine, and where its kernel is. */
void preamble_add_head(struct buf *out, const struct counters *counters);

/** Add the names of the threads of a running process, and what code it has mapped. A process that
 * has ended adds nothing. */
void preamble_add_process(struct buf *out, int32_t pid);

/** Add which threads of a process run at this time, and which do not, with the stacks of these. */
void preamble_add_switches(struct waiters *waiters, int32_t pid);

#endif
