/** Demangle names of C++, Rust (both manglings) and D, without parameters and hashes. Without
 * libiberty, names are not demangled. */
#ifndef INFERNO_SYMBOLS_DEMANGLE_H
#define INFERNO_SYMBOLS_DEMANGLE_H

#include "base/intern.h"

/** A cache of demangled names. A zeroed struct is empty. */
struct demangler {
	struct intern names;
	struct arena arena;
	size_t longer; // number of bytes by which all demangled names together exceed the usual
		       // length
};

/** Return the demangled name, or a copy of the name if it is not mangled, or if the result would be
 * far longer than any real name. The text is valid until demangler_release(). */
struct str demangle(struct demangler *demangler, struct str name);

/** Return whether a name is a mangled name of C++ or Rust that demangle() leaves unchanged because
 * inferno was built without libiberty. */
bool demangle_fails(struct str name);

void demangler_release(struct demangler *demangler);

#endif
