/** Load a library only when it is needed, because loading takes time. A static program cannot load
 * libraries, so it is built with -Dload_libraries=false and contains the libraries. */
#pragma once

#include <stdbool.h>

struct dynlib_function {
	const char *name;     // NULL ends the list
	void *pointer;        // the pointer to fill in
	void (*linked)(void); // the function itself, if the program contains it; otherwise NULL
};

/** Make the row of a function that a static program contains. */
#ifdef LOAD_LIBRARIES
#define DYNLIB_ROW(name, pointer) \
	{ #name, pointer, NULL }
#else
#define DYNLIB_ROW(name, pointer) \
	{ #name, pointer, (void (*)(void))name }
#endif

/** Make the row of a function that a static program lacks. */
#define DYNLIB_LOADED_ROW(name, pointer) \
	{ #name, pointer, NULL }
#define DYNLIB_END \
	{ NULL, NULL, NULL }

struct dynlib_library {
	const char *file;
	const struct dynlib_function *functions;
	bool tried, loaded;
};

/** Load a library and find its functions, unless an earlier call has done this. Return false if the
 * library or one of the functions is missing. Threads may load the same library at the same
 * time. */
bool dynlib_load(struct dynlib_library *library);

bool dynlib_can_load(void);
