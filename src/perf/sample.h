/** A sample of perf. The readers of text and of recordings fill one in the same way. */
#ifndef INFERNO_PERF_SAMPLE_H
#define INFERNO_PERF_SAMPLE_H

#include "perf/event_select.h"
#include "perf/process.h"
#include "profile/meaning.h"

/** Zeroed memory is a sample without frames. */
struct perf_sample {
	struct stack stack;     // the frames, pushed from the leaf on
	struct perf_root root;  // of its task
	struct perf_met *event; // gets it
	uint64_t count;         // its period or weight
	uint64_t period;        // 0: not known, so it has no other value than its count
	bool timed;             // it has a time:
	uint64_t from, to;      // in ns; equal for a point in time
	bool unnamed;           // the name of some frame comes in the end; see perf/deferred.h
};

/** Remove the frames. */
static inline void perf_sample_clear(struct perf_sample *sample) {
	stack_clear(&sample->stack);
	sample->unnamed = false;
}

/** Set the time of the next stack in the profile. */
void perf_sample_tell_time(const struct perf_sample *sample);

/** Pass both values of the next stack to the profile, if it wants them: a number of samples,
 * and the sum of their periods. */
void perf_sample_tell_values(struct perf_met *event, uint64_t samples, uint64_t period);

/** Count the sample in the profile of its event, and remove its frames. */
void perf_sample_fold(struct perf_sample *sample);

#endif
