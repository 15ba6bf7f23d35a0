/** Call frame information of x86_64: for an address, how to find the caller's registers. From
 * `.eh_frame`, with the search table of `.eh_frame_hdr` if there is one, and from `.debug_frame`
 * for code that it leaves out. */
#ifndef INFERNO_SYMBOLS_CFI_H
#define INFERNO_SYMBOLS_CFI_H

#include "symbols/ranges.h"
#include "symbols/unwind.h"

enum cfi_rule {
	CFI_SAME,             // the register was not changed
	CFI_UNDEFINED,        // its value is lost
	CFI_OFFSET,           // saved at CFA + value
	CFI_VALUE_OFFSET,     // is CFA + value
	CFI_REGISTER,         // is in register `value`
	CFI_EXPRESSION,       // saved where the expression at pointer `value` says
	CFI_VALUE_EXPRESSION, // is what it says
};

/** The canonical frame address (CFA) is a register plus an offset; or, in place of the register's
 * number, what an expression says; or it is not known. */
enum { CFI_CFA_EXPRESSION = 0xfe, CFI_CFA_UNKNOWN = 0xff };

/** How to find the caller's registers at some addresses. */
struct cfi_row {
	uint8_t rules[UNWIND_REGISTERS];
	uint8_t cfa_register;
	bool signal;      // the caller was interrupted here: its address is not that of a call
	uint32_t changed; // bit N: the rule of register N is not CFI_SAME
	int64_t cfa_value;
	int64_t values[UNWIND_REGISTERS];
};

/** A block of DWARF bytes that starts with its own length is found at a pointer in a row. */
static inline int64_t cfi_pointer(const char *p) {
	return (int64_t)(intptr_t)p;
}

static inline const char *cfi_block(int64_t value) {
	return (const char *)(intptr_t)value;
}

/** One section of call frame information. */
struct cfi_section {
	struct str bytes;
	uint64_t address;     // where it is linked
	bool debug;           // .debug_frame, not .eh_frame
	struct str search;    // the search table of .eh_frame_hdr: pairs of 4 bytes; empty: none
	uint64_t search_base; // what they are relative to
	bool indexed;
	struct ranges index; // without a search table: offsets of its entries by address
};

void cfi_section_release(struct cfi_section *section);

/** Fill the section from an ELF file's .eh_frame; false if it has none. */
struct elf;
bool cfi_section_eh_frame(struct cfi_section *section, const struct elf *elf);

/** The same for .debug_frame. */
bool cfi_section_debug_frame(struct cfi_section *section, const struct elf *elf);

/** Find the row of a linked address. Return false if the section has none for it, or it is broken.
 * The row's bytes are all set, and points into the section. */
bool cfi_find_row(struct cfi_section *section, uint64_t address, struct cfi_row *row);

/** What an expression sees. */
struct cfi_state {
	const uint64_t *registers;
	uint32_t known; // registers that have a value
	uint64_t bias;  // of addresses at run time to linked ones
	bool (*read)(void *context, uint64_t address, size_t size, uint64_t *value);
	void *context;
};

/** Evaluate the expression of a row, with `first` on its stack unless it is NULL. Return false if
 * it is broken or needs what is not there. */
bool cfi_evaluate(const char *block, const struct cfi_state *state, const uint64_t *first,
		  uint64_t *result);

#endif
