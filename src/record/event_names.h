/** The names of events that every kernel has. Other profilers use the same names. */
#pragma once

#include <linux/perf_event.h>

#include "base/buf.h"

/** Find an event of the processor, of its caches or of the kernel, such as cycles, LLC-loads or
 * page-faults. Set the type and the number of the event. Return whether there is an event of this
 * name. */
bool event_by_name(struct str name, struct perf_event_attr *attr);

/** Parse 1 to 16 hexadecimal digits. Return false if the text is anything else. */
bool event_parse_hex(struct str text, uint64_t *value);

/** Parse the name of a raw event, such as r1a8 or r0x1a8. Return false if the text is anything
 * else. */
bool event_raw(struct str name, __u64 *config);

/** Return whether by default each occurrence of an event is a sample. This is so for tracepoints,
 * breakpoints, and events of the kernel that are not clocks. */
bool event_is_occurrence(const struct perf_event_attr *attr);

/** Call `each` with all names of the events of the processor and of the kernel, and with the usual
 * names of the events of caches. */
void event_each_name(void (*each)(void *context, struct str name), void *context);
