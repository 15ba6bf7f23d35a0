/** Unwind recorded user stacks of x86_64 and aarch64. Use call frame information (.eh_frame,
 * .debug_frame). For code without this information, follow frame pointers. */
#pragma once

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

/** Registers of aarch64. */
enum { UNWIND_X29 = 29, UNWIND_X30, UNWIND_SP, UNWIND_PC, UNWIND_REGISTERS_AARCH64 };

enum { UNWIND_REGISTERS_MOST = UNWIND_REGISTERS_AARCH64 };

/** The properties of a processor that the unwinder needs. Registers have their DWARF numbers. */
struct unwind_processor {
	const char *name; // name, as printed by `uname -m`
	uint16_t machine; // number of the processor in ELF files
	uint8_t registers;
	uint8_t sp, fp, pc;     // numbers of the stack pointer, frame pointer and program counter
	uint8_t return_column;  // column of the return address in a row
	uint64_t mask;          // bits of a word that belong to an address; the other bits may be a
				// signature
	uint64_t saved;         // bit N: a call preserves register N
	const uint8_t *numbers; // DWARF numbers of perf's registers, in perf's order;
				// UNWIND_NO_REGISTER: no number
	size_t numbers_n;
};

enum { UNWIND_NO_REGISTER = 0xff };

extern const struct unwind_processor unwind_x86_64, unwind_aarch64;

/** Return the processor with this name, or NULL. */
const struct unwind_processor *unwind_processor_named(struct str name);

/** Return the processor with this number in ELF files of 64 bits, or NULL. */
const struct unwind_processor *unwind_processor_of(uint16_t machine);

/** A recorded stack. */
struct unwind_stack {
	const struct unwind_processor *processor; // NULL: x86_64
	uint64_t registers[UNWIND_REGISTERS_MOST];
	uint64_t known;   // bit N: register N was recorded
	struct str bytes; // the stack from the stack pointer upwards
	uint64_t end;     // end of the mapping that contains the stack; 0: not known

	/**
	 * Find the executable mapping that contains `address`. Return the object of the mapping,
	 * and set `*file_address` to the address in the object, as symbols_at() expects it. Return
	 * NULL if there is no such mapping.
	 */
	struct object *(*find)(void *context, uint64_t address, uint64_t *file_address);

	/** Return whether data is mapped at an address, so that a stack may be there. NULL: the
	 * mappings of data are not known. */
	bool (*is_data)(void *context, uint64_t address);
	void *context;
};

enum unwind_end {
	UNWIND_START,  // the unwinding reached the start of the thread
	UNWIND_CUT,    // the recorded bytes end too early
	UNWIND_OTHER,  // the caller is on another stack
	UNWIND_BROKEN, // the caller was not found: no call frame information, or invalid values
	UNWIND_FULL,   // there are more frames than requested
};

struct unwinder;

/**
 * Return a new unwinder, which caches the rules for each address. An unwinder belongs to one
 * thread.
 */
struct unwinder *unwinder_new(struct symbols *symbols);
void unwinder_free(struct unwinder *unwinder);

/**
 * Set the registers to those that perf recorded. `mask` is sample_regs_user of the event's
 * attributes. `values` has the `n` values of these registers, in order. Return whether the program
 * counter and the stack pointer are among them.
 */
bool unwind_registers(struct unwind_stack *stack, uint64_t mask, const uint64_t *values, size_t n);

/**
 * Unwind a stack. Write at most `most` addresses to `addresses`, innermost first. The first address
 * is the address of the sample. The other addresses are in calls: each is the return address minus
 * one. If a signal interrupted a frame, its address is not changed. Return the number of addresses,
 * which is at least 1 if `most` is at least 1. `*end` says why the unwinding ended.
 */
size_t unwind(struct unwinder *unwinder, const struct unwind_stack *stack, uint64_t *addresses,
	      size_t most, enum unwind_end *end);

/** The state of a frame while its callee runs. */
struct unwind_frame {
	uint64_t cfa;   // stack pointer of this frame after its callee has returned
	uint64_t saved; // hash of the values, in this frame, of the registers that calls preserve
};

/** Return the states of the frames that the last call of unwind() found, starting with the second
 * frame. */
const struct unwind_frame *unwind_frames(const struct unwinder *unwinder);

/** The outermost frame that unwind() found may store its caller's frame pointer and its return
 * address next to each other. If it does, return the address of this pair. If it does not, or if
 * the address is not known, return 0. */
uint64_t unwind_record(const struct unwinder *unwinder);

/** Properties of the code at an address. */
struct unwind_code {
	bool keeps_frame_pointer; // the caller of a frame in this code can be found with the frame
				  // pointer
	bool starts_thread;       // a frame in this code is the outermost frame of its thread
};

/** Return the properties of the code at an address in the process of the stack. */
struct unwind_code unwind_code_at(struct unwinder *unwinder, const struct unwind_stack *stack,
				  uint64_t address);
