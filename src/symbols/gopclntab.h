/** Read the table of functions that every Go program contains for its own stack traces. Even a
 * stripped Go program has this table. */
#pragma once

#include "symbols/elf.h"
#include "symbols/table.h"

/** Return whether a file was made by the Go compiler. */
bool gopclntab_is_go(const struct elf *elf);

/** Add the functions of a program that Go 1.2 or later has made. For any other file, add nothing.
 * Names are in the file's bytes or in `arena`. */
void gopclntab_add(const struct elf *elf, struct arena *arena, struct table *table);
