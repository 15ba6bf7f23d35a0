/** Names of functions as profilers print them: repairs and cuts that several formats share. */
#ifndef INFERNO_SYMBOL_H
#define INFERNO_SYMBOL_H

#include "base/buf.h"

/** Repair a half-demangled legacy Rust name: remove its hash and resolve its escapes. Any other
 * name is returned unchanged. A repaired name is stored in `scratch`, and is valid until
 * `scratch` changes. */
struct str symbol_repair_rust(struct str name, struct buf *scratch);

/** Return a name without a `+0x` and hexadecimal digits at its end. */
struct str symbol_cut_offset(struct str name);

/** Cut the next piece off the front of `*rest`, which is a name that a Java JIT compiler joined
 * from several with `->`. An arrow inside brackets or in a C++ operator separates nothing.
 * Return false if nothing is left. */
bool symbol_next_inlined(struct str *rest, bool *more, struct str *piece);

/** Return the number of bytes to skip at `at`: those of a whole arrow or C++ operator, or else one
 * byte. If it is a bracket, update `*depth`. */
size_t symbol_step(struct str name, size_t at, int *depth);

/** Return a C++, Go or Java name without its argument list. Template arguments stay. */
struct str symbol_cut_arguments(struct str name);

#endif
