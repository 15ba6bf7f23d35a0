/* Open files that somebody else provides. */
#include "symbols/opening.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/openat2.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#endif

#include "symbols/maps.h"

enum { READING = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

/** Return 0 if an open file is a regular one, else an errno. */
static int check_regular(int fd) {
	struct stat status;
	return fstat(fd, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EINVAL;
}

/** Close a descriptor, and keep errno. Return -1. */
static int fail(int fd, int problem) {
	close(fd);
	errno = problem;
	return -1;
}

#ifdef O_PATH

/** Open for reading the file that `place` only names, and close `place`. */
static int reopen(int place) {
	char path[32];
	if (place < 0) {
		return -1;
	}
	int problem = check_regular(place);
	if (problem != 0) {
		return fail(place, problem);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", place);
	int fd = open(path, READING);
	return fd < 0 ? fail(place, errno) : (close(place), fd);
}

int open_regular(const char *path) {
	// The first step opens nothing but the name: opening a device could change it.
	return reopen(open(path, O_PATH | O_CLOEXEC));
}

/** Return a descriptor that only names a file below a root folder. */
static int place_below(int root, const char *path) {
	struct open_how how = {.flags = O_PATH | O_CLOEXEC,
			       .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
	int place = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	if (place >= 0 || (errno != ENOSYS && errno != EPERM)) {
		return place;
	}
	// Before Linux 5.6, an absolute link leads to a file outside, which the caller does not
	// take for the wanted one.
	return openat(root, path + strspn(path, "/"), O_PATH | O_CLOEXEC);
}

int open_regular_below(int root, const char *path) {
	return reopen(place_below(root, path));
}

int open_folder_below(int root, const char *path) {
	struct stat status;
	int place = place_below(root, path);
	return place < 0 || (fstat(place, &status) == 0 && S_ISDIR(status.st_mode))
		       ? place
		       : fail(place, ENOTDIR);
}

#else

int open_regular(const char *path) {
	int fd = open(path, READING), problem = fd < 0 ? 0 : check_regular(fd);
	return problem == 0 ? fd : fail(fd, problem);
}

int open_regular_below(int root, const char *path) {
	(void)root, (void)path;
	errno = ENOSYS;
	return -1;
}

int open_folder_below(int root, const char *path) {
	return open_regular_below(root, path);
}

#endif

int open_root(uint32_t pid) {
	char path[32];
	snprintf(path, sizeof(path), "/proc/%u/root", pid);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
}

/** Return whether two paths name different files; false if that is not known. */
static bool differ(const char *one, const char *other) {
	struct stat first, second;
	return stat(one, &first) == 0 && stat(other, &second) == 0 &&
	       (first.st_dev != second.st_dev || first.st_ino != second.st_ino);
}

bool has_other_root(uint32_t pid) {
	char path[32];
	snprintf(path, sizeof(path), "/proc/%u/ns/mnt", pid);
	if (differ(path, "/proc/self/ns/mnt")) {
		return true;
	}
	snprintf(path, sizeof(path), "/proc/%u/root", pid);
	return differ(path, "/proc/self/root");
}

#ifdef __linux__

/** Return whether the inode of an open file was used for another file before, or is since. */
static bool is_other_generation(int fd, uint64_t generation) {
	const unsigned long get_version = _IOR('v', 1, long); // FS_IOC_GETVERSION
	long version = 0;                                     // filesystems fill in an int
	return generation != 0 && ioctl(fd, get_version, &version) == 0 &&
	       (uint32_t)version != (uint32_t)generation;
}

/** Find out which device and inode the kernel lists for a mapping of an open file. On overlays and
 * subvolumes they differ from those of fstat(). */
static bool mapping_matches(int fd, const struct file_id *id) {
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *mapping = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, 0);
	if (mapping == MAP_FAILED) {
		return false;
	}
	struct file_id own = maps_find_own((uintptr_t)mapping);
	munmap(mapping, page);
	return own.inode == id->inode && own.major == id->major && own.minor == id->minor;
}

bool file_id_matches(int fd, const struct file_id *id) {
	struct stat status;
	if (id->inode == 0 || fstat(fd, &status) != 0) {
		return false;
	}
	bool same = status.st_ino == id->inode && major(status.st_dev) == id->major &&
		    minor(status.st_dev) == id->minor;
	return (same || mapping_matches(fd, id)) && !is_other_generation(fd, id->generation);
}

#else

bool file_id_matches(int fd, const struct file_id *id) {
	(void)fd, (void)id;
	return false;
}

#endif
