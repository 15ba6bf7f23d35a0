/** The event of one thread waking another. The event shows which thread woke the other one, and at
 * what time. After this time, the woken thread waited only for a processor. Any thread may wake
 * another thread, so the event must be recorded for all threads. Most ordinary users may not record
 * the event for all threads. */
#pragma once

#include <linux/perf_event.h>

#include "base/buf.h"
#include "record/record.h"

/** The name of the event in recordings. */
#define WAKINGS_NAME "sched:sched_waking"

/** Make the attributes of the event. Before the call, `attr` holds the attributes of another event
 * that takes samples. Return false if this kernel does not have the event, or this user may not see
 * it. */
bool wakings_make(struct perf_event_attr *attr, const struct record_options *options);

/** Add the kernel's description of the event. Without this description, perf cannot print the
 * fields of the event. */
void wakings_describe(struct buf *out, const struct record_options *options);
