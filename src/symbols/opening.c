/* Open files that a sampled program or a recording names. */
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

#include "base/ioctl_request.h"
#include "base/limits.h"
#include "base/read.h"
#include "symbols/maps.h"

enum { READING = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

static bool opening_is_owned(const struct stat *status, const struct file_rules *rules) {
	return !rules->owned || status->st_uid == 0 || status->st_uid == geteuid() ||
	       status->st_uid == rules->users[0] || status->st_uid == rules->users[1];
}

/** Check an open file against the rules. Return 0 if the file follows all rules. Otherwise return
 * an errno for the broken rule. */
static int opening_problem_of(int fd, const struct file_rules *rules) {
	struct stat status;
	if (fstat(fd, &status) != 0) {
		return errno;
	}
	return !S_ISREG(status.st_mode)                 ? EINVAL
	       : rules->filled && status.st_size == 0   ? EINVAL
	       : (uint64_t)status.st_size > rules->most ? EFBIG
	       : !opening_is_owned(&status, rules)      ? EPERM
							: 0;
}

/** Close a descriptor, set errno to `problem`, and return -1. */
static int opening_fail(int fd, int problem) {
	close(fd);
	errno = problem;
	return -1;
}

#ifdef O_PATH

/** Open a path below a folder, and follow no links. Use this for kernels that cannot confine links
 * to a folder. */
static int opening_walk_below(int root, const char *path) {
	struct str rest = str_of(path);
	int place = fcntl(root, F_DUPFD_CLOEXEC, 0);
	while (rest.n > 0 && place >= 0) {
		struct buf name = {0};
		buf_add_str(&name, str_cut(&rest, '/'));
		if (name.n > 0) {
			int next = str_eq(buf_str(&name), STR(".."))
					   ? -1
					   : openat(place, buf_text(&name),
						    O_PATH | O_NOFOLLOW | O_CLOEXEC);
			close(place);
			place = next;
		}
		buf_release(&name);
	}
	return place;
}

/** Return a descriptor of a file below a root folder. Use O_PATH, which does not open the file:
 * opening a device could change its state. */
static int opening_place_below(int root, const char *path) {
	struct open_how how = {.flags = O_PATH | O_CLOEXEC,
			       .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
	int place = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	// openat2() does not exist before Linux 5.6
	bool unknown = place < 0 && (errno == ENOSYS || errno == EPERM);
	return unknown ? opening_walk_below(root, path) : place;
}

int open_regular(int root, const char *path, const struct file_rules *rules) {
	char link[32];
	int place =
		root == OWN_ROOT ? open(path, O_PATH | O_CLOEXEC) : opening_place_below(root, path);
	int problem = place < 0 ? errno : opening_problem_of(place, rules);
	if (place < 0 || problem != 0) {
		return place < 0 ? -1 : opening_fail(place, problem);
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", place);
	int fd = open(link, READING);
	return fd < 0 ? opening_fail(place, errno) : (close(place), fd);
}

int open_folder_below(int root, const char *path) {
	struct stat status;
	int place = opening_place_below(root, path);
	return place < 0 || (fstat(place, &status) == 0 && S_ISDIR(status.st_mode))
		       ? place
		       : opening_fail(place, ENOTDIR);
}

#else

int open_regular(int root, const char *path, const struct file_rules *rules) {
	errno = ENOSYS;
	int fd = root == OWN_ROOT ? open(path, READING) : -1;
	int problem = fd < 0 ? 0 : opening_problem_of(fd, rules);
	return problem == 0 ? fd : opening_fail(fd, problem);
}

int open_folder_below(int root, const char *path) {
	(void)root, (void)path;
	errno = ENOSYS;
	return -1;
}

#endif

int open_object(int root, const char *path) {
	return open_regular(root, path, &(struct file_rules){.most = LIMIT_FILE});
}

int open_root(uint32_t pid) {
	char path[32];
	snprintf(path, sizeof(path), "/proc/%u/root", pid);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
}

/** Return whether two paths certainly name two different files. */
static bool opening_differ(const char *one, const char *other) {
	struct stat first, second;
	return stat(one, &first) == 0 && stat(other, &second) == 0 &&
	       (first.st_dev != second.st_dev || first.st_ino != second.st_ino);
}

bool has_other_root(uint32_t pid) {
	char path[32];
	snprintf(path, sizeof(path), "/proc/%u/ns/mnt", pid);
	if (opening_differ(path, "/proc/self/ns/mnt")) {
		return true;
	}
	snprintf(path, sizeof(path), "/proc/%u/root", pid);
	return opening_differ(path, "/proc/self/root");
}

#ifdef __linux__

/** Return whether the inode of an open file was reused for another file after `generation` was
 * recorded. */
static bool opening_is_other_generation(int fd, uint64_t generation) {
	const ioctl_request get_version = (ioctl_request)_IOR('v', 1, long); // FS_IOC_GETVERSION
	long version = 0; // file systems write only an int into it
	return generation != 0 && ioctl(fd, get_version, &version) == 0 &&
	       (uint32_t)version != (uint32_t)generation;
}

/** Return whether the kernel lists a mapping of an open file with the device and inode in `id`. On
 * overlays and subvolumes, fstat() returns a different device and inode. */
static bool opening_mapping_matches(int fd, const struct file_id *id) {
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
	return (same || opening_mapping_matches(fd, id)) &&
	       !opening_is_other_generation(fd, id->generation);
}

#else

bool file_id_matches(int fd, const struct file_id *id) {
	(void)fd, (void)id;
	return false;
}

#endif

int read_to_hole(int fd, size_t most, struct buf *bytes) {
	struct stat status;
	if (fstat(fd, &status) != 0) {
		return errno;
	}
	if (status.st_size == 0) {
		return 0;
	}
#ifdef SEEK_HOLE
	off_t hole = lseek(fd, 0, SEEK_HOLE);
	if (hole >= 0 && hole < status.st_size && (uint64_t)hole <= most) {
		ptrdiff_t n = read_part(fd, 0, buf_room(bytes, (size_t)hole), (size_t)hole);
		bytes->n += n < 0 ? 0 : (size_t)n;
		return n < 0 ? errno : 0;
	}
	if (hole >= 0 && lseek(fd, 0, SEEK_SET) != 0) {
		return EIO;
	}
#endif
	return read_rest(fd, most, bytes);
}
