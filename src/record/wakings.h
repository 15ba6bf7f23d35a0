/** The event of one thread waking another. This event shows which thread ended a wait, and when:
 * after this time, the woken thread only waited for a processor. Any thread may wake another, so
 * the event is recorded for all threads, which only root may do. */
#ifndef INFERNO_RECORD_WAKINGS_H
#define INFERNO_RECORD_WAKINGS_H

#include <linux/perf_event.h>

#include "base/buf.h"
#include "record/record.h"

/** The name of the event in recordings. */
#define WAKINGS_NAME "sched:sched_waking"

/** Make the attributes of the event from those of another event that takes samples. Return false if
 * this kernel does not have the event, or this user may not see it. */
bool wakings_make(struct perf_event_attr *attr, const struct record_options *options);

/** Add the kernel's description of the event, without which perf cannot print its fields. */
void wakings_describe(struct buf *out, const struct record_options *options);

#endif
