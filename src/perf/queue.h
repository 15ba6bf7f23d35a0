/**
 * Samples and switches of a recording that goes on, in their order, from the first sample on whose
 * names come late; see deferred.h. The order matters to timelines and to threads that sleep, so
 * nothing is added up.
 */
#ifndef INFERNO_COLLAPSE_PERF_QUEUE_H
#define INFERNO_COLLAPSE_PERF_QUEUE_H

#include "base/intern.h"
#include "perf/data/perfdata.h"

/** A sample, or if `event` is NULL a switch. */
struct perf_queued {
	const struct perfdata_event *event;
	uint64_t time, period;
	struct str comm; // of the thread, at that time
	int32_t pid, tid;
	uint32_t cpu;
	uint32_t frames; // id of the frames
	int32_t woken;   // the thread that the sampled one wakes; 0: none
	uint8_t root, change;
};

/** Zeroed memory is empty. */
struct perf_queue {
	struct perf_queued *items;
	size_t n, capacity;
	struct intern frames; // the frames of samples, each distinct array once
};

/** Add a sample, in which a thread wakes `woken`, or 0. The padding of its frames is zeroed. */
void perf_queue_sample(struct perf_queue *queue, const struct perfdata_sample *sample,
		       int32_t woken);

void perf_queue_switch(struct perf_queue *queue, const struct perfdata_switch *change);

/** Return whether so much is queued that it has to be taken. */
bool perf_queue_is_full(const struct perf_queue *queue);

/** Return a queued sample; `thread` becomes its thread. */
struct perfdata_sample perf_queue_get_sample(const struct perf_queue *queue, size_t i,
					     struct thread *thread);

/** Return a queued switch; `thread` becomes its thread. */
struct perfdata_switch perf_queue_get_switch(const struct perf_queue *queue, size_t i,
					     struct thread *thread);

void perf_queue_release(struct perf_queue *queue);

#endif
