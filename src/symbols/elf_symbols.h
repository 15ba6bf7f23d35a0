/**
 * The symbols of an ELF file, and the stubs of its procedure linkage table, which have no symbols.
 */
#ifndef INFERNO_SYMBOLS_ELF_SYMBOLS_H
#define INFERNO_SYMBOLS_ELF_SYMBOLS_H

#include "symbols/elf.h"
#include "symbols/table.h"

/** Add the symbols of the section: functions, data, and labels in text and data. Unless `wanted` is
 * 0, add only those of the section with this index, with addresses relative to `base`. */
void elf_add_symbols(const struct elf *elf, const struct elf_section *section, uint64_t wanted,
		     uint64_t base, struct table *table);

/** Add `name@plt` for every stub. The names are in `arena`. */
void elf_add_stubs(const struct elf *elf, struct arena *arena, struct table *table);

#endif
