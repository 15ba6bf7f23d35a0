/** Load libraries when they are first needed, so that other runs are not slower. */
#ifndef INFERNO_SYMBOLS_DYNLIB_H
#define INFERNO_SYMBOLS_DYNLIB_H

#include <stdbool.h>

struct dynlib_function {
	const char *name; // NULL ends the list
	void *pointer;    // the pointer to fill in
};

struct dynlib_library {
	const char *file;
	const struct dynlib_function *functions;
	bool tried, loaded;
};

/** Load a library and its functions, unless that was done. Return false if any of them is missing.
 * Threads may load the same library at the same time. */
bool dynlib_load(struct dynlib_library *library);

#endif
