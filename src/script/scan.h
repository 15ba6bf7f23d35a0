/** Find the states of an interpreter to which no symbol points: they are on the heap. */
#ifndef INFERNO_SCRIPT_SCAN_H
#define INFERNO_SCRIPT_SCAN_H

#include "script/remote.h"

/** The marks of a state: a byte, and a pointer to an object close after the state that points
 * back. */
struct scan_marks {
	unsigned char byte;
	uint16_t byte_at;
	uint16_t pointer_at; // in the state
	uint16_t back_at;    // in the object
	uint16_t farthest;   // from the state to the object
};

enum { SCAN_STATES = 64 };

/** The states of a process. A zeroed struct has none. */
struct scan {
	uint64_t states[SCAN_STATES]; // addresses
	size_t n;
	uint64_t scanned, wait; // time of the last search, and until the next
	int32_t tid;            // the last thread, and where its stack ends
	uint64_t stack_end;
};

/** Return how much of each mapping to search now, in bytes: little at first, and more later. 0: the
 * last search was a short time ago. */
size_t scan_begin(struct scan *scan, uint64_t now);

/** List the states in the first `bytes` of each mapping for data, and in four times as much
 * altogether, as the program may wait for this. */
void scan_states(struct scan *scan, struct remote *remote, const struct scan_marks *marks,
		 size_t bytes);

/** Return whether an address is in the used part of a thread's stack, which begins at `sp`. */
bool scan_is_on_stack(struct scan *scan, int32_t pid, int32_t tid, uint64_t sp, uint64_t address);

#endif
