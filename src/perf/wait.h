/** Find the reason why a thread waits from the functions of the kernel in which the thread
 * stopped. */
#pragma once

#include "profile/profile.h"

/** A memo of the reasons for the frames of a profile. A zeroed struct is empty. */
struct perf_waits {
	struct profile *profile;
	uint8_t *known; // for each frame: 1 + the index in the table of states; 0: not known yet
	size_t capacity, n;
};

/** Return a frame for the reason of a wait, such as [waiting: lock]. `function` is the frame of a
 * function of the kernel in which the thread stopped. Return OFFCPU_NO_FRAME if this function does
 * not show the reason. Call this function for the innermost function first, then for its
 * callers. */
uint32_t perf_wait_frame(struct perf_waits *waits, uint32_t function);

void perf_waits_release(struct perf_waits *waits);
