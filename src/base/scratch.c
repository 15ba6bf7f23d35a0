/* Make files without a name. */
#include "base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"

const char *scratch_folder(void) {
	const char *folder = getenv("TMPDIR");
	return folder == NULL || *folder == '\0' ? "/tmp" : folder;
}

/** Create a file and remove its name at once. Use this for file systems that do not support
 * O_TMPFILE. */
static int scratch_open_removed(void) {
	struct buf name = {0};
	buf_printf(&name, "%s/inferno-XXXXXX", scratch_folder());
	buf_text(&name); // adds the NUL at the end
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
		       ? scratch_open_removed()
		       : fd;
}

int scratch_fail(struct diag *diag, const char *verb, int error) {
	return diag_error(diag,
			  "cannot %s a temporary file in %s: %s; set TMPDIR to another folder",
			  verb, quote(str_of(scratch_folder())).text, strerror(error));
}

/** Wait until a pipe or a device has room for PART bytes. If a signal has come and the reader takes
 * no bytes, return false with errno set. */
static bool scratch_wait_for_room(int fd) {
	struct pollfd polled = {.fd = fd, .events = POLLOUT};
	bool ready = stop_poll(&polled, 1, STOP_STALLED) > 0;
	errno = ready ? errno : ECANCELED;
	return ready;
}

int scratch_write(int fd, const char *bytes, size_t size) {
	// If poll() says that a pipe is ready, the pipe has room for this number of bytes
	// (PIPE_BUF).
	enum { PART = 4096 };
	struct stat about;
	bool waits = stop_is_caught() && fstat(fd, &about) == 0 && !S_ISREG(about.st_mode);
	while (size > 0) {
		if (waits && !scratch_wait_for_room(fd)) {
			return -1;
		}
		ssize_t len = write(fd, bytes, waits && size > PART ? PART : size);
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
