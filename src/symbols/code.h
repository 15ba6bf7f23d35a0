/** Disassemble the machine code of a function. Use the library capstone if it is installed. If it
 * is not installed, use objdump. */
#pragma once

#include "base/mem.h"
#include "symbols/symbols.h"

struct code_line {
	uint64_t address; // address in the object
	uint64_t linked;  // address in debug information and in objdump's output
	struct str text;
	struct str file; // source file; empty: not known
	uint32_t line;
};

/** A zeroed struct is empty. */
struct disassembled {
	struct code_line *lines;
	size_t n, capacity;
	struct str function; // demangled name of the function
	struct arena texts;
};

/** Disassemble the function that contains an address of an object. Return NULL, or the reason why
 * the function cannot be disassembled. */
const char *code_read(struct disassembled *code, struct symbols *symbols, struct object *object,
		      uint64_t address, struct diag *diag);

void code_release(struct disassembled *code);
