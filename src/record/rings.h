/** The buffers that the kernel writes records into: one for each processor, or for each thread if
 * its counters count on any. */
#ifndef INFERNO_RECORD_RINGS_H
#define INFERNO_RECORD_RINGS_H

#include "record/counters.h"
#include "record/stream.h"

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
	size_t wanted;                  // size of the data of each
	uint64_t skip_from, skip_until; // samples in between are left out; 0: none
	struct buf records;             // scratch memory
};

/** Map the rings, of `size` bytes or less if there are very many, and have all counters write
 * there. If the kernel gives less memory, the rings get smaller. Return 0, or -1 after
 * diag_error(). */
int rings_map(struct rings *rings, struct counters *counters, size_t size);

/** Move all records into the stream, ended by a mark of the round. Return whether there were any.
 */
bool rings_drain(struct rings *rings, struct stream *stream);

void rings_release(struct rings *rings);

#endif
