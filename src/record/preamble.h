/** The start of the stream: records of the state before the recording. The kernel writes no records
 * of this state. */
#pragma once

#include "base/buf.h"
#include "record/waiters.h"

/** Add the head of a recording: the events, descriptions of this machine and of tracepoints, and
 * the mappings of the kernel and its modules. */
void preamble_add_head(struct buf *out, const struct counters *counters);

/** Add the names of a running process's threads, and its mappings of code. A process that has ended
 * adds nothing. */
void preamble_add_process(struct buf *out, int32_t pid);

/** Add for each thread of a process whether the thread runs. For a thread that does not run, also
 * add its stack. */
void preamble_add_switches(struct waiters *waiters, int32_t pid);
