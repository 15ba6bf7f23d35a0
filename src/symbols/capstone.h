/** Disassemble machine code with the library capstone. The library is loaded only if it is
 * needed. */
#pragma once

#include "base/str.h"

/** Call `take` for each instruction in the bytes of a function. The first byte is at `address`.
 * `machine` and `wide` are fields of the ELF file (elf.h). Return false if the library is missing,
 * does not know the processor, or finds no instruction. */
bool capstone_read(struct str bytes, uint64_t address, uint16_t machine, bool wide,
		   void (*take)(void *context, uint64_t address, struct str name,
				struct str operands),
		   void *context);
