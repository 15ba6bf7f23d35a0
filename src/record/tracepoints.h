/** Find and describe tracepoints of the kernel. The kernel lists the probes that users have added
 * as tracepoints, too. */
#pragma once

#include "record/events.h"

/** Call `add` with the name and the number of each tracepoint that matches the patterns. The
 * wildcards of a pattern are * and ?. Return the number of matches, or -1 after diag_error() if
 * tracepoints cannot be listed. */
int tracepoints_find(const struct event_places *places, const char *system, const char *name,
		     void (*add)(void *context, const char *name, uint64_t id), void *context,
		     struct diag *diag);

/** Call `each` with all tracepoints that can be listed. */
void tracepoints_each(const struct event_places *places,
		      void (*each)(void *context, struct str system, struct str name),
		      void *context);

/** Add perf's descriptions of the tracepoints among the events. Without these descriptions, perf
 * cannot read the recording. */
void tracepoints_describe(const struct event_places *places, struct record_events *events);
