/** Names for the code that starts programs and threads, in files without a symbol table. */
#ifndef INFERNO_SYMBOLS_STARTUP_H
#define INFERNO_SYMBOLS_STARTUP_H

#include "symbols/elf.h"
#include "symbols/table.h"

/**
 * Add the start functions of the C library, of its dynamic linker, or of a program, to a table that
 * has the exported symbols of the file. These functions are the outermost frames of every stack,
 * and are not exported: `__libc_start_call_main`, `start_thread`, `clone3`; `_start`,
 * `_dl_start_user`, `_dl_start`, `_dl_init`; `_start`, `main`. Each function is recognised by its
 * callers, by its callees, and by its bounds in the call frame information. A function that differs
 * in any of these gets no name. Only glibc on x86_64 is known.
 */
void startup_add(const struct elf *elf, struct table *table);

#endif
