/** Read the events of a recording from its attributes, and find the event to which a record
 * belongs. */
#pragma once

#include "base/intern.h"
#include "base/diag.h"
#include "perf/data/cursor.h"

/** Bits of `sample_type`: the fields that each sample has. */
enum {
	SAMPLE_IP = 1 << 0,
	SAMPLE_TID = 1 << 1,
	SAMPLE_TIME = 1 << 2,
	SAMPLE_ADDR = 1 << 3,
	SAMPLE_READ = 1 << 4,
	SAMPLE_CALLCHAIN = 1 << 5,
	SAMPLE_ID = 1 << 6,
	SAMPLE_CPU = 1 << 7,
	SAMPLE_PERIOD = 1 << 8,
	SAMPLE_STREAM_ID = 1 << 9,
	SAMPLE_RAW = 1 << 10,
	SAMPLE_BRANCH_STACK = 1 << 11,
	SAMPLE_REGS_USER = 1 << 12,
	SAMPLE_STACK_USER = 1 << 13,
	SAMPLE_IDENTIFIER = 1 << 16,
};

enum event_type { EVENT_HARDWARE, EVENT_SOFTWARE, EVENT_TRACEPOINT, EVENT_CACHE, EVENT_RAW };

/** Numbers of software events. */
enum {
	SOFTWARE_CPU_CLOCK = 0,
	SOFTWARE_TASK_CLOCK = 1,
	SOFTWARE_CONTEXT_SWITCHES = 3,
	SOFTWARE_DUMMY = 9
};

struct perfdata_event {
	struct str name; // name with its modifier, such as "cycles:u"
	uint32_t index;  // index in the recording's list of events
	uint32_t type;
	uint64_t config;
	uint64_t rate; // samples per second if `is_frequency` is true; otherwise occurrences of the
		       // event between two samples
	uint64_t sample_type, read_format, branch_sample_type, registers_user, precise;
	uint32_t stack_size;  // largest number of bytes of the stack in a sample
	uint32_t frames_most; // largest number of frames in a call chain; 0: the kernel's usual
			      // limit
	bool is_frequency;
	bool has_trailer; // records other than samples end with a trailer: the time and other
			  // fields
	bool exclude_user, exclude_kernel, exclude_hypervisor, exclude_host, exclude_guest;
	size_t time_at;   // offset of the time in a sample; SIZE_MAX: no time
	size_t time_back; // distance of the time from the end of other records; SIZE_MAX: no time
	uint64_t samples; // number of samples read
};

/** All events of a recording. A zeroed struct has no events. */
struct perfdata_events {
	struct perfdata_event **items;
	size_t n, capacity;
	struct intern ids; // keys are sample ids; the value is 1 + the index of the event
	uint64_t last_id;  // the last id that was looked up, and (below) its event
	struct perfdata_event *last;
	size_t id_at, id_back; // offset of the id in a sample, and distance of the id from the end
			       // of other records; the same for all events
	struct arena arena;
};

/** Add an event from an attribute. Return false if the bytes are not an attribute. */
bool events_add(struct perfdata_events *events, struct str attribute, bool swap);

/** Remember that samples with this id belong to event `index`. */
void events_add_id(struct perfdata_events *events, uint64_t id, size_t index);

void events_name(struct perfdata_events *events, size_t index, struct str name);

/** Name the events that have no name yet, and determine the offset of the id in samples. Return
 * false if the events of samples cannot be distinguished. */
bool events_finish(struct perfdata_events *events);

/** Return the event of a sample (events_of_sample) or of any other record (events_of_other) from
 * the body of the record. If the id in the record is unknown, events_of_sample() returns NULL, and
 * events_of_other() returns the first event. */
struct perfdata_event *events_of_sample(struct perfdata_events *events, struct str body, bool swap);
struct perfdata_event *events_of_other(struct perfdata_events *events, struct str body, bool swap);

/** Return the time of a record, or 0 if it has no time. */
uint64_t event_time(const struct perfdata_event *event, bool is_sample, struct str body, bool swap);

void events_release(struct perfdata_events *events);
