/* Count samples. */
#include "perf/perf_sample.h"

#include "profile/unit.h"

void perf_sample_tell_time(const struct perf_sample *sample) {
	struct profile *profile = sample->event->profile;
	if (profile_wants_times(profile) && sample->timed) {
		profile_during(profile, sample->root.label, sample->from, sample->to);
	} else if (profile_wants_times(profile)) {
		profile_at_no_time(profile);
	}
}

void perf_sample_tell_values(struct perf_met *event, uint64_t samples, uint64_t period) {
	static const struct str name = STR_INIT("samples");
	if (!profile_wants_values(event->profile)) {
		return;
	}
	if (event->unit.n == 0) {
		unit_name_of_event(&event->unit, event->name.n > 0 ? event->name : STR("events"));
	}
	profile_next_value(event->profile, name, name, samples);
	profile_next_value(event->profile, STR("period"), buf_str(&event->unit), period);
}

void perf_sample_fold(struct perf_sample *sample) {
	struct profile *profile = sample->event->profile;
	const uint32_t *ids = stack_ids(&sample->stack);
	size_t depth = stack_depth(&sample->stack);
	sample->event->weighed |= sample->count > 1;
	perf_sample_tell_time(sample);
	if (sample->period > 0) {
		perf_sample_tell_values(sample->event, 1, sample->period);
	}
	if (sample->unnamed) {
		profile_add_unnamed(profile, ids, depth, sample->count);
	} else {
		profile_add(profile, ids, depth, sample->count);
	}
	perf_sample_clear(sample);
}
