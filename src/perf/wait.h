/** The reasons why threads wait, by the functions of the kernel in which they stopped. */
#ifndef INFERNO_PERF_WAIT_H
#define INFERNO_PERF_WAIT_H

#include "profile/profile.h"

/** A memo of the reasons that a profile's frames stand for. A zeroed struct is empty. */
struct perf_waits {
	struct profile *profile;
	uint8_t *known; // by frame: 0, or 1 + the index in the table of states
	size_t capacity, n;
};

/** Return the frame, such as [waiting: lock], of a thread that stopped in a function of the
 * kernel, by the frame of the function; or OFFCPU_NO_FRAME if the function does not show the
 * reason. Ask for the innermost function first. */
uint32_t perf_wait_frame(struct perf_waits *waits, uint32_t function);

void perf_waits_release(struct perf_waits *waits);

#endif
