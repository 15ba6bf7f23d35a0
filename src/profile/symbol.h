/** Names of functions as profilers print them: repairs and cuts that several formats share. */
#ifndef INFERNO_SYMBOL_H
#define INFERNO_SYMBOL_H

#include "base/buf.h"

/** Repair a half-demangled legacy Rust name: remove its hash and resolve its escapes. Any other
 * name is returned unchanged. A repaired name is stored in `scratch`, and is valid until
 * `scratch` changes. */
struct str symbol_repair_rust(struct str name, struct buf *scratch);

/** Return a name without an offset at its end, such as `+0x1f`. */
struct str symbol_cut_offset(struct str name);

/** Cut the next piece off the front of `*rest`, a name that a Java JIT compiler made by joining
 * several names with `->`. Ignore arrows inside of brackets and in C++ operators. Return false if
 * `*rest` is empty. */
bool symbol_next_inlined(struct str *rest, bool *more, struct str *piece);

/** Return the number of bytes to skip at `at`: the length of an arrow or of a C++ operator, or 1
 * for any other character. If the character is a bracket, update `*depth`. */
size_t symbol_step(struct str name, size_t at, int *depth);

/** Return a C++, Go or Java name without its argument list. Template arguments are kept. */
struct str symbol_cut_arguments(struct str name);

#endif
