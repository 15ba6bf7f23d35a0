/** Repair and shorten names of functions as profilers print them. Several formats share these
 * functions. */
#pragma once

#include "base/buf.h"

/** Repair a half-demangled legacy Rust name: remove its hash and resolve its escapes. Return any
 * other name unchanged. A repaired name is in `scratch`, and is valid until `scratch` changes. */
struct str symbol_repair_rust(struct str name, struct buf *scratch);

/** Return a name without an offset at its end, such as `+0x1f`. */
struct str symbol_cut_offset(struct str name);

/** Set `*piece` to the next piece of `*rest`, a name of generated Java code that consists of
 * several names, joined by `->`. Set `*rest` to the text after the arrow. Ignore arrows in brackets
 * and in C++ operators. Before the first call, set `*more` to true. Return false after the last
 * piece. */
bool symbol_next_inlined(struct str *rest, bool *more, struct str *piece);

/** Return the number of bytes to skip at `at`: the length of an arrow or of the name of a C++
 * operator that contains `<`, `>` or an arrow, or 1 for any other character. If the character is a
 * bracket, update `*depth`. */
size_t symbol_step(struct str name, size_t at, int *depth);

/** Return a C++, Go or Java name without its argument list. Template arguments are kept. */
struct str symbol_cut_arguments(struct str name);
