/* Where the result goes. */
#include "base/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"

/** Temporary files, for destination_remove_unfinished(). What finds no place stays behind then. */
static _Atomic(const char *) unfinished[4];

static void replace_unfinished(const char *old, const char *new) {
	for (size_t i = 0; i < sizeof(unfinished) / sizeof(unfinished[0]); i++) {
		const char *expected = old;
		if (atomic_compare_exchange_strong(&unfinished[i], &expected, new)) {
			return;
		}
	}
}

void destination_remove_unfinished(void) {
	for (size_t i = 0; i < sizeof(unfinished) / sizeof(unfinished[0]); i++) {
		const char *path = atomic_load(&unfinished[i]);
		if (path != NULL) {
			unlink(path);
		}
	}
}

/** The permissions of a new file: those of the file that it replaces, or what the umask leaves. */
static mode_t new_mode(const struct stat *replaced) {
	if (replaced != NULL) {
		return replaced->st_mode & 0777;
	}
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/** Opens a new file in the folder of `to->path`. */
static int open_temporary(struct destination *to, const struct stat *replaced) {
	static const char name[] = ".inferno-XXXXXX";
	const char *slash = strrchr(to->path, '/');
	size_t folder = slash == NULL ? 0 : (size_t)(slash - to->path) + 1;
	to->temporary = mem_new(folder + sizeof(name), 1);
	memcpy(to->temporary, to->path, folder);
	memcpy(to->temporary + folder, name, sizeof(name));
	to->fd = mkstemp(to->temporary);
	if (to->fd >= 0) {
		replace_unfinished(NULL, to->temporary);
		return fchmod(to->fd, new_mode(replaced));
	}
	free(to->temporary);
	to->temporary = NULL;
	// A file can be written in a folder that takes no new ones.
	to->fd = replaced == NULL ? -1 : open(to->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	return to->fd < 0 ? -1 : 0;
}

/** The descriptor that a name such as /dev/stdout or /dev/fd/3 stands for, or -1. */
static int named_descriptor(const char *path) {
	struct str rest = str_of(path);
	uint64_t number;
	if (strcmp(path, "/dev/stdout") == 0) {
		return STDOUT_FILENO;
	}
	if (strcmp(path, "/dev/stderr") == 0) {
		return STDERR_FILENO;
	}
	bool named = str_starts(rest, STR("/dev/fd/"));
	return named && num_parse_u64(str_from(rest, 8), &number) && number < 65536 ? (int)number
										    : -1;
}

int destination_open(struct destination *to, const char *path) {
	*to = (struct destination){.fd = STDOUT_FILENO};
	if (path == NULL || strcmp(path, "-") == 0) {
		return 0;
	}
	to->path = path;
	int named = named_descriptor(path);
	if (named >= 0) { // opened anew, it would be written from its start
		to->fd = dup(named);
		return to->fd < 0 ? -1 : 0;
	}
	struct stat info;
	bool exists = stat(path, &info) == 0;
	bool link = !exists && lstat(path, &info) == 0;
	// A device or a pipe is written as it is; so is what a link names that is not there yet.
	if (link || (exists && !S_ISREG(info.st_mode))) {
		to->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		return to->fd < 0 ? -1 : 0;
	}
	if (exists && access(path, W_OK) != 0) {
		to->fd = -1;
		return -1;
	}
	// What a link points to is replaced, not the link.
	to->real = exists ? realpath(path, NULL) : NULL;
	to->path = to->real != NULL ? to->real : path;
	return open_temporary(to, exists ? &info : NULL);
}

int destination_write(void *context, const void *bytes, size_t size) {
	struct destination *to = context;
	while (size > 0) {
		ssize_t len = write(to->fd, bytes, size);
		if (len < 0 && errno != EINTR) {
			to->error = errno;
			return -1;
		}
		if (len > 0) {
			bytes = (const char *)bytes + len;
			size -= (size_t)len;
		}
	}
	return 0;
}

int destination_close(struct destination *to, int complete) {
	int error = 0;
	if (to->fd >= 0 && close(to->fd) != 0) {
		error = errno;
	}
	if (to->temporary != NULL && to->fd >= 0) {
		if (complete && error == 0 && rename(to->temporary, to->path) != 0) {
			error = errno;
		}
		if (!complete || error != 0) {
			unlink(to->temporary);
		}
		replace_unfinished(to->temporary, NULL);
	}
	free(to->temporary);
	free(to->real);
	errno = error;
	return error == 0 ? 0 : -1;
}

int destination_fill(const char *path, void (*fill)(struct output *out, const void *context),
		     const void *context, struct diag *diag) {
	struct destination to;
	struct output out;
	bool failed = destination_open(&to, path) != 0;
	if (!failed) {
		output_init(&out, destination_write, &to);
		fill(&out, context);
		failed = output_finish(&out) != 0;
		output_release(&out);
	}
	int reason = failed && to.error != 0 ? to.error : errno;
	if (destination_close(&to, !failed) != 0) {
		reason = errno;
		failed = true;
	}
	return failed ? diag_error(diag, "%s: cannot write: %s", path, strerror(reason)) : 0;
}
