/** The time for which threads waited for a processor, read from /proc. Users who may not record
 * wake-ups get this time instead. */
#pragma once

#include "base/intern.h"

/** A zeroed struct has read nothing. */
struct delays {
	// thread ids; the value is the last delay that was recorded for the thread
	struct intern known;
	int64_t next;  // time at which to read /proc again
	uint64_t time; // time of the next records
	struct buf *out;
};

/** For each thread of a process, add a record if the thread has none yet, or has waited for at
 * least 0.1 ms since its last record. */
void delays_add(struct delays *delays, int32_t pid);

void delays_release(struct delays *delays);
