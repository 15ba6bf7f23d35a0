/* Opening files that describe tracepoints. */
#include "record/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/** Folders in which tracefs is usually mounted: as a file system of its own, or by debugfs. */
static const char *const places[] = {"/sys/kernel/tracing/events",
				     "/sys/kernel/debug/tracing/events"};
enum { PLACES = sizeof(places) / sizeof(places[0]) };

/** Return whether a path stays inside its folder. */
static bool tracefs_is_inside(const char *path) {
	return path[0] != '/' && strstr(path, "..") == NULL;
}

int tracefs_open(const char *folder, const char *path) {
	int problem = ENODEV;
	if (!tracefs_is_inside(path)) {
		errno = EINVAL;
		return -1;
	}
	for (size_t i = 0; i < (folder == NULL ? PLACES : 1); i++) {
		int events =
			open(folder == NULL ? places[i] : folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (events < 0) {
			problem = errno == EACCES ? EACCES : problem;
			continue;
		}
		int fd = openat(events, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
		problem = errno;
		close(events);
		if (fd >= 0) {
			return fd;
		}
		break;
	}
	errno = problem;
	return -1;
}

static int tracefs_compare_names(const void *a, const void *b) {
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int tracefs_list(int fd, struct buf *names) {
	char **items = NULL;
	size_t n = 0, capacity = 0;
	DIR *folder = fdopendir(fd);
	if (folder == NULL) {
		int problem = errno;
		close(fd);
		return problem;
	}
	for (const struct dirent *entry; errno = 0, (entry = readdir(folder)) != NULL;) {
		if (entry->d_name[0] != '.' && entry->d_type == DT_DIR) {
			MEM_GROW(items, capacity, n + 1);
			items[n] = strdup(entry->d_name);
			if (items[n++] == NULL) {
				inferno_out_of_memory();
			}
		}
	}
	int problem = errno;
	closedir(folder);
	if (n > 1) {
		qsort(items, n, sizeof(*items), tracefs_compare_names);
	}
	for (size_t i = 0; i < n; i++) {
		buf_add_text(names, items[i]);
		buf_add_char(names, '\n');
		free(items[i]);
	}
	free(items);
	return problem;
}
