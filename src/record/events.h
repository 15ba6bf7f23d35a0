/** The events to sample, from names as perf takes them. */
#ifndef INFERNO_RECORD_EVENTS_H
#define INFERNO_RECORD_EVENTS_H

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "base/diag.h"

struct record_event {
	const char *name; // as it was typed, or of a tracepoint that a pattern has found
	// The fields that the name sets: type, numbers, exclude_*, precise_ip, pinned,
	// exclusive, freq and sample_period. All else is zero.
	struct perf_event_attr attr;
	const char *tracepoint; // its system and its name; NULL: it is none
	bool automatic;         // cycles, or cpu-clock if there is no such counter
	bool exact;             // its precision was given, and is not given up
	bool guests;            // whether guests are sampled was given
	bool named;             // its name is not the one that its numbers have
	const char *only_on;    // processors that its unit counts for, such as "0,8"; NULL: all
};

struct root;

/** Where descriptions of events are. A zeroed struct has the usual places. */
struct event_places {
	const char *devices; // instead of /sys/bus/event_source/devices
	const char *tracing; // instead of the events of tracefs
	struct root *root;   // reads tracefs; NULL: this process does
	bool later;          // leave out tracepoints: only root can find them
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

/** Add cycles, or cpu-clock if there is no such counter. */
void record_events_add_usual(struct record_events *events);

void record_events_release(struct record_events *events);

#endif
