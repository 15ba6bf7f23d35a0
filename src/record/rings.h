/** The buffers into which the kernel writes records. There is one buffer for each processor. If
 * counters are not bound to a processor, there is one buffer for each thread instead. */
#pragma once

#include "record/counters.h"
#include "record/stream.h"
#include "record/tasks.h"

struct ring {
	int fd;      // descriptor of the counter that writes into this ring
	int cpu;     // -1: any
	int32_t tid; // thread, if `cpu` is -1
	char *pages; // mapped memory: a page of metadata, then the data
	size_t size; // size of the data; a power of 2
};

struct samplers;

struct rings {
	struct ring *items;
	size_t n, capacity;
	size_t page;
	size_t wanted;                      // requested size of the data of each ring
	uint64_t skip_from, skip_until;     // samples between these times are left out; 0: none
	const struct perf_event_attr *attr; // attributes of the event that takes samples
	// attributes of the event of waking a thread; may be NULL
	const struct perf_event_attr *waking_attr;
	size_t stack_most; // number of bytes of each copied stack that are kept
	uint64_t lost; // number of samples that the kernel has dropped so far because a ring was
		       // full
	struct tasks tasks;         // processes that started and ended so far
	bool half_full;             // whether a ring was at least half full when it was emptied
	struct buf records, joined; // scratch memory
	struct buf more;            // bytes of the stack of a sample that the kernel has not copied
	struct samplers *samplers;  // threads that read script stacks; NULL: there are none
	bool drops_switches; // whether records of switches are left out because the reader does not
			     // need them
};

/** Map the rings, and connect all counters with them. If the kernel refuses this much memory, make
 * the rings smaller. Return 0, or -1 after diag_error(). */
int rings_map(struct rings *rings, struct counters *counters);

/** Return the complete record that starts at `tail`. A record that reaches the end of the ring and
 * continues at the start of the ring is copied to `joined`. */
const char *ring_record_at(const struct ring *ring, size_t page, uint64_t tail, size_t size,
			   struct buf *joined);

/** Move all records from the rings into the stream, and add a FINISHED_ROUND record after them. Of
 * each copied stack, move only the used bytes. Return whether there were any records. */
bool rings_drain(struct rings *rings, struct stream *stream);

void rings_release(struct rings *rings);
