/* Files without a name. */
#include "base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

const char *scratch_folder(void) {
	const char *folder = getenv("TMPDIR");
	return folder == NULL || *folder == '\0' ? "/tmp" : folder;
}

/** Open a file and remove its name at once, on a file system that has no files without names. */
static int open_removed(void) {
	struct buf name = {0};
	buf_printf(&name, "%s/inferno-XXXXXX", scratch_folder());
	buf_text(&name); // ends it with a NUL
	int fd = mkostemp(name.p, O_CLOEXEC);
	if (fd >= 0) {
		unlink(name.p);
	}
	buf_release(&name);
	return fd;
}

int scratch_open(void) {
	int fd = open(scratch_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)
		       ? open_removed()
		       : fd;
}

int scratch_fail(struct diag *diag, const char *verb, int error) {
	return diag_error(diag,
			  "cannot %s a temporary file in %s: %s; set TMPDIR to another folder",
			  verb, quote(str_of(scratch_folder())).text, strerror(error));
}

int scratch_write(int fd, const char *bytes, size_t size) {
	while (size > 0) {
		ssize_t len = write(fd, bytes, size);
		if (len < 0 && errno != EINTR) {
			return -1;
		}
		if (len > 0) {
			bytes += len;
			size -= (size_t)len;
		}
	}
	return 0;
}
