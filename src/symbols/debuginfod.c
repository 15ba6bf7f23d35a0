/* Talk to debuginfod servers through a library that is loaded only if it is needed. */
#include "symbols/debuginfod.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "symbols/late.h"

enum { PATIENCE = 90 }; // seconds for one file

struct debuginfod_client; // the library's

/** The functions of the library that are used. */
static struct {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	int (*find)(struct debuginfod_client *client, const unsigned char *build_id, int length,
		    char **path);
	void (*set_progress)(struct debuginfod_client *client,
			     int (*progress)(struct debuginfod_client *client, long done,
					     long total));
	void (*set_data)(struct debuginfod_client *client, void *data);
	void *(*get_data)(struct debuginfod_client *client);
} debuginfod;

static const struct late_function functions[] = {
	{"debuginfod_begin", &debuginfod.begin},
	{"debuginfod_end", &debuginfod.end},
	{"debuginfod_find_debuginfo", &debuginfod.find},
	{"debuginfod_set_progressfn", &debuginfod.set_progress},
	{"debuginfod_set_user_data", &debuginfod.set_data},
	{"debuginfod_get_user_data", &debuginfod.get_data},
	{NULL, NULL},
};

static struct late_library libdebuginfod = {.file = "libdebuginfod.so.1", .functions = functions};

struct fetch {
	struct diag *diag;
	time_t start;
};

static int progress(struct debuginfod_client *client, long done, long total) {
	const struct fetch *fetch = debuginfod.get_data(client);
	diag_progress(fetch->diag, "debuginfod", done < 0 ? 0 : (uint64_t)done,
		      total < 0 ? 0 : (uint64_t)total);
	return time(NULL) - fetch->start > PATIENCE;
}

bool debuginfod_fetch(const struct build_id *build_id, struct diag *diag, struct buf *path) {
	if (!late_load(&libdebuginfod)) {
		return false;
	}
	struct fetch fetch = {diag, time(NULL)};
	struct debuginfod_client *client = debuginfod.begin();
	char *found = NULL;
	if (client == NULL) {
		return false;
	}
	debuginfod.set_data(client, &fetch);
	debuginfod.set_progress(client, progress);
	int fd = debuginfod.find(client, build_id->bytes, build_id->size, &found);
	if (fd >= 0) {
		close(fd);
		buf_add_text(path, found);
	}
	free(found);
	debuginfod.end(client);
	return fd >= 0;
}
