/** Demangle names of C++, Rust (both manglings) and D, without parameters and hashes. */
#ifndef INFERNO_SYMBOLS_DEMANGLE_H
#define INFERNO_SYMBOLS_DEMANGLE_H

#include "base/intern.h"

/** A memory of names that were demangled. A zeroed one is empty. */
struct demangler {
	struct intern names;
	struct arena arena;
};

/** Return the demangled name, or a copy of the name if it is not mangled. It lives as long as the
 * demangler. */
struct str demangle(struct demangler *demangler, struct str name);

void demangler_release(struct demangler *demangler);

#endif
