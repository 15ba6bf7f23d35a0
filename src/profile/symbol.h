/** Names of functions as profilers print them: repairs and cuts that several formats share. */
#ifndef INFERNO_SYMBOL_H
#define INFERNO_SYMBOL_H

#include "base/buf.h"

/** Repair a half-demangled legacy Rust name: remove its hash and resolve its escapes. Any other
 * name is returned unchanged. A repaired name is in `scratch`, and valid until that changes. */
struct str symbol_repair_rust(struct str name, struct buf *scratch);

/** Return a name without a `+0x` and hexadecimal digits at its end. */
struct str symbol_cut_offset(struct str name);

/** Take the next piece off the front of `*rest`, a name that a Java JIT joined with `->`. An arrow
 * inside brackets or in a C++ operator separates nothing. Return false if nothing is left. */
bool symbol_next_inlined(struct str *rest, bool *more, struct str *piece);

/** Return how many bytes to skip at `at`: an arrow or a C++ operator as a whole, else one byte.
 * Update `*depth` if that is a bracket. */
size_t symbol_step(struct str name, size_t at, int *depth);

/** Return a C++, Go or Java name without its argument list. Template arguments stay. */
struct str symbol_cut_arguments(struct str name);

#endif
