/** Load libraries when they are first needed, so that other runs are not slower. */
#ifndef INFERNO_SYMBOLS_LATE_H
#define INFERNO_SYMBOLS_LATE_H

#include <stdbool.h>

struct late_function {
	const char *name; // NULL ends the list
	void *pointer;    // the pointer to fill in
};

struct late_library {
	const char *file;
	const struct late_function *functions;
	bool tried, loaded;
};

/** Load a library and its functions, unless that was done. Return false if any of them is missing.
 * Threads may load the same library at the same time. */
bool late_load(struct late_library *library);

#endif
