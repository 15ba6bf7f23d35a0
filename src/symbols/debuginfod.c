/* Fetch files from debuginfod servers through the library libdebuginfod, which is loaded only if it
 * is needed. */
#include "symbols/debuginfod.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "symbols/dynlib.h"

enum { PATIENCE = 90 }; // time limit for one file, in seconds

struct debuginfod_client; // a struct of the library

/** Pointers to the library's functions. */
static struct {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	int (*find)(struct debuginfod_client *client, const unsigned char *build_id, int length,
		    char **path);
	int (*find_source)(struct debuginfod_client *client, const unsigned char *build_id,
			   int length, const char *source, char **path);
	void (*set_progress)(struct debuginfod_client *client,
			     int (*progress)(struct debuginfod_client *client, long done,
					     long total));
	void (*set_data)(struct debuginfod_client *client, void *data);
	void *(*get_data)(struct debuginfod_client *client);
} debuginfod;

static const struct dynlib_function functions[] = {
	DYNLIB_LOADED_ROW(debuginfod_begin, &debuginfod.begin),
	DYNLIB_LOADED_ROW(debuginfod_end, &debuginfod.end),
	DYNLIB_LOADED_ROW(debuginfod_find_debuginfo, &debuginfod.find),
	DYNLIB_LOADED_ROW(debuginfod_find_source, &debuginfod.find_source),
	DYNLIB_LOADED_ROW(debuginfod_set_progressfn, &debuginfod.set_progress),
	DYNLIB_LOADED_ROW(debuginfod_set_user_data, &debuginfod.set_data),
	DYNLIB_LOADED_ROW(debuginfod_get_user_data, &debuginfod.get_data),
	DYNLIB_END,
};

static struct dynlib_library libdebuginfod = {.file = "libdebuginfod.so.1", .functions = functions};

struct fetch {
	struct diag *diag;
	time_t start;
	bool stopped; // this program stopped the download, not the server
};

static int debuginfod_progress(struct debuginfod_client *client, long done, long total) {
	struct fetch *fetch = debuginfod.get_data(client);
	diag_progress(fetch->diag, "debuginfod", done < 0 ? 0 : (uint64_t)done,
		      total < 0 ? 0 : (uint64_t)total);
	fetch->stopped = time(NULL) - fetch->start > PATIENCE || diag_is_interrupted(fetch->diag);
	return fetch->stopped;
}

/** Add the path of the library's cache. The library computes the path in the same way. */
static void debuginfod_find_cache(struct buf *path) {
	const char *cache = getenv("DEBUGINFOD_CACHE_PATH"), *user = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	home = home == NULL ? "" : home;
	if (cache != NULL && *cache != '\0') {
		buf_add_text(path, cache);
		return;
	}
	struct stat info;
	buf_printf(path, "%s/.debuginfod_client_cache", home);
	if (stat(buf_text(path), &info) == 0) {
		return;
	}
	buf_clear(path);
	buf_printf(path, user == NULL ? "%s/.cache" : "%s", user == NULL ? home : user);
	buf_add_text(path, "/debuginfod_client");
}

/** Remove the empty file that the library makes to remember that no server has a debug file. The
 * library makes this file even if this program stopped the download. */
static void debuginfod_forget_miss(const struct build_id *build_id) {
	struct buf path = {0};
	struct stat info;
	debuginfod_find_cache(&path);
	buf_add_char(&path, '/');
	for (size_t i = 0; i < build_id->size; i++) {
		buf_printf(&path, "%02x", build_id->bytes[i]);
	}
	size_t folder = path.n;
	buf_add_text(&path, "/debuginfo");
	if (lstat(buf_text(&path), &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0) {
		(void)unlink(buf_text(&path));
		path.n = folder;
		(void)rmdir(buf_text(&path));
	}
	buf_release(&path);
}

/** Fetch a source file. If `source` is NULL, fetch the debug file. */
static bool debuginfod_fetch_either(const struct build_id *build_id, const char *source,
				    struct diag *diag, struct buf *path, bool *missing) {
	if (!dynlib_load(&libdebuginfod)) {
		*missing = true;
		return false;
	}
	struct fetch fetch = {.diag = diag, .start = time(NULL)};
	struct debuginfod_client *client = debuginfod.begin();
	char *found = NULL;
	if (client == NULL) {
		return false;
	}
	debuginfod.set_data(client, &fetch);
	debuginfod.set_progress(client, debuginfod_progress);
	int fd = -1;
	if (diag_begin_wait(diag)) {
		fd = source == NULL
			     ? debuginfod.find(client, build_id->bytes, build_id->size, &found)
			     : debuginfod.find_source(client, build_id->bytes, build_id->size,
						      source, &found);
		diag_end_wait(diag);
	}
	if (fd >= 0) {
		close(fd);
		buf_add_text(path, found);
	}
	if (fd < 0 && fetch.stopped && source == NULL) {
		debuginfod_forget_miss(build_id);
	}
	free(found);
	debuginfod.end(client);
	return fd >= 0;
}

bool debuginfod_fetch(const struct build_id *build_id, struct diag *diag, struct buf *path,
		      bool *missing) {
	return debuginfod_fetch_either(build_id, NULL, diag, path, missing);
}

bool debuginfod_fetch_source(const struct build_id *build_id, struct str source, struct diag *diag,
			     struct buf *path, bool *missing) {
	struct buf name = {0};
	buf_add_str(&name, source);
	bool found = str_starts(source, STR("/")) &&
		     debuginfod_fetch_either(build_id, buf_text(&name), diag, path, missing);
	buf_release(&name);
	return found;
}
