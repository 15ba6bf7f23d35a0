/** The time for which threads waited for a processor, read from /proc, for users who may not record
 * wake-ups.
 */
#ifndef INFERNO_RECORD_DELAYS_H
#define INFERNO_RECORD_DELAYS_H

#include "base/intern.h"

/** A zeroed struct has read nothing. */
struct delays {
	struct intern known; // threads, and the last delay recorded for each
	int64_t next;        // time when to read again
	uint64_t time;       // time of the next records
	struct buf *out;
};

/** Add a record for each thread of a process whose waiting time has grown since its last record. */
void delays_add(struct delays *delays, int32_t pid);

void delays_release(struct delays *delays);

#endif
