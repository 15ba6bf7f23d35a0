/*
 * Make calls of the kernel's that the recorder needs fail in the program that this is preloaded
 * into. FAULT_OPEN holds the errno of opening a counter, FAULT_KERNEL that of opening one that
 * samples the kernel, too, and FAULT_RING the most bytes of a ring; larger ones fail with EPERM.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(default)

/** Make the call itself; syscall() is the one that is replaced. */
static long call(long number, const long *args) {
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

static int problem_of(const char *name) {
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
		int problem = problem_of("FAULT_OPEN");
		problem = problem == 0 && !attr->exclude_kernel ? problem_of("FAULT_KERNEL")
								: problem;
		if (problem != 0) {
			errno = problem;
			return -1;
		}
	}
	return call(number, args);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
	long args[6] = {(long)at, (long)size, protection, flags, fd, offset};
	int most = problem_of("FAULT_RING");
	if (most != 0 && fd >= 0 && (flags & MAP_SHARED) != 0 && size > (size_t)most) {
		errno = EPERM;
		return MAP_FAILED;
	}
	return (void *)call(SYS_mmap, args);
}
