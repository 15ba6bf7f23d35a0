/* Replace dynlib.c in a static program, which contains the libraries. */
#include <string.h>

#include "symbols/dynlib.h"

bool dynlib_load(struct dynlib_library *library) {
	for (const struct dynlib_function *at = library->functions; at->name != NULL; at++) {
		if (at->linked == NULL) {
			return false;
		}
		memcpy(at->pointer, &at->linked, sizeof(at->linked));
	}
	return true;
}

bool dynlib_can_load(void) {
	return false;
}

/* Replace the functions of libdw that load libdebuginfod. libdw calls them when a program starts.
 * libdebuginfod needs a second C library, which does not work in a static program. */

struct debuginfod_client *dwfl_get_debuginfod_client(void *dwfl);
int __libdwfl_debuginfod_find_executable(void *dwfl, const unsigned char *id, size_t size);
int __libdwfl_debuginfod_find_debuginfo(void *dwfl, const unsigned char *id, size_t size);
void __libdwfl_debuginfod_end(void *client);

struct debuginfod_client *dwfl_get_debuginfod_client(void *dwfl) {
	(void)dwfl;
	return NULL;
}

int __libdwfl_debuginfod_find_executable(void *dwfl, const unsigned char *id, size_t size) {
	(void)dwfl;
	(void)id;
	(void)size;
	return -1;
}

int __libdwfl_debuginfod_find_debuginfo(void *dwfl, const unsigned char *id, size_t size) {
	return __libdwfl_debuginfod_find_executable(dwfl, id, size);
}

void __libdwfl_debuginfod_end(void *client) {
	(void)client;
}
