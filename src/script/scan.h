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

/** List the addresses of up to `most` states in the first `bytes` of each mapping for data, and in
 * four times as much altogether, as the program may wait for this. Return how many. */
size_t scan_states(struct remote *remote, const struct scan_marks *marks, size_t bytes,
		   uint64_t *states, size_t most);

/** Return the end of the mapping that has an address; 0 if there is none. */
uint64_t scan_end_of_mapping(int32_t pid, uint64_t address);

#endif
