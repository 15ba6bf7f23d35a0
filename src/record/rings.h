/** The buffers that the kernel writes records into: one for each processor, or, if counters are not
 * bound to a processor, one for each thread. */
#ifndef INFERNO_RECORD_RINGS_H
#define INFERNO_RECORD_RINGS_H

#include "record/counters.h"
#include "record/stream.h"
#include "record/tasks.h"

struct ring {
	int fd;      // descriptor of its counter
	int cpu;     // -1: any
	int32_t tid; // the thread, if `cpu` is -1
	char *pages; // a page of metadata, then the data
	size_t size; // of the data; a power of 2
};

struct samplers;

struct rings {
	struct ring *items;
	size_t n, capacity;
	size_t page;
	size_t wanted;                             // wanted size of the data of each
	uint64_t skip_from, skip_until;            // samples in between are left out; 0: none
	const struct perf_event_attr *attr;        // of the event that takes samples
	const struct perf_event_attr *waking_attr; // of the event of waking a thread; may be NULL
	size_t stack_most;                         // bytes of each copied stack that are kept
	uint64_t lost;              // samples that the kernel had no room for, so far
	struct tasks tasks;         // processes that started and ended so far
	bool half_full;             // some ring was half full when it was emptied
	struct buf records, joined; // scratch memory
	struct samplers *samplers;  // read script stacks; NULL: nobody does
	bool drops_switches;        // records of switches are of no use to the reader
};

/** Map the rings, and have all counters write there. If the kernel refuses so much memory, make the
 * rings smaller. Return 0, or -1 after diag_error(). */
int rings_map(struct rings *rings, struct counters *counters);

/** Return a whole record that starts at `tail`: in the ring, or a copy in `joined` if it goes on at
 * the ring's start. */
const char *ring_record_at(const struct ring *ring, size_t page, uint64_t tail, size_t size,
			   struct buf *joined);

/** Move all records into the stream, and end them with a FINISHED_ROUND record. Of each copied
 * stack, move the used bytes and not the unused rest. Return whether there were any. */
bool rings_drain(struct rings *rings, struct stream *stream);

void rings_release(struct rings *rings);

#endif
