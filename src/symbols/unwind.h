/** Unwind recorded user stacks by call frame information (.eh_frame, .debug_frame), or by frame
 * pointers where code has none. */
#ifndef INFERNO_SYMBOLS_UNWIND_H
#define INFERNO_SYMBOLS_UNWIND_H

#include "symbols/symbols.h"

/** Registers of x86_64 by their DWARF numbers. */
enum {
	UNWIND_RAX,
	UNWIND_RDX,
	UNWIND_RCX,
	UNWIND_RBX,
	UNWIND_RSI,
	UNWIND_RDI,
	UNWIND_RBP,
	UNWIND_RSP,
	UNWIND_R8,
	UNWIND_R15 = 15,
	UNWIND_RIP,
	UNWIND_REGISTERS
};

/** A recorded stack. */
struct unwind_stack {
	uint64_t registers[UNWIND_REGISTERS];
	uint32_t known;   // bit N: register N was recorded
	struct str bytes; // the stack from rsp upwards

	/**
	 * Find the executable mapping that holds `address`. Return its object, and set
	 * `*file_address` to the address inside the object, as for symbols_at(). Return NULL if
	 * nothing is mapped there.
	 */
	struct object *(*find)(void *context, uint64_t address, uint64_t *file_address);
	void *context;
};

enum unwind_end {
	UNWIND_START,  // reached the start of the thread
	UNWIND_CUT,    // the recorded bytes end too early
	UNWIND_BROKEN, // no call frame information, or values that make no sense
	UNWIND_FULL,   // there are more frames than asked for
};

struct unwinder;

/**
 * Return a new unwinder, which remembers what it learnt of each address. It belongs to one thread.
 */
struct unwinder *unwinder_new(struct symbols *symbols);
void unwinder_free(struct unwinder *unwinder);

/**
 * Fill the registers from those that perf recorded: `mask` is the attribute's sample_regs_user,
 * `values` its `n` values in order. Return whether rip and rsp are among them.
 */
bool unwind_registers(struct unwind_stack *stack, uint64_t mask, const uint64_t *values, size_t n);

/**
 * Unwind a stack of x86_64. Put at most `most` addresses into `addresses`, innermost first: that of
 * the sample, then those of the calls (the return address minus one, or the address itself if a
 * signal interrupted there). Return how many, at least 1 if `most` is. `*end` says why there are no
 * more.
 */
size_t unwind_x86_64(struct unwinder *unwinder, const struct unwind_stack *stack,
		     uint64_t *addresses, size_t most, enum unwind_end *end);

#endif
