/** Names of events that are the same on every kernel. Other profilers use the same names. */
#ifndef INFERNO_RECORD_EVENT_NAMES_H
#define INFERNO_RECORD_EVENT_NAMES_H

#include <linux/perf_event.h>

#include "base/buf.h"

/** Find an event of hardware, its caches or the kernel, such as cycles, LLC-loads or page-faults.
 * Set the type and the number of the event. Return whether there is an event of this name. */
bool event_by_name(struct str name, struct perf_event_attr *attr);

/** Parse up to 16 hexadecimal digits. Return whether the text consists of such digits. */
bool event_parse_hex(struct str text, uint64_t *value);

/** Parse the name of a raw event, such as r1a8. */
bool event_raw(struct str name, __u64 *config);

/** Return whether each occurrence of an event is a sample unless the user asks for something
 * else: tracepoints, breakpoints, and events of the kernel that are not clocks. */
bool event_is_occurrence(const struct perf_event_attr *attr);

/** Call `each` with the names that event_by_name() finds, without further names of the same event.
 */
void event_each_name(void (*each)(void *context, struct str name), void *context);

#endif
