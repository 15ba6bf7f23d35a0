/* Read files, and return the reason of a failure. */
#include "base/read.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int read_open(const char *path) {
	int fd;
	do {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

int read_rest(int fd, size_t most, struct buf *bytes) {
	enum { FIRST = 4 << 10, LARGEST = 1 << 20 };
	size_t start = bytes->n, piece = FIRST;
	for (;;) {
		ssize_t n = read(fd, buf_room(bytes, piece), piece);
		if (n == 0) {
			return 0;
		}
		if (n < 0 && errno != EINTR) {
			return errno;
		}
		bytes->n += n < 0 ? 0 : (size_t)n;
		if (bytes->n - start > most) {
			return EFBIG;
		}
		piece = piece < LARGEST ? piece * 2 : piece;
	}
}

int read_and_close(int fd, size_t most, struct buf *bytes) {
	if (fd < 0) {
		return errno;
	}
	int problem = read_rest(fd, most, bytes);
	close(fd);
	return problem;
}

int read_whole(const char *path, size_t most, struct buf *bytes) {
	return read_and_close(read_open(path), most, bytes);
}

/** Read `size` bytes, or fewer if the file ends. Start at `*offset`, or at the current position if
 * `offset` is NULL. Return the number of bytes, or -1 with errno set. */
static ptrdiff_t read_fill(int fd, const uint64_t *offset, char *bytes, size_t size) {
	size_t done = 0;
	while (done < size) {
		char *to = bytes + done;
		ssize_t n = offset == NULL ? read(fd, to, size - done)
					   : pread(fd, to, size - done, (off_t)(*offset + done));
		if (n < 0 && errno != EINTR) {
			return -1;
		}
		if (n == 0) {
			break;
		}
		done += n < 0 ? 0 : (size_t)n;
	}
	return (ptrdiff_t)done;
}

ptrdiff_t read_start(int fd, void *bytes, size_t size) {
	return read_fill(fd, NULL, bytes, size);
}

ptrdiff_t read_part(int fd, uint64_t offset, void *bytes, size_t size) {
	return offset <= (uint64_t)INT64_MAX / 2 ? read_fill(fd, &offset, bytes, size) : 0;
}

ptrdiff_t read_start_of(const char *path, void *bytes, size_t size) {
	struct stat about;
	int fd = read_open(path);
	bool regular = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
	ptrdiff_t n = regular ? read_start(fd, bytes, size) : -1;
	if (fd >= 0) {
		close(fd);
	}
	return n;
}
