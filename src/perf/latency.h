/** Compute the latency of samples: the time that a program would save if the sampled code took no
 * time. If several threads run at once, each thread contributes only a part of the elapsed time. So
 * the time of a sample is divided by the number of threads that run at this moment. */
#pragma once

#include "perf/threads.h"

/** A zeroed struct has no threads. */
struct latency {
	struct perf_threads threads; // structs of latency_thread
	uint64_t running;            // number of threads that run
	uint64_t rest;               // fraction of a nanosecond that the shares so far have left,
				     // in parts of a nanosecond
};

/** Remember that a thread runs, or that it does not run. */
void latency_set(struct latency *latency, int32_t tid, bool runs);

/** Return a running thread's share of a time, in nanoseconds. A remaining fraction of a nanosecond
 * is added to the next share, so that rounding errors do not add up. */
uint64_t latency_share(struct latency *latency, uint64_t time);

void latency_release(struct latency *latency);
