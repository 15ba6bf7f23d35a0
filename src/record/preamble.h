/** The start of the stream: the state before the recording, which the kernel's records do not have.
 */
#ifndef INFERNO_RECORD_PREAMBLE_H
#define INFERNO_RECORD_PREAMBLE_H

#include "base/buf.h"
#include "record/waiters.h"

/** Add the head of a recording: the events, this machine, and the address of its kernel. */
void preamble_add_head(struct buf *out, const struct counters *counters);

/** Add the names of a running process's threads, and its mappings of code. A process that has ended
 * adds nothing. */
void preamble_add_process(struct buf *out, int32_t pid);

/** Add the state of each thread of a process, running or not, and the stacks of those that do not
 * run. */
void preamble_add_switches(struct waiters *waiters, int32_t pid);

#endif
