/*
 * Make calls of the system fail in the program that this is preloaded into. FAULT_TMPFILE,
 * FAULT_LINK, FAULT_FSYNC and FAULT_RENAME hold the errno of opening a file without a name, of
 * linking, of flushing and of renaming; FAULT_STAT that of asking about a link, as if its target
 * may not be seen.
 */
#undef _FILE_OFFSET_BITS // open() and open64() are two functions here
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(default)

int openat(int folder, const char *path, int flags, ...);
int openat64(int folder, const char *path, int flags, ...);
int renameat(int from_folder, const char *from, int into_folder, const char *into);
int stat(const char *path, struct stat *info);
int stat64(const char *path, struct stat64 *info);

static bool fails(const char *call) {
	const char *problem = getenv(call);
	if (problem != NULL) {
		errno = atoi(problem);
	}
	return problem != NULL;
}

static int open_file(int folder, const char *path, int flags, va_list args) {
	if ((flags & O_TMPFILE) == O_TMPFILE && fails("FAULT_TMPFILE")) {
		return -1;
	}
	bool has_mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
	return (int)syscall(SYS_openat, folder, path, flags, has_mode ? va_arg(args, unsigned) : 0);
}

int openat(int folder, const char *path, int flags, ...) {
	va_list args;
	va_start(args, flags);
	int fd = open_file(folder, path, flags, args);
	va_end(args);
	return fd;
}

int openat64(int folder, const char *path, int flags, ...) {
	va_list args;
	va_start(args, flags);
	int fd = open_file(folder, path, flags, args);
	va_end(args);
	return fd;
}

int linkat(int from_folder, const char *from, int into_folder, const char *into, int flags) {
	return fails("FAULT_LINK")
		       ? -1
		       : (int)syscall(SYS_linkat, from_folder, from, into_folder, into, flags);
}

int fsync(int fd) {
	return fails("FAULT_FSYNC") ? -1 : (int)syscall(SYS_fsync, fd);
}

int renameat(int from_folder, const char *from, int into_folder, const char *into) {
	return fails("FAULT_RENAME")
		       ? -1
		       : (int)syscall(SYS_renameat2, from_folder, from, into_folder, into, 0);
}

static bool is_hidden_link(const char *path) {
	char target[1];
	return getenv("FAULT_STAT") != NULL && readlink(path, target, sizeof(target)) > 0 &&
	       fails("FAULT_STAT");
}

int stat(const char *path, struct stat *info) {
	return is_hidden_link(path) ? -1 : fstatat(AT_FDCWD, path, info, 0);
}

int stat64(const char *path, struct stat64 *info) {
	return is_hidden_link(path) ? -1 : fstatat64(AT_FDCWD, path, info, 0);
}
