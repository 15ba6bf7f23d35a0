/**
 * The event whose samples are kept, of a recording or of text from one.
 *
 * The samples of several events cannot be added up. So one event is kept: the one that an option
 * names, or the first one met. If several inputs start with different events, the event with the
 * most samples is kept. Until all inputs are read, the samples of each event are in a profile of
 * their own.
 */
#ifndef INFERNO_PERF_CHOICE_H
#define INFERNO_PERF_CHOICE_H

#include "collapse/collapser.h"
#include "collapse/perf_line.h"

/** An event with samples. */
struct perf_met {
	uint64_t samples;
	bool starts_input;       // some input starts with it
	bool weighed;            // one of its samples counts more than 1, or each occurrence is one
	struct profile *profile; // where its samples go
};

struct perf_choice {
	struct run *run;
	const char *wanted;   // the event that an option names, or NULL
	struct buf name;      // the event that is kept
	bool made;            // `name` is set
	bool keep_all;        // samples of all events are kept, until all inputs are read
	bool input_starts;    // no event of the current input was met yet
	struct intern events; // names to indices in `met`
	struct perf_met *met; // met[0] is for samples whose event was not printed
	size_t n, capacity, current;
	struct profile holder; // the names of all events, while all are kept
};

/** Prepare a zeroed choice. */
void perf_choice_init(struct perf_choice *choice, struct run *run, const char *wanted);

/** Keep the samples of all events until the input is read, unless an event was already chosen or
 * met. */
void perf_choice_keep_all(struct perf_choice *choice);

/** Return the profile that holds the names of frames. */
static inline struct profile *perf_choice_profile(struct perf_choice *choice) {
	return choice->keep_all ? &choice->holder : choice->run->profile;
}

/** Set the current event, that of line `number`. Return whether its samples are kept. */
bool perf_choice_meet(struct perf_choice *choice, const struct perf_event *event, uint64_t number);

/** Return the current event. */
static inline struct perf_met *perf_choice_current(const struct perf_choice *choice) {
	return &choice->met[choice->current];
}

/** Return whether other workers can start. */
bool perf_choice_ready(const struct perf_choice *choice);

/** Keep the same event as another worker. */
void perf_choice_follow(struct perf_choice *choice, const struct perf_choice *first);

/** Choose an event for all workers, unless one was chosen, and report which events were left out.
 * Return 0, or -1 after diag_error(). */
int perf_choice_decide(struct perf_choice **choices, size_t n, struct diag *diag);

/** Add the samples of the chosen event, and those whose event was not printed, to the run's
 * profile. */
void perf_choice_finish(struct perf_choice *choice);

/** Add the unit of the kept event to the empty `unit`, if samples have weights. */
void perf_choice_find_unit(const struct perf_choice *choice, struct buf *unit);

void perf_choice_release(struct perf_choice *choice);

#endif
