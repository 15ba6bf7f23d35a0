/** The machine code of a function as instructions, by the library capstone if there is one, or else
 * by objdump. */
#ifndef INFERNO_SYMBOLS_CODE_H
#define INFERNO_SYMBOLS_CODE_H

#include "base/mem.h"
#include "symbols/symbols.h"

struct code_line {
	uint64_t address; // in the object's addresses
	uint64_t linked;  // as debug information and objdump have it
	struct str text;
	struct str file; // of the source; empty: not known
	uint32_t line;
};

/** Zeroed, it is empty. */
struct disassembled {
	struct code_line *lines;
	size_t n, capacity;
	struct str function; // demangled
	struct arena texts;
};

/** Disassemble the function that holds an address of an object. Return NULL, or why that cannot be
 * done. */
const char *code_read(struct disassembled *code, struct symbols *symbols, struct object *object,
		      uint64_t address, struct diag *diag);

void code_release(struct disassembled *code);

#endif
