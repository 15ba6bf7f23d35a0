/*
 * Make calls of the C library fail in the program that preloads this library.
 *
 * FAULT lists the calls that fail, as CALL:NUMBER:HOW, separated by commas. CALL is a name in the
 * list below, and stands for a group of functions. NUMBER is the number of the call in its group,
 * from 1; a `+` after it means all calls from that one on. HOW is an errno value, or `short` for a
 * partial read or write.
 *
 * FAULT_PROGRAM names the program in which calls fail; without it, calls fail in every program.
 * FAULT_COUNTS names a file, to which the number of calls of each group is written at the end.
 * FAULT_LOG names a file that gets a line for each failed call. The line has the name of the call's
 * group, and the names of the libraries whose functions are on the stack.
 */
#undef _FILE_OFFSET_BITS // open() and open64() are two functions here
#undef _FORTIFY_SOURCE   // and read() must not be an inline function
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define GROUPS(of)                                                                          \
	of(malloc) of(calloc) of(realloc) of(read) of(write) of(open) of(tmpfile) of(mmap)  \
		of(close) of(rename) of(link) of(ftruncate) of(fsync) of(thread) of(fork)   \
			of(spawn) of(stat) of(statlink) of(list) of(poll) of(wait) of(pipe) \
				of(seek)

#define NUMBER_OF(name) GROUP_##name,
#define NAME_OF(name) #name,
enum group { GROUPS(NUMBER_OF) GROUP_COUNT };
static const char *const names[] = {GROUPS(NAME_OF)};

enum { FAULTS_MOST = 8, FRAMES_MOST = 32, SHORT = -1 };

static struct fault {
	enum group group;
	long from, to;
	int how;
} faults[FAULTS_MOST];

static int faults_n;
static long *counts; // counts of a program and all its child processes, so that only one call in
		     // all of them fails
static bool ready;
static pid_t own;
static const char *log_path, *counts_path;
static __thread bool logging;

/* --- What fails ----------------------------------------------------------------------------- */

static void preload_parse(const char *text) {
	while (text != NULL && *text != '\0' && faults_n < FAULTS_MOST) {
		struct fault *fault = &faults[faults_n];
		size_t n = strcspn(text, ":");
		int group = 0;
		while (group < GROUP_COUNT &&
		       (strncmp(names[group], text, n) != 0 || names[group][n] != '\0')) {
			group++;
		}
		char *end = NULL;
		fault->group = (enum group)group;
		fault->from = text[n] == ':' ? strtol(text + n + 1, &end, 10) : 0;
		if (group == GROUP_COUNT || fault->from < 1) {
			dprintf(STDERR_FILENO, "FAULT is not well-formed: %s\n", text);
			abort();
		}
		bool all = *end == '+';
		fault->to = all ? __LONG_MAX__ : fault->from;
		end += all;
		fault->how = strncmp(end, ":short", 6) == 0 ? SHORT : atoi(end + 1);
		faults_n++;
		text = strchr(end, ',');
		text = text == NULL ? NULL : text + 1;
	}
}

static void preload_log_text(const char *path, const char *text, int flags) {
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC | flags,
			      0600);
	if (fd >= 0) {
		syscall(SYS_write, fd, text, strlen(text));
		syscall(SYS_close, fd);
	}
}

/** Write down the group of the failing call, and the libraries whose functions are on the stack. */
static void preload_log_fault(enum group group) {
	void *frames[FRAMES_MOST];
	char line[1024];
	const char *last = "";
	if (log_path == NULL || logging) {
		return;
	}
	logging = true;
	int n = backtrace(frames, FRAMES_MOST);
	int at = snprintf(line, sizeof(line), "%s", names[group]);
	for (int i = 0; i < n; i++) {
		Dl_info info;
		if (dladdr(frames[i], &info) == 0 || info.dli_fname == NULL) {
			continue;
		}
		const char *slash = strrchr(info.dli_fname, '/');
		const char *name = slash == NULL ? info.dli_fname : slash + 1;
		if (strcmp(name, last) != 0 && (size_t)at + strlen(name) + 3 < sizeof(line)) {
			at += snprintf(line + at, sizeof(line) - (size_t)at, " %s", name);
		}
		last = name;
	}
	snprintf(line + at, sizeof(line) - (size_t)at, "\n");
	preload_log_text(log_path, line, O_APPEND);
	logging = false;
}

/** Count a call. Return the errno with which it fails, or 0 if it succeeds. */
static int preload_fails(enum group group) {
	if (!ready || logging) {
		return 0;
	}
	long number = __atomic_add_fetch(&counts[group], 1, __ATOMIC_RELAXED);
	for (int i = 0; i < faults_n; i++) {
		if (faults[i].group == group && number >= faults[i].from &&
		    number <= faults[i].to) {
			preload_log_fault(group);
			return faults[i].how;
		}
	}
	return 0;
}

/** Count a call. If it shall fail, set errno and return true. */
static bool preload_refuses(enum group group) {
	int how = preload_fails(group);
	if (how > 0) {
		errno = how;
	}
	return how > 0;
}

__attribute__((constructor)) static void preload_start(void) {
	void *frames[2];
	const char *program = getenv("FAULT_PROGRAM");
	own = getpid();
	counts = (long *)syscall(SYS_mmap, NULL, GROUP_COUNT * sizeof(*counts),
				 PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	log_path = getenv("FAULT_LOG");
	counts_path = getenv("FAULT_COUNTS");
	(void)backtrace(frames, 2); // its first call allocates memory
	preload_parse(getenv("FAULT"));
	ready = program == NULL || strcmp(program_invocation_short_name, program) == 0;
}

__attribute__((destructor)) static void preload_stop(void) {
	char text[GROUP_COUNT * 32];
	int at = 0;
	if (!ready || counts_path == NULL || getpid() != own) {
		return;
	}
	for (int i = 0; i < GROUP_COUNT; i++) {
		at += snprintf(text + at, sizeof(text) - (size_t)at, "%s %ld\n", names[i],
			       counts[i]);
	}
	preload_log_text(counts_path, text, O_TRUNC);
}

/* --- The calls ------------------------------------------------------------------------------ */

#pragma GCC visibility push(default)

/** The function of a call, from the next library. */
#define NEXT(name)                              \
	(__extension__({                        \
		static __typeof__(&name) found; \
		preload_next(#name, &found);    \
		found;                          \
	}))

/** Set a pointer to a function, unless it is set already. */
static void preload_next(const char *name, void *place) {
	void *found;
	memcpy(&found, place, sizeof(found));
	if (found == NULL) {
		found = dlsym(RTLD_NEXT, name);
		memcpy(place, &found, sizeof(found));
	}
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
	return preload_refuses(GROUP_malloc) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
	return preload_refuses(GROUP_calloc) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size) {
	return preload_refuses(GROUP_realloc) ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
	return preload_refuses(GROUP_malloc) ? NULL : __libc_memalign(alignment, size);
}

/** Return the number of bytes to read or write: all, or half of them if the call is short, or 0 if
 * it fails. */
static size_t preload_part_of(enum group group, size_t size) {
	int how = preload_fails(group);
	errno = how > 0 ? how : errno;
	return how > 0 ? 0 : how == SHORT && size > 1 ? size / 2 : size;
}

ssize_t read(int fd, void *bytes, size_t size) {
	size_t part = preload_part_of(GROUP_read, size);
	return part == 0 && size > 0 ? -1 : syscall(SYS_read, fd, bytes, part);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at) {
	size_t part = preload_part_of(GROUP_read, size);
	return part == 0 && size > 0 ? -1 : syscall(SYS_pread64, fd, bytes, part, at);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t at) {
	return pread(fd, bytes, size, at);
}

ssize_t write(int fd, const void *bytes, size_t size) {
	size_t part = preload_part_of(GROUP_write, size);
	return part == 0 && size > 0 ? -1 : syscall(SYS_write, fd, bytes, part);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
	size_t part = preload_part_of(GROUP_write, size);
	return part == 0 && size > 0 ? -1 : syscall(SYS_pwrite64, fd, bytes, part, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
	return pwrite(fd, bytes, size, at);
}

// The headers replace read() and its like by these functions if the size of the buffer is known.
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room) {
	return size > room ? (abort(), -1) : read(fd, bytes, size);
}

ssize_t __pread_chk(int fd, void *bytes, size_t size, off_t at, size_t room);
ssize_t __pread_chk(int fd, void *bytes, size_t size, off_t at, size_t room) {
	return size > room ? (abort(), -1) : pread(fd, bytes, size, at);
}

ssize_t __pread64_chk(int fd, void *bytes, size_t size, off64_t at, size_t room);
ssize_t __pread64_chk(int fd, void *bytes, size_t size, off64_t at, size_t room) {
	return __pread_chk(fd, bytes, size, at, room);
}

ssize_t writev(int fd, const struct iovec *parts, int n) {
	return preload_refuses(GROUP_write) ? -1 : NEXT(writev)(fd, parts, n);
}

static int preload_open_file(int folder, const char *path, int flags, va_list args) {
	bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;
	bool has_mode = (flags & O_CREAT) != 0 || unnamed;
	unsigned mode = has_mode ? va_arg(args, unsigned) : 0;
	if ((unnamed && preload_refuses(GROUP_tmpfile)) || preload_refuses(GROUP_open)) {
		return -1;
	}
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define DEFINE_OPEN(name)                                                \
	int name(const char *path, int flags, ...) {                     \
		va_list args;                                            \
		va_start(args, flags);                                   \
		int fd = preload_open_file(AT_FDCWD, path, flags, args); \
		va_end(args);                                            \
		return fd;                                               \
	}
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPENAT(name)                                            \
	int name(int folder, const char *path, int flags, ...) {       \
		va_list args;                                          \
		va_start(args, flags);                                 \
		int fd = preload_open_file(folder, path, flags, args); \
		va_end(args);                                          \
		return fd;                                             \
	}
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
	return open(path, flags);
}

int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags) {
	return open(path, flags);
}

int __openat_2(int folder, const char *path, int flags);
int __openat_2(int folder, const char *path, int flags) {
	return openat(folder, path, flags);
}

int __openat64_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags) {
	return openat(folder, path, flags);
}

FILE *fopen(const char *path, const char *mode) {
	return preload_refuses(GROUP_open) ? NULL : NEXT(fopen)(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
	return fopen(path, mode);
}

DIR *opendir(const char *path) {
	return preload_refuses(GROUP_open) ? NULL : NEXT(opendir)(path);
}

DIR *fdopendir(int fd) {
	return preload_refuses(GROUP_open) ? NULL : NEXT(fdopendir)(fd);
}

struct dirent *readdir(DIR *folder) {
	return preload_refuses(GROUP_list) ? NULL : NEXT(readdir)(folder);
}

struct dirent64 *readdir64(DIR *folder) {
	return preload_refuses(GROUP_list) ? NULL : NEXT(readdir64)(folder);
}

ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room);
ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room) {
	return size > room ? (abort(), -1) : readlink(path, target, size);
}

ssize_t readlink(const char *restrict path, char *restrict target, size_t size) {
	return preload_refuses(GROUP_list) ? -1
					   : syscall(SYS_readlinkat, AT_FDCWD, path, target, size);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
	return preload_refuses(GROUP_mmap)
		       ? MAP_FAILED
		       : (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset) {
	return mmap(at, size, protection, flags, fd, offset);
}

int close(int fd) {
	int how = preload_fails(GROUP_close);
	int result = (int)syscall(SYS_close, fd); // Linux closes the file even after an error
	if (how > 0) {
		errno = how;
		return -1;
	}
	return result;
}

int rename(const char *from, const char *into) {
	return preload_refuses(GROUP_rename)
		       ? -1
		       : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, into, 0);
}

int renameat(int from_folder, const char *from, int into_folder, const char *into) {
	return preload_refuses(GROUP_rename)
		       ? -1
		       : (int)syscall(SYS_renameat2, from_folder, from, into_folder, into, 0);
}

int linkat(int from_folder, const char *from, int into_folder, const char *into, int flags) {
	return preload_refuses(GROUP_link)
		       ? -1
		       : (int)syscall(SYS_linkat, from_folder, from, into_folder, into, flags);
}

int ftruncate(int fd, off_t size) {
	return preload_refuses(GROUP_ftruncate) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size) {
	return ftruncate(fd, size);
}

int fsync(int fd) {
	return preload_refuses(GROUP_fsync) ? -1 : (int)syscall(SYS_fsync, fd);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
		   void *(*run)(void *), void *restrict context) {
	int how = preload_fails(GROUP_thread);
	return how > 0 ? how : NEXT(pthread_create)(thread, attributes, run, context);
}

pid_t fork(void) {
	return preload_refuses(GROUP_fork) ? -1 : NEXT(fork)();
}

int posix_spawn(pid_t *restrict pid, const char *restrict path,
		const posix_spawn_file_actions_t *restrict actions,
		const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
		char *const environment[restrict]) {
	int how = preload_fails(GROUP_spawn);
	return how > 0 ? how
		       : NEXT(posix_spawn)(pid, path, actions, attributes, arguments, environment);
}

int posix_spawnp(pid_t *restrict pid, const char *restrict file,
		 const posix_spawn_file_actions_t *restrict actions,
		 const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
		 char *const environment[restrict]) {
	int how = preload_fails(GROUP_spawn);
	return how > 0 ? how
		       : NEXT(posix_spawnp)(pid, file, actions, attributes, arguments, environment);
}

static bool preload_is_link(const char *path) {
	char target[1];
	return syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof(target)) > 0;
}

/**
 * Return whether a call that asks about a file fails. For a link, the call may also fail because
 * the target is not accessible.
 */
static bool preload_hides(const char *path) {
	return preload_refuses(GROUP_stat) ||
	       (preload_is_link(path) && preload_refuses(GROUP_statlink));
}

int stat(const char *restrict path, struct stat *restrict info) {
	return preload_hides(path) ? -1 : NEXT(fstatat)(AT_FDCWD, path, info, 0);
}

int stat64(const char *restrict path, struct stat64 *restrict info) {
	return preload_hides(path) ? -1 : NEXT(fstatat64)(AT_FDCWD, path, info, 0);
}

int lstat(const char *restrict path, struct stat *restrict info) {
	return preload_refuses(GROUP_stat)
		       ? -1
		       : NEXT(fstatat)(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW);
}

int lstat64(const char *restrict path, struct stat64 *restrict info) {
	return preload_refuses(GROUP_stat)
		       ? -1
		       : NEXT(fstatat64)(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW);
}

int fstat(int fd, struct stat *info) {
	return preload_refuses(GROUP_stat) ? -1 : NEXT(fstatat)(fd, "", info, AT_EMPTY_PATH);
}

int fstat64(int fd, struct stat64 *info) {
	return preload_refuses(GROUP_stat) ? -1 : NEXT(fstatat64)(fd, "", info, AT_EMPTY_PATH);
}

int poll(struct pollfd *polled, nfds_t n, int patience) {
	return preload_refuses(GROUP_poll) ? -1 : NEXT(poll)(polled, n, patience);
}

int __poll_chk(struct pollfd *polled, nfds_t n, int patience, size_t room);
int __poll_chk(struct pollfd *polled, nfds_t n, int patience, size_t room) {
	(void)room;
	return poll(polled, n, patience);
}

pid_t waitpid(pid_t pid, int *status, int options) {
	return preload_refuses(GROUP_wait) ? -1 : NEXT(waitpid)(pid, status, options);
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage) {
	return preload_refuses(GROUP_wait) ? -1 : NEXT(wait4)(pid, status, options, usage);
}

int pipe(int ends[2]) {
	return preload_refuses(GROUP_pipe) ? -1 : (int)syscall(SYS_pipe2, ends, 0);
}

int pipe2(int ends[2], int flags) {
	return preload_refuses(GROUP_pipe) ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

off_t lseek(int fd, off_t at, int whence) {
	return preload_refuses(GROUP_seek) ? -1 : syscall(SYS_lseek, fd, at, whence);
}

off64_t lseek64(int fd, off64_t at, int whence) {
	return lseek(fd, at, whence);
}
