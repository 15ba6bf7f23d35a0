/** Load libraries when they are first needed, so that other runs are not slower. A static program
 * cannot load libraries. A static program is built with -Dload_libraries=false, and contains the
 * libraries. */
#ifndef INFERNO_SYMBOLS_DYNLIB_H
#define INFERNO_SYMBOLS_DYNLIB_H

#include <stdbool.h>

struct dynlib_function {
	const char *name;     // NULL ends the list
	void *pointer;        // the pointer to fill in
	void (*linked)(void); // the function itself; NULL if it is not part of the program
};

/** The row of a function that a static program contains. */
#ifdef LOAD_LIBRARIES
#define DYNLIB_ROW(name, pointer) \
	{ #name, pointer, NULL }
#else
#define DYNLIB_ROW(name, pointer) \
	{ #name, pointer, (void (*)(void))name }
#endif

/** The row of a function that a static program lacks. */
#define DYNLIB_LOADED_ROW(name, pointer) \
	{ #name, pointer, NULL }
#define DYNLIB_END \
	{ NULL, NULL, NULL }

struct dynlib_library {
	const char *file;
	const struct dynlib_function *functions;
	bool tried, loaded;
};

/** Load a library and its functions, unless they are loaded already. Return false if any of them
 * is missing. Threads may load the same library at the same time. */
bool dynlib_load(struct dynlib_library *library);

/** Return whether this program can load libraries at all. */
bool dynlib_can_load(void);

#endif
