/** Latency: the time that a program would save if the sampled code took no time. While several
 * threads run at once, each thread contributes only a part of the time that passes. So the time of
 * a sample is divided by the number of threads that run at this moment. */
#ifndef INFERNO_PERF_LATENCY_H
#define INFERNO_PERF_LATENCY_H

#include "perf/threads.h"

/** A zeroed struct has no threads. */
struct latency {
	struct perf_threads threads; // structs of latency_thread
	uint64_t running;            // number of threads that run
	uint64_t rest;               // remainder of the shares so far, in parts of a nanosecond
};

/** Note that a thread runs, or that it does not run. */
void latency_set(struct latency *latency, int32_t tid, bool runs);

/** Return a running thread's share of a time, in nanoseconds. The fraction of a nanosecond is
 * carried over to the next share. So the sum of all shares is exact before it is rounded, and it is
 * rounded only once, half up. */
uint64_t latency_share(struct latency *latency, uint64_t time);

void latency_release(struct latency *latency);

#endif
