/** Latency: the time that a program would save if what a sample shows cost nothing. While several
 * threads run, each has only a part in the time that passes. So the time of a sample is divided by
 * the number of threads that run then. */
#ifndef INFERNO_PERF_LATENCY_H
#define INFERNO_PERF_LATENCY_H

#include "perf/threads.h"

/** Zeroed memory has no threads. */
struct latency {
	struct perf_threads threads; // structs of latency_thread
	uint64_t running;            // number of threads that run
	uint64_t rest;               // of the shares so far, in parts of a nanosecond
};

/** Note that a thread runs, or that it does not. */
void latency_set(struct latency *latency, int32_t tid, bool runs);

/** Return the part of a time, in nanoseconds, that is a running thread's. The fraction is carried
 * to the next part, so the sum is exact and rounded once, half up. */
uint64_t latency_share(struct latency *latency, uint64_t time);

void latency_release(struct latency *latency);

#endif
