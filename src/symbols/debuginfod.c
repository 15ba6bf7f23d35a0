/* Talks to debuginfod servers through a library that is opened only when it is wanted. */
#include "symbols/debuginfod.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 90 }; // seconds for one file

struct debuginfod_client; // the library's

/** The parts of the library that are used. */
struct library {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	int (*find)(struct debuginfod_client *client, const unsigned char *build_id, int length,
		    char **path);
	void (*set_progress)(struct debuginfod_client *client,
			     int (*progress)(struct debuginfod_client *client, long done,
					     long total));
	void (*set_data)(struct debuginfod_client *client, void *data);
	void *(*get_data)(struct debuginfod_client *client);
};

struct fetch {
	const struct library *library;
	struct diag *diag;
	time_t start;
};

static _Thread_local const struct library *used; // the callback gets nothing but the client

static int progress(struct debuginfod_client *client, long done, long total) {
	const struct fetch *fetch = used->get_data(client);
	diag_progress(fetch->diag, "debuginfod", done < 0 ? 0 : (uint64_t)done,
		      total < 0 ? 0 : (uint64_t)total);
	return time(NULL) - fetch->start > PATIENCE;
}

/** Find a function of the library. ISO C has no cast from `void *` for it. */
static bool find_function(void *handle, const char *name, void *function) {
	void *found = dlsym(handle, name);
	memcpy(function, &found, sizeof(found));
	return found != NULL;
}

static bool open_library(struct library *library) {
	void *handle = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);
	return handle != NULL && find_function(handle, "debuginfod_begin", &library->begin) &&
	       find_function(handle, "debuginfod_end", &library->end) &&
	       find_function(handle, "debuginfod_find_debuginfo", &library->find) &&
	       find_function(handle, "debuginfod_set_progressfn", &library->set_progress) &&
	       find_function(handle, "debuginfod_set_user_data", &library->set_data) &&
	       find_function(handle, "debuginfod_get_user_data", &library->get_data);
}

bool debuginfod_fetch(const struct build_id *build_id, struct diag *diag, struct buf *path) {
	struct library library;
	if (!open_library(&library)) {
		return false;
	}
	struct fetch fetch = {&library, diag, time(NULL)};
	struct debuginfod_client *client = library.begin();
	char *found = NULL;
	if (client == NULL) {
		return false;
	}
	used = &library;
	library.set_data(client, &fetch);
	library.set_progress(client, progress);
	int fd = library.find(client, build_id->bytes, build_id->size, &found);
	if (fd >= 0) {
		close(fd);
		buf_add_text(path, found);
	}
	free(found);
	library.end(client);
	used = NULL;
	return fd >= 0;
}
