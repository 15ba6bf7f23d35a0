/** The event that one thread wakes another: it tells from when on a thread that waited waits for a
 * processor alone, and who woke it. Only root may record it: of all threads, as any of them may be
 * the waker. */
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
