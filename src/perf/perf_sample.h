/** Count samples of perf. The reader of text and the reader of recordings fill the same struct. */
#pragma once

#include "perf/event_select.h"
#include "perf/process.h"
#include "profile/meaning.h"

/** A zeroed struct is a sample without frames. */
struct perf_sample {
	struct stack stack;     // the frames, pushed from the leaf on
	struct perf_root root;  // root frame of the sample's task
	struct perf_met *event; // event whose samples include this sample
	uint64_t count;         // count of the sample: the period or the weight
	uint64_t period;        // 0: not known, so the count is the sample's only value
	bool timed;             // the sample has a time, in the next two members
	uint64_t from, to;      // start and end in ns; equal for a point in time
	bool has_lock;          // the sample's thread holds the lock of its interpreter
	bool unnamed;           // some frame gets its name at the end of the input; see
				// perf/deferred.h
};

static inline void perf_sample_clear(struct perf_sample *sample) {
	stack_clear(&sample->stack);
	sample->unnamed = false;
}

/** Pass the time of the sample to the profile, for the next stack. */
void perf_sample_tell_time(const struct perf_sample *sample);

/** If the profile keeps all values, pass it both values of the next stack: the number of samples,
 * and the sum of their periods. */
void perf_sample_tell_values(struct perf_met *event, uint64_t samples, uint64_t period);

/** Count the sample in the profile of its event, and remove its frames. */
void perf_sample_fold(struct perf_sample *sample);
