/* Write a result to standard output or to a file. */
#include "base/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/scratch.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "base/why.h"

__attribute__((weak)) void destination_watch(const char *gone, const char *added) {
	(void)gone;
	(void)added;
}

/* --- Files that are not complete ------------------------------------------------------------ */

/** Return the folder of a path, with its slash, or an empty text. The caller releases the
 * buffer. */
static struct buf destination_folder_of(const char *path) {
	const char *slash = strrchr(path, '/');
	struct buf folder = {0};
	buf_add(&folder, path, slash == NULL ? 0 : (size_t)(slash - path) + 1);
	return folder;
}

/** Return the last part of a path: the name of the file in `to->folder`. */
static const char *destination_base_of(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

/** Format a path for a file that has no name: the path of its descriptor in /proc, such as
 * "/proc/self/fd/3". */
static void destination_name_descriptor(char *out, size_t size, int fd) {
	snprintf(out, size, "/proc/self/fd/%d", fd);
}

enum { DESCRIPTOR_NAME_MAX = 32 };

/** Create a file without a name in the folder, with O_TMPFILE. Return -1 if such a file cannot be
 * created, or cannot get a name later. */
static int destination_open_unnamed(const struct destination *to, mode_t mode) {
	char name[DESCRIPTOR_NAME_MAX];
	int fd = openat(to->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
	destination_name_descriptor(name, sizeof(name), fd);
	if (fd >= 0 && access(name, F_OK) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static void destination_forget_temporary(struct destination *to) {
	if (to->temporary != NULL) {
		destination_watch(to->temporary, NULL);
	}
	free(to->temporary);
	to->temporary = NULL;
}

/** Choose a unique name for a file in the folder of the output. Announce the name before the file
 * exists, so that a signal handler can always remove the file. */
static void destination_name_temporary(struct destination *to) {
	struct buf name = destination_folder_of(to->path);
	buf_printf(&name, ".inferno-%016llx", (unsigned long long)hash_seed());
	buf_text(&name);
	to->temporary = name.p;
	destination_watch(NULL, to->temporary);
}

/** Open a file with a temporary name. Return its descriptor, or -1 with errno set. */
static int destination_open_named(struct destination *to, mode_t mode) {
	destination_name_temporary(to);
	int fd = openat(to->folder, destination_base_of(to->temporary),
			O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0) {
		int problem = errno;
		destination_forget_temporary(to);
		errno = problem;
	}
	return fd;
}

/** Create a file without a name for the result. destination_write_in_place() later copies the
 * result into the existing output file. */
static int destination_open_copy(void) {
	int fd = scratch_open();
#ifdef MFD_CLOEXEC
	fd = fd >= 0 ? fd : memfd_create("inferno", MFD_CLOEXEC);
#endif
	return fd;
}

/** Return whether an error means that no file can be created or replaced in a folder. The caller
 * can still overwrite an existing file there. */
static bool destination_is_refusal(int problem) {
	return problem == EACCES || problem == EPERM || problem == EROFS || problem == EBUSY;
}

/** Refuse to write in place if the output file is also an input: the output would replace bytes
 * that are not read yet. */
static int destination_check_in_place(struct destination *to) {
	if (to->is_input) {
		to->problem = "it is also an input, and can only be written in place; write "
			      "somewhere else";
	}
	return to->is_input ? -1 : 0;
}

/** Open a new file for the result: a file that destination_take_name() later names `to->path`, or,
 * if the folder refuses new files, a file that destination_write_in_place() later copies. */
static int destination_open_waiting(struct destination *to, mode_t mode) {
	to->waits = true;
	to->fd = destination_open_unnamed(to, mode);
	to->fd = to->fd < 0 ? destination_open_named(to, mode) : to->fd;
	if (to->fd < 0 && to->replaces && destination_is_refusal(errno) &&
	    destination_check_in_place(to) == 0) {
		to->in_place = true;
		to->fd = destination_open_copy();
	}
	// Set the mode again: open() removes the permissions in the umask, but the replaced file
	// may have them.
	return to->fd < 0 ? -1 : to->replaces ? fchmod(to->fd, mode) : 0;
}

/* --- Opening -------------------------------------------------------------------------------- */

/** Return whether `a` and `b` describe the same file. */
static bool destination_is_same(const struct stat *a, const struct stat *b) {
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/** Find the existing file at `path`. If `path` is a link to a file that does not exist, create the
 * target: so the kernel decides whether this link may be followed. Return 0, also if there is no
 * file, or -1 with errno set. */
static int destination_find_existing(struct destination *to, mode_t mode, struct stat *info) {
	to->replaces = stat(to->path, info) == 0;
	if (to->replaces || errno != ENOENT) {
		return to->replaces ? 0 : -1;
	}
	if (lstat(to->path, info) != 0) {
		return errno == ENOENT ? 0 : -1;
	}
	int fd = open(to->path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
	to->made = to->replaces = fd >= 0 && fstat(fd, info) == 0;
	if (fd >= 0) {
		close(fd);
	}
	return fd < 0 ? -1 : 0;
}

/**
 * Open the folder of the output file. If `path` is a link, open the folder of its target: the link
 * is kept, and the target is replaced. `info` is the result of stat(). Fail if the link was changed
 * after stat(), because the kernel might refuse to follow the new link. Return 0, or -1 with errno
 * set.
 */
static int destination_open_folder(struct destination *to, const struct stat *info) {
#ifdef O_PATH
	enum { FOLDER = O_PATH | O_DIRECTORY | O_CLOEXEC };
#else
	enum { FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
#endif
	struct stat now;
	if (to->replaces) {
		to->real = realpath(to->path, NULL);
		if (to->real == NULL) {
			return -1;
		}
		to->path = to->real;
	}
	struct buf name = destination_folder_of(to->path);
	to->folder = open(name.n == 0 ? "." : buf_text(&name), FOLDER);
	buf_release(&name);
	if (to->folder >= 0 && to->replaces &&
	    (fstatat(to->folder, destination_base_of(to->path), &now, AT_SYMLINK_NOFOLLOW) != 0 ||
	     !destination_is_same(&now, info))) {
		errno = ELOOP;
		return -1;
	}
	return to->folder < 0 ? -1 : 0;
}

/** Make a compressor if the name of the output ends in .gz or .zst. */
static int destination_start_compressor(struct destination *to) {
	enum compressor_format format = compressor_format_of(to->path);
	if (format == COMPRESSOR_NONE) {
		return 0;
	}
	to->compressor = compressor_new(format);
	if (to->compressor == NULL) {
		to->fd = -1;
		to->problem = format == COMPRESSOR_GZIP ? "this inferno was built without zlib"
							: "this inferno was built without libzstd";
		errno = ENOTSUP;
		return -1;
	}
	return 0;
}

/** Open a device or a pipe, and wait until the pipe has a reader. Give up soon after a signal. */
static int destination_open_patiently(const char *path) {
	const struct timespec pause = {.tv_nsec = 10000000};
	int64_t start = stop_now();
	int fd;
	if (!stop_is_caught()) {
		return open(path, O_WRONLY | O_CLOEXEC);
	}
	while ((fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == ENXIO) {
		if (stop_is_over(start, STOP_STALLED)) {
			errno = ECANCELED;
			return -1;
		}
		nanosleep(&pause, NULL);
	}
	if (fd >= 0) {
		fcntl(fd, F_SETFL, O_WRONLY);
	}
	return fd;
}

int destination_open(struct destination *to, const char *path, unsigned flags) {
	*to = (struct destination){
		.fd = STDOUT_FILENO, .folder = -1, .is_input = (flags & DESTINATION_IS_INPUT) != 0};
	if (path == NULL || strcmp(path, "-") == 0) {
		return 0;
	}
	to->path = to->given = path;
	if (destination_start_compressor(to) != 0) {
		return -1;
	}
	int named = descriptor_named(path);
	if (named >= 0) { // use the open descriptor: if the path is opened again, writing begins at
			  // the start of the file
		to->fd = fcntl(named, F_DUPFD_CLOEXEC, 0);
		return to->fd < 0 ? -1 : 0;
	}
	struct stat info = {0};
	bool is_private = (flags & DESTINATION_PRIVATE) != 0;
	const mode_t mode = is_private ? 0600 : 0666;
	to->fd = -1;
	if (destination_find_existing(to, mode, &info) != 0) {
		return -1;
	}
	if (to->replaces && !S_ISREG(info.st_mode)) { // a device or a pipe
		to->fd = destination_open_patiently(path);
		return to->fd < 0 ? -1 : 0;
	}
	if ((to->replaces && access(path, W_OK) != 0) || destination_open_folder(to, &info) != 0) {
		return -1;
	}
	const mode_t old_mode = info.st_mode & (is_private ? 0600 : 0777);
	return destination_open_waiting(to, to->replaces ? old_mode : mode);
}

/* --- Writing and closing -------------------------------------------------------------------- */

/** Write text to a terminal, with control characters replaced, except line ends and tabs. Keep the
 * bytes of an incomplete character in `to->pending` until the next call. In the `last` call, write
 * these bytes, too. */
static int destination_write_shown(struct destination *to, const void *bytes, size_t size,
				   bool last) {
	struct buf shown = {0};
	buf_add(&to->pending, bytes, size);
	struct str rest = buf_str(&to->pending);
	struct str open = str_from(rest, rest.n - (last ? 0 : utf8_open_tail(rest)));
	rest.n -= open.n;
	while (rest.n > 0) {
		if (rest.p[0] == '\n' || rest.p[0] == '\t') {
			buf_add_char(&shown, rest.p[0]);
			rest = str_from(rest, 1);
		} else {
			buf_add_str(&shown, utf8_take_shown(&rest));
		}
	}
	memmove(to->pending.p, open.p, open.n);
	to->pending.n = open.n;
	int result = scratch_write(to->fd, shown.p, shown.n);
	buf_release(&shown);
	return result;
}

int destination_write(void *context, const void *bytes, size_t size) {
	struct destination *to = context;
	if ((to->compressor != NULL ? compressor_write(to->compressor, to->fd, bytes, size, false)
	     : isatty(to->fd) != 0  ? destination_write_shown(to, bytes, size, false)
				    : scratch_write(to->fd, bytes, size)) != 0) {
		to->error = errno;
		return -1;
	}
	return 0;
}

bool destination_can_seek(const struct destination *to) {
	return to->waits && to->compressor == NULL;
}

int destination_replace_start(struct destination *to, const void *bytes, size_t size) {
	if (pwrite(to->fd, bytes, size, 0) != (ssize_t)size) {
		to->error = errno == 0 ? EIO : errno;
		return -1;
	}
	return 0;
}

/** Copy the whole content of the file `from` to the file `into`. */
static int destination_copy(int from, int into) {
	enum { PART = 64 << 10 };
	char *bytes = mem_new(PART, 1);
	off_t at = 0;
	ssize_t len;
	while ((len = pread(from, bytes, PART, at)) > 0 &&
	       scratch_write(into, bytes, (size_t)len) == 0) {
		at += len;
	}
	free(bytes);
	return len == 0 ? 0 : -1;
}

/** Copy the complete result into the existing output file. */
static int destination_write_in_place(const struct destination *to) {
	int fd = openat(to->folder, destination_base_of(to->path),
			O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		return -1;
	}
	int result = ftruncate(fd, 0) == 0 && destination_copy(to->fd, fd) == 0 ? fsync(fd) : -1;
	return close(fd) == 0 ? result : -1;
}

/** Link the written file, which has no name yet, to the name `path`. */
static int destination_link_unnamed(const struct destination *to, const char *path) {
	char name[DESCRIPTOR_NAME_MAX];
	destination_name_descriptor(name, sizeof(name), to->fd);
	return linkat(AT_FDCWD, name, to->folder, destination_base_of(path), AT_SYMLINK_FOLLOW);
}

/** Link the file without a name to a temporary name. If the file system cannot link the file, make
 * a copy that has the temporary name. */
static int destination_link_temporary(struct destination *to) {
	destination_name_temporary(to);
	if (destination_link_unnamed(to, to->temporary) == 0) {
		return 0;
	}
	destination_forget_temporary(to);
	struct stat info;
	int fd = fstat(to->fd, &info) == 0 ? destination_open_named(to, info.st_mode & 0777) : -1;
	int result = fd < 0 ? -1 : destination_copy(to->fd, fd);
	return fd >= 0 && close(fd) != 0 ? -1 : result;
}

/** Give the written file the name of the output. */
static int destination_take_name(struct destination *to) {
	// Call fsync(), so that a power loss leaves either the whole old file or the whole new
	// file. A network file system may report a failed write only here.
	if ((to->replaces || to->temporary != NULL) && fsync(to->fd) != 0) {
		return -1;
	}
	if (to->temporary == NULL && !to->replaces && destination_link_unnamed(to, to->path) == 0) {
		return 0;
	}
	if (to->temporary == NULL && destination_link_temporary(to) != 0) {
		return -1;
	}
	return renameat(to->folder, destination_base_of(to->temporary), to->folder,
			destination_base_of(to->path));
}

/** Give the complete result its name, or copy the result into the existing file. */
static int destination_deliver(struct destination *to) {
	if (to->in_place) {
		return destination_write_in_place(to);
	}
	int result = destination_take_name(to);
	bool refused = result != 0 && to->replaces && destination_is_refusal(errno);
	if (result != 0 && to->temporary != NULL) {
		int problem = errno;
		unlinkat(to->folder, destination_base_of(to->temporary), 0);
		errno = problem;
	}
	return !refused                              ? result
	       : destination_check_in_place(to) == 0 ? destination_write_in_place(to)
						     : -1;
}

int destination_close(struct destination *to, bool complete) {
	int error = 0;
	if (complete && to->compressor != NULL && to->fd >= 0 &&
	    compressor_write(to->compressor, to->fd, NULL, 0, true) != 0) {
		error = errno;
		complete = false;
	}
	compressor_free(to->compressor);
	to->compressor = NULL;
	if (to->pending.n > 0 && destination_write_shown(to, "", 0, true) != 0) {
		error = errno;
	}
	buf_release(&to->pending);
	if (to->waits && to->fd >= 0 && complete && destination_deliver(to) != 0) {
		error = errno;
	}
	if (!complete && to->temporary != NULL) {
		unlinkat(to->folder, destination_base_of(to->temporary), 0);
	}
	if (to->fd >= 0 && close(to->fd) != 0 && error == 0) {
		error = errno;
	}
	if (to->made && (!complete || error != 0) && to->folder >= 0) {
		unlinkat(to->folder, destination_base_of(to->path), 0);
	}
	if (to->folder >= 0) {
		close(to->folder);
	}
	destination_forget_temporary(to);
	free(to->real);
	to->real = NULL;
	errno = error;
	return error == 0 ? 0 : -1;
}

struct destination_problem destination_problem(const struct destination *to) {
	struct destination_problem problem;
	struct buf text = {0};
	int error = errno;
	if (to->problem != NULL) {
		buf_add_text(&text, to->problem);
	} else if (error == ECANCELED) {
		buf_add_text(&text, "nobody read it before a signal asked for the end");
	} else if (to->given == NULL) {
		buf_add_text(&text, strerror(error));
	} else {
		why_unwritten(&text, to->given, error);
	}
	snprintf(problem.text, sizeof(problem.text), "%s", buf_text(&text));
	buf_release(&text);
	return problem;
}

unsigned destination_flags_for(const char *path, const struct source *sources, size_t n) {
	unsigned flags = 0;
	for (size_t i = 0; i < n; i++) {
		flags |= source_is(&sources[i], path) ? DESTINATION_IS_INPUT : 0;
	}
	return flags;
}

int destination_fill(const char *path, unsigned flags,
		     int (*fill)(struct output *out, void *context), void *context,
		     struct diag *diag) {
	struct destination to;
	struct output out;
	int result = 0;
	bool failed = destination_open(&to, path, flags) != 0;
	if (!failed) {
		output_init(&out, destination_write, &to);
		result = fill(&out, context);
		failed = output_finish(&out) != 0;
		output_release(&out);
		errno = failed ? to.error : 0;
	}
	if (failed) {
		result = diag_error(diag, "%s: cannot write: %s", path,
				    destination_problem(&to).text);
	}
	if (destination_close(&to, result == 0) != 0 && result == 0) {
		result = diag_error(diag, "%s: cannot write: %s", path,
				    destination_problem(&to).text);
	}
	return result;
}
