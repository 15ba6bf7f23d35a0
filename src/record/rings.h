/** The buffers that the kernel writes records into: one for each processor, or for each thread if
 * its counters count on any. */
#ifndef INFERNO_RECORD_RINGS_H
#define INFERNO_RECORD_RINGS_H

#include "record/counters.h"
#include "record/stream.h"
#include "record/tasks.h"

struct ring {
	int fd;      // of the counter that it belongs to
	int cpu;     // -1: any
	int32_t tid; // whose it is, for any processor
	char *pages; // a page of the kernel's, then the data
	size_t size; // of the data; a power of 2
};

struct rings {
	struct ring *items;
	size_t n, capacity;
	size_t page;
	size_t wanted;                             // size of the data of each
	uint64_t skip_from, skip_until;            // samples in between are left out; 0: none
	const struct perf_event_attr *attr;        // of the samples
	const struct perf_event_attr *waking_attr; // of those that a thread is woken; may be NULL
	size_t stack_most;                         // bytes of each copied stack that are kept
	uint64_t lost;              // samples that the kernel had no room for, so far
	struct tasks tasks;         // that started and ended, so far
	bool half_full;             // some ring was, when it was emptied
	struct buf records, joined; // scratch memory
};

/** Map the rings, and have all counters write there. If the kernel gives less memory than is
 * wanted, the rings get smaller. Return 0, or -1 after diag_error(). */
int rings_map(struct rings *rings, struct counters *counters);

/** Move all records into the stream, ended by a mark of the round. Of each copied stack, move the
 * stack and not the room that the kernel left for a larger one. Return whether there were any. */
bool rings_drain(struct rings *rings, struct stream *stream);

void rings_release(struct rings *rings);

#endif
