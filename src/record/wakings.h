/** The event of one thread waking another. It has the time when a wait ended, after which the
 * thread only waited for a processor, and the thread that ended it. Any thread may be the waker, so
 * it is recorded for all threads, which only root may do. */
#ifndef INFERNO_RECORD_WAKINGS_H
#define INFERNO_RECORD_WAKINGS_H

#include <linux/perf_event.h>

#include "base/buf.h"
#include "record/record.h"

/** The name of the event in recordings. */
#define WAKINGS_NAME "sched:sched_waking"

/** Make the event from another one that takes samples. Return false if this kernel does not show
 * it. */
bool wakings_make(struct perf_event_attr *attr, const struct record_options *options);

/** Add the kernel's description of the event, without which perf cannot print its fields. */
void wakings_describe(struct buf *out, const struct record_options *options);

#endif
