/**
 * The event of a recording, or of its text, whose samples are kept.
 *
 * A recording may hold samples of several events, which cannot be added up. One event is kept: the
 * one that an option names, or the first one met. Of several inputs that start with different
 * events, the event with the most samples is kept; until all inputs are read, the samples of each
 * event stand in a profile of their own.
 */
#ifndef INFERNO_PERF_CHOICE_H
#define INFERNO_PERF_CHOICE_H

#include "collapse/collapser.h"
#include "collapse/perf_line.h"

/** An event that was met. */
struct perf_met {
	uint64_t samples;
	bool starts_input;       // it is the first one of some input
	bool weighed;            // some sample counts more than 1
	struct profile *profile; // where its samples go
};

struct perf_choice {
	struct run *run;
	const char *wanted;   // the event that an option names; NULL: none
	struct buf name;      // the event that is kept
	bool made;            // `name` is set
	bool keep_all;        // until all inputs are read
	bool input_starts;    // no event of this input was met
	struct intern events; // names, to the index in `met`
	struct perf_met *met; // met[0] is of samples whose event was not printed
	size_t n, capacity, current;
	struct profile holder; // the names of all events, while all are kept
};

/** Prepare a zeroed choice. */
void perf_choice_init(struct perf_choice *choice, struct run *run, const char *wanted);

/** Keep the samples of all events until the input is read, unless one was chosen or met already. */
void perf_choice_keep_all(struct perf_choice *choice);

/** Return the profile that frames are to be named in. */
static inline struct profile *perf_choice_profile(struct perf_choice *choice) {
	return choice->keep_all ? &choice->holder : choice->run->profile;
}

/** Make the event of line `number` the current one. Return whether its samples are kept. */
bool perf_choice_meet(struct perf_choice *choice, const struct perf_event *event, uint64_t number);

/** Return what was met of the current event. */
static inline struct perf_met *perf_choice_current(const struct perf_choice *choice) {
	return &choice->met[choice->current];
}

/** Return whether other workers can start. */
bool perf_choice_ready(const struct perf_choice *choice);

/** Keep the event that another worker keeps. */
void perf_choice_follow(struct perf_choice *choice, const struct perf_choice *first);

/** Choose the event of all workers if none was chosen yet, and tell which events were left out.
 * Return 0, or -1 after diag_error(). */
int perf_choice_decide(struct perf_choice **choices, size_t n, struct diag *diag);

/** Add the samples of the event that was chosen, and those whose event was not printed, to the
 * run's profile. */
void perf_choice_finish(struct perf_choice *choice);

/** Add the unit of the event that is kept to the empty `unit`, if samples are weighed. */
void perf_choice_find_unit(const struct perf_choice *choice, struct buf *unit);

void perf_choice_release(struct perf_choice *choice);

#endif
