/** How long threads have waited for a processor, as /proc tells it to users who may not record when
 * threads are woken. */
#ifndef INFERNO_RECORD_DELAYS_H
#define INFERNO_RECORD_DELAYS_H

#include "base/intern.h"

/** A zeroed struct has read nothing. */
struct delays {
	struct intern known; // threads, and the last state added of each
	int64_t next;        // when to read again
	uint64_t time;       // of the records
	struct buf *out;
};

/** Add a record for each thread of a process that has waited for longer since the last one. */
void delays_add(struct delays *delays, int32_t pid);

void delays_release(struct delays *delays);

#endif
