/** The events to sample, given by names in the form that perf accepts. */
#pragma once

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "base/diag.h"

struct record_event {
	// the name as the user typed it, or the name of a tracepoint that matches a typed pattern
	const char *name;
	// The fields that the name sets: type, numbers, exclude_*, precise_ip, pinned, exclusive,
	// freq and sample_period. All other fields are zero.
	struct perf_event_attr attr;
	const char *tracepoint; // system and name of a tracepoint; NULL: it is not a tracepoint
	bool automatic; // whether the event is cycles, or cpu-clock on a machine without a counter
			// of cycles
	bool exact;  // whether the user gave the event's precision, which must then not be reduced
	bool guests; // whether the user chose to sample guests, or not to sample them
	bool named;  // whether the event's name differs from the usual name of an event with these
		     // numbers
	// processors on which the event's unit counts, such as "0,8"; NULL: all
	const char *only_on;
};

struct root;

/** The folders with descriptions of events. A zeroed struct means the usual ones. */
struct event_places {
	const char *devices; // folder to use instead of /sys/bus/event_source/devices
	const char *tracing; // folder to use instead of the events of tracefs
	struct root *root;   // helper that reads tracefs; NULL: this process reads it
	bool later;          // whether to leave out tracepoints, because only root can find them
};

struct record_events {
	struct record_event *items;
	size_t n, capacity;
	struct buf tracing; // descriptions of tracepoints, as perf stores them; may be empty
	struct arena arena;
};

/** Add the events of a list such as "cycles:u,{faults,sched:*}". Return 0, or -1 after
 * diag_error(). */
int record_events_add(struct record_events *events, const char *list,
		      const struct event_places *places, struct diag *diag);

/** Add the event cycles, or cpu-clock on a machine without a counter of cycles. */
void record_events_add_usual(struct record_events *events);

void record_events_release(struct record_events *events);
