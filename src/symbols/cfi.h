/**
 * Read call frame information (CFI) of x86_64 and aarch64. For an address of code, CFI says how to
 * find the caller's registers. CFI is in the section `.eh_frame`, and the section `.eh_frame_hdr`
 * may have a search table for it. Code that is missing in `.eh_frame` may be in `.debug_frame`.
 */
#pragma once

#include "symbols/ranges.h"
#include "symbols/unwind.h"

enum cfi_rule {
	CFI_SAME,         // the register was not changed
	CFI_UNDEFINED,    // the register's value is lost
	CFI_OFFSET,       // the register is saved at the address CFA + value
	CFI_VALUE_OFFSET, // the register is CFA + value
	CFI_REGISTER,     // the register is saved in register `value`
	// the register is saved at an address, which is the result of the expression at the pointer
	// `value`
	CFI_EXPRESSION,
	// the register is the result of the expression at the pointer `value`
	CFI_VALUE_EXPRESSION,
};

/** The canonical frame address (CFA) is a register plus an offset. If the CFA is the result of an
 * expression, or is not known, one of these values is in place of the number of the register. */
enum { CFI_CFA_EXPRESSION = 0xfe, CFI_CFA_UNKNOWN = 0xff };

/** A row: the rules to find the caller's registers, for a range of addresses of code. */
struct cfi_row {
	uint8_t rules[UNWIND_REGISTERS_MOST];
	uint8_t cfa_register;
	bool signal; // a signal interrupted the caller, so the caller's address is not a return
		     // address
	bool go; // the code is from Go; Go code keeps frame pointers, but its rows do not describe
		 // them
	uint64_t changed; // bit N: the rule of register N is not CFI_SAME
	int64_t cfa_value;
	int64_t values[UNWIND_REGISTERS_MOST];
};

/** Return a pointer to a block of DWARF bytes as a value for a rule. The block starts with its
 * length. */
static inline int64_t cfi_pointer(const char *p) {
	return (int64_t)(intptr_t)p;
}

static inline const char *cfi_block(int64_t value) {
	return (const char *)(intptr_t)value;
}

struct cfi_section {
	struct str bytes;
	uint64_t address;                         // address at which the section is linked
	bool debug;                               // the section is .debug_frame, not .eh_frame
	const struct unwind_processor *processor; // NULL: x86_64
	struct str search; // the search table of .eh_frame_hdr: pairs of numbers of 4 bytes; empty:
			   // no table
	uint64_t search_base; // address to which the numbers are relative
	bool indexed;
	struct ranges index; // the offset of each entry, by the addresses of its code; used if
			     // there is no search table
};

void cfi_section_release(struct cfi_section *section);

struct elf;
bool cfi_section_eh_frame(struct cfi_section *section, const struct elf *elf);

/** Fill the section from .debug_frame of an ELF file. Return false if the file has no such
 * section. */
bool cfi_section_debug_frame(struct cfi_section *section, const struct elf *elf);

/** Find the row of an address of the file, not of a process. Return false if the section has no row
 * for the address, or is damaged. If a row is found, its padding is defined, too, so that rows can
 * be compared as bytes. The row points into the section. */
bool cfi_find_row(struct cfi_section *section, uint64_t address, struct cfi_row *row);

/** Find the bounds of the function that contains a linked address. Return false if the section has
 * no entry for the function, or if the entry is broken. */
bool cfi_find_range(struct cfi_section *section, uint64_t address, uint64_t *start, uint64_t *end);

/** The values that an expression may use. */
struct cfi_state {
	const uint64_t *registers;
	uint64_t known; // bit mask of the registers that have a value
	uint64_t bias;  // difference between run-time addresses and linked addresses
	bool (*read)(void *context, uint64_t address, size_t size, uint64_t *value);
	void *context;
};

/** Evaluate the expression of a row. Unless `first` is NULL, first push `*first` on the
 * expression's stack. Return false if the expression is broken or needs a value that is not
 * known. */
bool cfi_evaluate(const char *block, const struct cfi_state *state, const uint64_t *first,
		  uint64_t *result);
