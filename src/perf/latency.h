/** Latency: the time that a program would save if the sampled code took no time. While several
 * threads run, each has only a part in the time that passes. So the time of a sample is divided
 * by the number of threads that run then. */
#ifndef INFERNO_PERF_LATENCY_H
#define INFERNO_PERF_LATENCY_H

#include "perf/threads.h"

/** A zeroed struct has no threads. */
struct latency {
	struct perf_threads threads; // structs of latency_thread
	uint64_t running;            // number of threads that run
	uint64_t rest;               // remainder of the shares so far, in parts of a nanosecond
};

/** Note that a thread runs, or that it does not. */
void latency_set(struct latency *latency, int32_t tid, bool runs);

/** Return a running thread's share of a time, in nanoseconds. The fraction is carried to the next
 * share, so the sum of all shares is exact, and rounded once, half up. */
uint64_t latency_share(struct latency *latency, uint64_t time);

void latency_release(struct latency *latency);

#endif
