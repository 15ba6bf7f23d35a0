/** The reasons why threads wait, by the functions of the kernel in which they stopped. */
#ifndef INFERNO_PERF_WAIT_H
#define INFERNO_PERF_WAIT_H

#include "profile/profile.h"

/** The meanings of a profile's frames. A zeroed struct knows none of them yet. */
struct perf_waits {
	struct profile *profile;
	uint8_t *known; // by frame: 0, or 1 + the place in the table of states
	size_t capacity, n;
};

/** Return the frame, such as [waiting: lock], of a thread that stopped in a function of the kernel,
 * by the frame of the function; OFFCPU_NO_FRAME if that does not tell. Ask for the innermost
 * function first. */
uint32_t perf_wait_frame(struct perf_waits *waits, uint32_t function);

void perf_waits_release(struct perf_waits *waits);

#endif
