/** Find the states of an interpreter on the heap. This search is needed for an interpreter without
 * a symbol that gives the addresses of the states. */
#pragma once

#include "script/language.h"

/** The marks by which a state is recognised. One byte of the state has a known value. A pointer in
 * the state leads to an object, and a pointer in this object leads back to the state. In memory,
 * the object comes shortly after the state. */
struct scan_marks {
	unsigned char byte;
	uint16_t byte_at;
	uint16_t pointer_at; // offset of the pointer in the state
	uint16_t back_at;    // offset of the pointer in the object
	uint16_t farthest;   // largest distance from the state to the object
};

enum { SCAN_STATES = 64 };

/** The states of a process. A zeroed struct has no states. */
struct scan {
	uint64_t states[SCAN_STATES]; // addresses
	size_t n;
	uint64_t scanned; // time of the last search
	uint64_t wait;    // time between the last search and the next one
	int32_t tid;      // the thread of the last scan_is_on_stack(), and the end of its stack
	uint64_t stack_end;
};

/** Return the number of bytes of each mapping to search now. The first searches are limited to
 * fewer bytes than later searches. Return 0 if the last search was a short time ago. */
size_t scan_begin(struct scan *scan, uint64_t now);

/** List the states in the first `bytes` bytes of each data mapping. Search at most 4 × `bytes`
 * bytes in all mappings together, because the program may have to wait for the search. */
void scan_states(struct scan *scan, struct remote *remote, const struct scan_marks *marks,
		 size_t bytes);

/** Search the interpreter's variables for the address of an object that `is_wanted` accepts. Return
 * the address of the first variable with such a value; or 0 if there is no such variable. */
uint64_t scan_variables(struct script_process *process,
			bool (*is_wanted)(struct script_process *process, uint64_t address));

/** Return whether an address is in the used part of a thread's stack. The used part begins at
 * `sp`. */
bool scan_is_on_stack(struct scan *scan, int32_t pid, int32_t tid, uint64_t sp, uint64_t address);
