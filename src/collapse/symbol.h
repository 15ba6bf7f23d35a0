/** Name of functions as profilers print them: repairs and cuts that several formats share. */
#ifndef INFERNO_SYMBOL_H
#define INFERNO_SYMBOL_H

#include "base/buf.h"

/**
 * Repair a half-demangled legacy Rust name: without its hash, with its escapes resolved. Anything
 * else is returned as it is; a repaired name lives in `scratch` until that changes.
 */
struct str symbol_repair_rust(struct str name, struct buf *scratch);

/** Without a `+0x` and hexadecimal digits at the end. */
struct str symbol_cut_offset(struct str name);

/**
 * The next piece of a name that a Java JIT joined with `->`, taken off the front of `*rest`; an
 * arrow inside brackets or of a C++ operator separates nothing. False when nothing is left.
 */
bool symbol_next_inlined(struct str *rest, bool *more, struct str *piece);

/**
 * Return how many bytes to take at `at`: those of an arrow or of a C++ operator, whose characters
 * are no brackets, or else one, which changes `*depth` if it is a bracket.
 */
size_t symbol_step(struct str name, size_t at, int *depth);

/** Without the argument list of a C++, Go or Java name; template arguments stay. */
struct str symbol_cut_arguments(struct str name);

#endif
