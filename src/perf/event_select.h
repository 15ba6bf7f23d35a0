/**
 * Select the event whose samples are kept, in a recording or in text from perf script.
 *
 * The samples of different events cannot be added up. So the samples of only one event are kept. If
 * an option names an event, its samples are kept. Otherwise, the samples of the first event in the
 * input are kept. If inputs start with different events, the one of these events with the most
 * samples is kept. If there are several inputs, or if a recording has several events, the samples
 * of each event are in a separate profile until all inputs are read.
 */
#pragma once

#include "base/diag.h"
#include "perf/line.h"
#include "profile/parts.h"

/** An event that has samples. */
struct perf_met {
	uint64_t samples;
	bool starts_input; // an input starts with this event
	bool weighed;      // some sample counts more than 1, or the event has a sample for each
			   // occurrence
	struct profile *profile; // profile that gets the event's samples
	struct str name;         // name of the event, as in `events`; empty: perf did not print it
	struct buf unit;         // unit of the event's periods, if the profile keeps all values
};

struct event_select {
	struct profile *profile;     // profile of the run, which gets the samples of the kept event
	struct profile_parts *parts; // gets the samples of the other events; NULL: drop them
	const char *wanted;          // name of the event in an option, or NULL
	bool by_value;   // `wanted` comes from --value, so an event without samples is an error
	struct buf name; // name of the kept event
	bool made;       // `name` is set
	bool keep_all;   // the samples of all events are kept until all inputs are read
	// unit of the time that is counted instead of samples; "": samples are counted
	const char *time_unit;
	bool input_starts;    // no event of the current input was seen yet
	struct intern events; // keys are the names of events; the value is the index in `met`
	struct perf_met *met; // the events; met[0] is for samples whose event perf did not print
	size_t n, capacity, current;
	struct profile holder; // holds the names of frames while the samples of all events are kept
};

/** Prepare a zeroed struct for `inputs` inputs. `wanted` may be NULL. */
void event_select_init(struct event_select *select, struct profile *profile, size_t inputs,
		       const char *wanted);

/** Count time in this unit instead of the samples of an event. If `unit` is "", count samples.
 * Return false if an earlier call has set another unit. */
bool event_select_time(struct event_select *select, const char *unit);

/** Keep the samples of all events until the input is read. If an event was already chosen or seen,
 * do nothing. */
void event_select_keep_all(struct event_select *select);

/** Return the profile that holds the names of frames. */
static inline struct profile *event_select_profile(struct event_select *select) {
	return select->keep_all ? &select->holder : select->profile;
}

/** The format of a note for the user. Its argument is the name of the event that is kept. */
#define EVENT_SELECT_NOTE "filtering for events of type: %s"

/** Set the current event. Return whether its samples are kept. If this call decides which event is
 * kept, set `*made`, so that the caller prints EVENT_SELECT_NOTE. */
bool event_select_meet(struct event_select *select, const struct perf_event *event, bool *made);

static inline struct perf_met *event_select_current(const struct event_select *select) {
	return &select->met[select->current];
}

/** Return whether other workers can start. The other workers can start when this worker has decided
 * which event is kept. If the samples of all events are kept, the others can start when the first
 * event of the input is known. */
bool event_select_ready(const struct event_select *select);

/** Keep the same event as another worker. */
void event_select_follow(struct event_select *select, const struct event_select *first);

/** Choose one event for all workers, unless an event was already chosen. Report which events were
 * left out. Return 0, or -1 after diag_error(). */
int event_select_decide(struct event_select **selects, size_t n, struct diag *diag);

/** Add the samples of the chosen event to the profile of the run. Add the samples whose event perf
 * did not print, too. Unless `parts` is NULL, move the samples of the other events to it. */
void event_select_finish(struct event_select *select);

/** If samples have weights, add the unit of the kept event to the empty buffer `unit`. */
void event_select_find_unit(const struct event_select *select, struct buf *unit);

void event_select_release(struct event_select *select);
