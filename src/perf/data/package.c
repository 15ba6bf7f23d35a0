/* Search dpkg's lists of files. */
#include "perf/data/package.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/** Read a regular file of at most MOST bytes. If the file cannot be read, leave the buffer
 * empty. */
static void package_read_list(int folder, const char *name, struct buf *bytes) {
	enum { MOST = 64 << 20 };
	struct stat status;
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	buf_clear(bytes);
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_size <= MOST) {
		ssize_t n =
			read(fd, buf_room(bytes, (size_t)status.st_size), (size_t)status.st_size);
		bytes->n += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0) {
		close(fd);
	}
}

/** Return whether a list has a line with this path. */
static bool package_has_path(struct str list, struct str path) {
	for (;;) {
		size_t at = str_find_str(list, path);
		if (at == STR_NONE) {
			return false;
		}
		bool starts = at == 0 || list.p[at - 1] == '\n';
		list = str_from(list, at + path.n);
		if (starts && (list.n == 0 || list.p[0] == '\n')) {
			return true;
		}
	}
}

bool package_of(struct str path, struct buf *name) {
	static const char lists[] = "/var/lib/dpkg/info";
	// /lib may be a link to /usr/lib. The kernel reports the path in /usr/lib, but a list may
	// have the path in /lib.
	struct str shorter =
		str_starts(path, STR("/usr/")) ? str_from(path, sizeof("/usr") - 1) : path;
	DIR *folder = path.n == 0 || path.p[0] != '/' ? NULL : opendir(lists);
	struct buf list = {0};
	bool found = false;
	for (struct dirent *entry; folder != NULL && !found && (entry = readdir(folder)) != NULL;) {
		struct str file = str_of(entry->d_name);
		if (!str_ends(file, STR(".list"))) {
			continue;
		}
		package_read_list(dirfd(folder), entry->d_name, &list);
		found = package_has_path(buf_str(&list), path) ||
			package_has_path(buf_str(&list), shorter);
		if (found) { // the file is, for example, libc6:amd64.list
			file = str_to(file, file.n - STR(".list").n);
			buf_add_str(name, str_cut(&file, ':'));
		}
	}
	if (folder != NULL) {
		closedir(folder);
	}
	buf_release(&list);
	return found;
}
