/**
 * Unwind recorded user stacks with libdw, for processors that unwind.h does not support. libdw
 * takes much longer than unwind.h.
 */
#pragma once

#include "symbols/unwind.h"

/** The properties of a kind of processor. */
struct processor;

/** Return the processor with the name `arch`, as `uname -m` prints it, for a process of 64 or 32
 * bits. Return NULL if stacks of this processor cannot be unwound. */
const struct processor *processor_named(struct str arch, bool is_64);

/** A process whose stacks are unwound, with its mappings at one time. */
struct unwound_process;

/** Return a process without mappings, or NULL if libdw is missing. */
struct unwound_process *unwound_process_new(struct symbols *symbols);
void unwound_process_free(struct unwound_process *process);

/** Add a mapping of the process: the offset `offset` of the object's file is mapped at the address
 * `start`. If several mappings belong to one load of a file, add the file only once. */
void unwound_process_add(struct unwound_process *process, struct object *object, uint64_t start,
			 uint64_t offset);

/** A sample as perf recorded it. */
struct recorded_stack {
	const struct processor *processor;
	uint64_t mask;          // bit mask of the recorded registers, by perf's numbers
	const uint64_t *values; // values of the recorded registers
	size_t n;
	struct str bytes; // bytes of the stack, from the stack pointer upwards
	bool swapped;     // the byte order differs from the byte order of this machine
};

/**
 * Unwind a stack. Fill `addresses` as unwind() does, and return their number, or 0 if the program
 * counter or the stack pointer was not recorded.
 */
size_t unwind_other(struct unwound_process *process, const struct recorded_stack *stack,
		    uint64_t *addresses, size_t most, enum unwind_end *end);
