/* Count samples. */
#include "perf/sample.h"

void perf_sample_tell_time(const struct perf_sample *sample) {
	struct profile *profile = sample->event->profile;
	if (profile_wants_times(profile) && sample->timed) {
		profile_during(profile, sample->root.label, sample->from, sample->to);
	} else if (profile_wants_times(profile)) {
		profile_at_no_time(profile);
	}
}

void perf_sample_fold(struct perf_sample *sample) {
	struct profile *profile = sample->event->profile;
	const uint32_t *ids = stack_ids(&sample->stack);
	size_t depth = stack_depth(&sample->stack);
	sample->event->weighed |= sample->count > 1;
	perf_sample_tell_time(sample);
	if (sample->unnamed) {
		profile_add_unnamed(profile, ids, depth, sample->count);
	} else {
		profile_add(profile, ids, depth, sample->count);
	}
	perf_sample_clear(sample);
}
