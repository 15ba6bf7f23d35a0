/** Load a library when it is first needed, so that runs that do not need the library are not
 * slower. A static program cannot load libraries. It is built with -Dload_libraries=false, and
 * contains the libraries. */
#ifndef INFERNO_SYMBOLS_DYNLIB_H
#define INFERNO_SYMBOLS_DYNLIB_H

#include <stdbool.h>

struct dynlib_function {
	const char *name;     // NULL ends the list
	void *pointer;        // the pointer to fill in
	void (*linked)(void); // the function itself, if it is part of the program; otherwise NULL
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

/** Load a library and find its functions, unless this was done before. Return false if the library
 * or one of the functions is missing. Threads may load the same library at the same time. */
bool dynlib_load(struct dynlib_library *library);

/** Return whether this program can load libraries at all. */
bool dynlib_can_load(void);

#endif
