/* Load libraries at run time. */
#include "symbols/dynlib.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/** Find a function of a library. ISO C has no cast from `void *` to a function pointer, so copy the
 * pointer. */
static bool dynlib_find(void *handle, const struct dynlib_function *function) {
	void *found = dlsym(handle, function->name);
	memcpy(function->pointer, &found, sizeof(found));
	return found != NULL;
}

static bool dynlib_load_all(const struct dynlib_library *library) {
	void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
	bool found = handle != NULL;
	for (const struct dynlib_function *at = library->functions; found && at->name != NULL;
	     at++) {
		found = dynlib_find(handle, at);
	}
	return found;
}

bool dynlib_load(struct dynlib_library *library) {
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&lock);
	if (!library->tried) {
		library->tried = true;
		library->loaded = dynlib_load_all(library);
	}
	bool loaded = library->loaded;
	pthread_mutex_unlock(&lock);
	return loaded;
}

bool dynlib_can_load(void) {
	return true;
}
