/**
 * Unwind recorded user stacks of processors other than x86_64 with libdw, which is much slower than
 * unwind.h.
 */
#ifndef INFERNO_SYMBOLS_UNWIND_OTHER_H
#define INFERNO_SYMBOLS_UNWIND_OTHER_H

#include "symbols/unwind.h"

/** The properties of a kind of processor. */
struct processor;

/** Return the processor with the name `arch`, as `uname -m` prints it, for a process of 64 or 32
 * bits. Return NULL if stacks of this processor cannot be unwound. */
const struct processor *processor_named(struct str arch, bool is_64);

/** A process whose stacks are unwound, with its mappings at one time. */
struct unwound_process;

/** Return a process without mappings; or NULL if libdw is missing. */
struct unwound_process *unwound_process_new(struct symbols *symbols);
void unwound_process_free(struct unwound_process *process);

/** Add a mapping of the process: the file's offset `offset` is mapped at the address `start`. If a
 * file is loaded once with several mappings, it is added once. */
void unwound_process_add(struct unwound_process *process, struct object *object, uint64_t start,
			 uint64_t offset);

/** A sample as perf recorded it. */
struct recorded_stack {
	const struct processor *processor;
	uint64_t mask;          // bit mask of the recorded registers, by perf's numbers
	const uint64_t *values; // values of these registers
	size_t n;
	struct str bytes; // bytes of the stack, from the stack pointer upwards
	bool swapped;     // whether the byte order differs from that of this machine
};

/**
 * Unwind a stack. Fill `addresses` as unwind() does, and return their number, or 0 if the program
 * counter or the stack pointer was not recorded.
 */
size_t unwind_other(struct unwound_process *process, const struct recorded_stack *stack,
		    uint64_t *addresses, size_t most, enum unwind_end *end);

#endif
