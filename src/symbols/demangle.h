/** Demangle names of C++, Rust and D, and leave out parameters and hashes. Rust has two ways of
 * mangling; both are supported. In a build without libiberty, names are not demangled. */
#pragma once

#include "base/intern.h"

/** A cache of demangled names. A zeroed struct is empty. */
struct demangler {
	struct intern names;
	struct arena arena;
	// Number of bytes beyond the usual length of a demangled name, summed over all names that
	// are longer than usual. This sum is limited.
	size_t longer;
};

/** Return the demangled name. If the name is not mangled, or the result would be far longer than
 * any real name, return a copy of the name. The text is valid until demangler_release(). */
struct str demangle(struct demangler *demangler, struct str name);

/** Return whether a name is a mangled name of C++ or Rust that demangle() leaves unchanged because
 * inferno was built without libiberty. */
bool demangle_fails(struct str name);

void demangler_release(struct demangler *demangler);
