/**
 * Read the symbols of an ELF file, and name the stubs in its procedure linkage table (PLT), for
 * which a file has no symbols.
 */
#pragma once

#include "symbols/elf.h"
#include "symbols/table.h"

/** Add the symbols in a symbol table: functions, data, and labels in text and data. Unless `wanted`
 * is 0, add only the symbols that belong to the section with the index `wanted`. `base` is added to
 * their addresses. */
void elf_add_symbols(const struct elf *elf, const struct elf_section *section, uint64_t wanted,
		     uint64_t base, struct table *table);

/** The sorted starts of all functions with unwinding rules, including functions without a symbol.
 * These starts come from the search table of .eh_frame_hdr. Only the usual form of this table is
 * read: other forms do not occur in practice. */
struct elf_starts {
	const struct elf *elf;
	struct str pairs;
	uint64_t base;
	size_t n; // number of starts; 0: no search table
};

struct elf_starts elf_starts(const struct elf *elf);
uint64_t elf_start(const struct elf_starts *starts, size_t i);

/** Let each symbol without a size end at the start of the next function, even if the next function
 * has no symbol. Call this function for a file without a full symbol table. */
void elf_end_symbols(const struct elf *elf, struct table *table);

/** Add a symbol `name@plt` for each stub. The names are in `arena`. */
void elf_add_stubs(const struct elf *elf, struct arena *arena, struct table *table);
