/** Find the states of an interpreter on the heap, if no symbol points to them. */
#ifndef INFERNO_SCRIPT_SCAN_H
#define INFERNO_SCRIPT_SCAN_H

#include "script/language.h"

/** The marks of a state: a byte with a known value, and a pointer to an object shortly after the
 * state, which points back to the state. */
struct scan_marks {
	unsigned char byte;
	uint16_t byte_at;
	uint16_t pointer_at; // in the state
	uint16_t back_at;    // in the object
	uint16_t farthest;   // from the state to the object
};

enum { SCAN_STATES = 64 };

/** The states of a process. A zeroed struct has no states. */
struct scan {
	uint64_t states[SCAN_STATES]; // addresses
	size_t n;
	uint64_t scanned, wait; // time of the last search, and until the next
	int32_t tid;            // the last thread, and where its stack ends
	uint64_t stack_end;
};

/** Return how much of each mapping to search now, in bytes: little at first, and more later. Return
 * 0 if the last search was a short time ago. */
size_t scan_begin(struct scan *scan, uint64_t now);

/** List the states in the first `bytes` of each data mapping. Search at most four times as many
 * bytes in total, because the program may wait for the search. */
void scan_states(struct scan *scan, struct remote *remote, const struct scan_marks *marks,
		 size_t bytes);

/** Return the address of the first variable of the interpreter that has the address of an object
 * for which `is_wanted` returns true; or 0 if there is no such variable. */
uint64_t scan_variables(struct script_process *process,
			bool (*is_wanted)(struct script_process *process, uint64_t address));

/** Return whether an address is in the used part of a thread's stack, which begins at `sp`. */
bool scan_is_on_stack(struct scan *scan, int32_t pid, int32_t tid, uint64_t sp, uint64_t address);

#endif
