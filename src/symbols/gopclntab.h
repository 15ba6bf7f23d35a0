/** The table of functions that every Go program, even a stripped one, carries for its own stack
 * traces. */
#ifndef INFERNO_SYMBOLS_GOPCLNTAB_H
#define INFERNO_SYMBOLS_GOPCLNTAB_H

#include "symbols/elf.h"
#include "symbols/table.h"

/** Return whether a file was made by the Go compiler. */
bool gopclntab_is_go(const struct elf *elf);

/** Add the functions of a Go program (of Go 1.2 and later); nothing if it is not a Go program.
 * The names are borrowed from the file, or in `arena`. */
void gopclntab_add(const struct elf *elf, struct arena *arena, struct table *table);

#endif
