/** Find names for the code that starts programs and threads, in files without a symbol table. */
#pragma once

#include "symbols/elf.h"
#include "symbols/table.h"

/**
 * Add the start functions in a file to a table that has the exported symbols of the file. Start
 * functions are the outermost frames of stacks, and are not exported. In the C library, they are
 * `__libc_start_call_main`, `start_thread` and `clone3`. In the dynamic linker, they are `_start`,
 * `_dl_start_user`, `_dl_start` and `_dl_init`. In a program, they are `_start` and `main`. A
 * function gets its name only if its callers, its callees and its bounds in the call frame
 * information are as expected. Only glibc on x86_64 is supported.
 */
void startup_add(const struct elf *elf, struct table *table);
