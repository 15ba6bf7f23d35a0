/*
 * Make system calls of the recorder fail in the program that preloads this library. Four variables
 * hold the errno with which opening a counter fails: FAULT_OPEN for every counter, FAULT_KERNEL for
 * counters that also sample the kernel, FAULT_HARDWARE for hardware counters, and FAULT_STACKS for
 * counters that copy stacks. FAULT_RING is the largest size of a ring in bytes, and FAULT_RINGS the
 * largest size of all rings together. Mapping more memory fails with EPERM. FAULT_PARANOID and
 * FAULT_RATE replace the contents of kernel settings, and FAULT_LOAD replaces the content of
 * /proc/loadavg. If FAULT_PRIORITY is set, no thread may have a higher priority. FAULT_START is the
 * errno of writing the byte that starts the program. If FAULT_START is EINTR, only the first
 * attempt fails. Reading a file never ends if its path contains FAULT_HANG_READ. Calling the
 * function FAULT_HANG_CALL of a library loaded at run time never ends. If FAULT_CHAINS is set,
 * samples with a copy of the stack have a call chain, too. FAULT_UNLINK is the errno of removing a
 * file.
 */
#undef _FORTIFY_SOURCE // read() is not an inline function
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(default)

/** Make the system call itself, because syscall() is replaced here. */
static long faults_call(long number, const long *args) {
	long result;
	register long a4 __asm__("r10") = args[3];
	register long a5 __asm__("r8") = args[4];
	register long a6 __asm__("r9") = args[5];
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(args[0]), "S"(args[1]), "d"(args[2]), "r"(a4), "r"(a5),
			   "r"(a6)
			 : "rcx", "r11", "memory");
	if (result < 0 && result > -4096) {
		errno = (int)-result;
		return -1;
	}
	return result;
}

static int faults_problem_of(const char *name) {
	const char *problem = getenv(name);
	return problem == NULL ? 0 : atoi(problem);
}

long syscall(long number, ...) {
	long args[6];
	va_list list;
	va_start(list, number);
	for (int i = 0; i < 6; i++) {
		args[i] = va_arg(list, long);
	}
	va_end(list);
	if (number == SYS_perf_event_open) {
		const struct perf_event_attr *attr = (const struct perf_event_attr *)args[0];
		int problem = faults_problem_of("FAULT_OPEN");
		problem = problem == 0 && !attr->exclude_kernel ? faults_problem_of("FAULT_KERNEL")
								: problem;
		problem = problem == 0 && attr->type == PERF_TYPE_HARDWARE
				  ? faults_problem_of("FAULT_HARDWARE")
				  : problem;
		problem = problem == 0 && (attr->sample_type & PERF_SAMPLE_STACK_USER) != 0
				  ? faults_problem_of("FAULT_STACKS")
				  : problem;
		int rate = faults_problem_of("FAULT_RATE");
		if (problem == 0 && rate != 0 && attr->freq && attr->sample_freq > (unsigned)rate) {
			problem = EINVAL;
		}
		if (problem != 0) {
			errno = problem;
			return -1;
		}
		struct perf_event_attr changed = *attr;
		if (faults_problem_of("FAULT_CHAINS") != 0) {
			changed.exclude_callchain_user = 0;
			args[0] = (long)&changed;
		}
		return faults_call(number, args);
	}
	return faults_call(number, args);
}

static size_t mapped;

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
	long args[6] = {(long)at, (long)size, protection, flags, fd, offset};
	size_t most = (size_t)faults_problem_of("FAULT_RING"),
	       all = (size_t)faults_problem_of("FAULT_RINGS");
	if (fd >= 0 && (flags & MAP_SHARED) != 0) {
		if ((most != 0 && size > most) || (all != 0 && mapped + size > all)) {
			errno = EPERM;
			return MAP_FAILED;
		}
		mapped += size;
	}
	return (void *)faults_call(SYS_mmap, args);
}

int munmap(void *at, size_t size) {
	long args[6] = {(long)at, (long)size};
	mapped -= size < mapped ? size : mapped;
	return (int)faults_call(SYS_munmap, args);
}

int setpriority(__priority_which_t which, id_t who, int priority) {
	long args[6] = {which, (long)who, priority};
	if (priority < 0 && getenv("FAULT_PRIORITY") != NULL) {
		errno = EPERM;
		return -1;
	}
	return (int)faults_call(SYS_setpriority, args);
}

ssize_t write(int fd, const void *bytes, size_t size) {
	static int done;
	long args[6] = {fd, (long)bytes, (long)size};
	int problem = faults_problem_of("FAULT_START");
	if (problem != 0 && size == 1 && *(const char *)bytes == '\0' &&
	    (problem != EINTR || done++ == 0)) {
		errno = problem;
		return -1;
	}
	return faults_call(SYS_write, args);
}

int unlink(const char *path) {
	long args[6] = {(long)path};
	int problem = faults_problem_of("FAULT_UNLINK");
	if (problem != 0) {
		errno = problem;
		return -1;
	}
	return (int)faults_call(SYS_unlink, args);
}

static _Noreturn void hang(void) {
	for (;;) {
		pause();
	}
}

/** Hang if the path of a file contains FAULT_HANG_READ. */
static void hang_on(int fd) {
	char link[32], path[4096] = "";
	const char *part = getenv("FAULT_HANG_READ");
	if (part != NULL) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		if (readlink(link, path, sizeof(path) - 1) > 0 && strstr(path, part) != NULL) {
			hang();
		}
	}
}

ssize_t read(int fd, void *bytes, size_t size) {
	long args[6] = {fd, (long)bytes, (long)size};
	hang_on(fd);
	return faults_call(SYS_read, args);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at) {
	long args[6] = {fd, (long)bytes, (long)size, at};
	hang_on(fd);
	return faults_call(SYS_pread64, args);
}

void *dlsym(void *handle, const char *name) {
	static void *(*find)(void *handle, const char *name);
	const char *hanging = getenv("FAULT_HANG_CALL");
	if (find == NULL) {
		void *found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
		found = found != NULL ? found : dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
		memcpy(&find, &found, sizeof(find));
	}
	if (hanging != NULL && strcmp(name, hanging) == 0) {
		void *found;
		void (*function)(void) = hang;
		memcpy(&found, &function, sizeof(found));
		return found;
	}
	return find(handle, name);
}

/** Open a kernel setting with the replaced content. */
int open(const char *path, int flags, ...) {
	static const char *const settings[][2] = {{"perf_event_paranoid", "FAULT_PARANOID"},
						  {"perf_event_max_sample_rate", "FAULT_RATE"},
						  {"loadavg", "FAULT_LOAD"}};
	const char *name = strrchr(path, '/');
	va_list list;
	va_start(list, flags);
	int mode = va_arg(list, int);
	va_end(list);
	for (int i = 0; name != NULL && i < 3; i++) {
		int ends[2];
		if (strcmp(name + 1, settings[i][0]) == 0 && getenv(settings[i][1]) != NULL &&
		    pipe(ends) == 0) {
			dprintf(ends[1], "%s\n", getenv(settings[i][1]));
			close(ends[1]);
			return ends[0];
		}
	}
	long args[6] = {AT_FDCWD, (long)path, flags, mode};
	return (int)faults_call(SYS_openat, args);
}
