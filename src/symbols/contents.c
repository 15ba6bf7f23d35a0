/* Read only the needed parts of files. */
#include "symbols/contents.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/read.h"

enum { PART = 32 << 10, BITS = 64 };

struct contents {
	char *bytes;
	size_t size;
	int fd; // descriptor; -1: the whole file was read
	bool sparse;
	int problem; // errno of a read that failed
	uint64_t on_disk;
	uint64_t *read;      // one bit for each part
	uint64_t first, end; // range of the last call of contents_want()
	uint64_t taken;      // number of bytes that were read
};

/** Number of bytes that were read of all files, and number of open files. */
static atomic_uint_least64_t bytes_read;
static atomic_uint files_open;

/** Add `n` to the number of bytes that were read from all files. If the sum would exceed
 * LIMIT_FILES_READ, add nothing, set `problem` and return false. */
static bool contents_take(struct contents *contents, uint64_t n) {
	if (atomic_fetch_add(&bytes_read, n) + n > LIMIT_FILES_READ) {
		atomic_fetch_sub(&bytes_read, n);
		contents->problem = EFBIG;
		return false;
	}
	contents->taken += n;
	return true;
}

/** Let the kernel provide the memory of a range in one call, which takes less time than a page
 * fault for each page. */
static void contents_populate(struct contents *contents, size_t at, size_t end) {
#ifdef MADV_POPULATE_WRITE
	static const size_t page = 4096; // this also works with larger pages
	uintptr_t start = (uintptr_t)contents->bytes + at / page * page;
	(void)madvise((void *)start, end - at / page * page, MADV_POPULATE_WRITE);
#else
	(void)contents, (void)at, (void)end;
#endif
}

/** Read a range into its place in memory. Return false if a part of it could not be read. */
static bool contents_read_range(struct contents *contents, size_t at, size_t end) {
	contents_populate(contents, at, end);
	ptrdiff_t n = read_part(contents->fd, at, contents->bytes + at, end - at);
	if (n != (ptrdiff_t)(end - at)) {
		contents->problem = n < 0 ? errno : ENODATA;
		return false;
	}
	return true;
}

/** Move `*at` to the next range before `end` that is not a hole. Return the end of this range. */
static size_t contents_next_data(const struct contents *contents, size_t *at, size_t end) {
#ifdef SEEK_DATA
	off_t data = contents->sparse ? lseek(contents->fd, (off_t)*at, SEEK_DATA) : -1;
	if (contents->sparse && data < 0 && errno == ENXIO) {
		*at = end; // the rest of the file is a hole
	} else if (data >= 0) {
		off_t hole = lseek(contents->fd, data, SEEK_HOLE);
		*at = (size_t)data < end ? (size_t)data : end;
		return hole > data && (size_t)hole < end ? (size_t)hole : end;
	}
#else
	(void)contents, (void)at;
#endif
	return end;
}

/** Read a range without its holes, whose memory is zero already. */
static void contents_read_data(struct contents *contents, size_t at, size_t end) {
	for (bool good = true; good && at < end;) {
		size_t stop = contents_next_data(contents, &at, end);
		good = contents_take(contents, stop - at) &&
		       contents_read_range(contents, at, stop);
		at = stop;
	}
}

static bool contents_is_read(const struct contents *contents, size_t part) {
	return (contents->read[part / BITS] >> part % BITS & 1) != 0;
}

/** Read the parts in [first, end) that were not read before. */
static void contents_read_parts(struct contents *contents, size_t first, size_t end) {
	for (size_t i = first; i < end;) {
		size_t next = i;
		while (next < end && !contents_is_read(contents, next)) {
			contents->read[next / BITS] |= UINT64_C(1) << next % BITS;
			next++;
		}
		size_t stop = contents->size / PART < next ? contents->size : next * PART;
		if (next > i) {
			contents_read_data(contents, i * PART, stop);
		}
		i = next > i ? next : i + 1;
	}
}

void contents_want(struct contents *contents, uint64_t offset, uint64_t n) {
	bool again = offset >= contents->first && offset + n <= contents->end;
	if (contents->fd < 0 || again || n == 0 || offset >= contents->size ||
	    n > contents->size - offset) {
		return;
	}
	contents_read_parts(contents, (size_t)offset / PART, ((size_t)(offset + n) - 1) / PART + 1);
	contents->first = offset;
	contents->end = offset + n;
}

/** Reserve memory for a file. Return false with errno set if the file is empty or too large, or if
 * there is no memory. */
static bool contents_reserve(struct contents *contents, const struct stat *status) {
	enum { SECTOR = 512 };
	uint64_t size = (uint64_t)status->st_size;
	contents->on_disk = (uint64_t)status->st_blocks * SECTOR;
	contents->sparse = contents->on_disk < size;
	if (status->st_size <= 0 || size > LIMIT_FILE || size > PTRDIFF_MAX) {
		errno = status->st_size <= 0 ? 0 : EFBIG;
		return false;
	}
	contents->size = (size_t)size;
	void *bytes = mmap(NULL, contents->size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	contents->bytes = bytes == MAP_FAILED ? NULL : bytes;
	return bytes != MAP_FAILED;
}

static void contents_close_file(struct contents *contents) {
	close(contents->fd);
	contents->fd = -1;
	atomic_fetch_sub(&files_open, 1);
}

struct contents *contents_open(int fd) {
	struct contents *contents = mem_new(1, sizeof(*contents));
	struct stat status;
	contents->fd = fd;
	bool many = atomic_fetch_add(&files_open, 1) >= LIMIT_FILES_OPEN;
	if (fstat(fd, &status) != 0 || !contents_reserve(contents, &status)) {
		int problem = errno;
		contents_free(contents);
		errno = problem;
		return NULL;
	}
	contents->read = mem_new(contents->size / PART / BITS + 1, sizeof(*contents->read));
	if (many) {
		contents_want(contents, 0, contents->size);
		contents_close_file(contents);
	}
	return contents;
}

void contents_free(struct contents *contents) {
	if (contents == NULL) {
		return;
	}
	if (contents->fd >= 0) {
		contents_close_file(contents);
	}
	if (contents->bytes != NULL) {
		munmap(contents->bytes, contents->size);
	}
	atomic_fetch_sub(&bytes_read, contents->taken);
	free(contents->read);
	free(contents);
}

struct str contents_bytes(const struct contents *contents) {
	return (struct str){contents->bytes, contents->size};
}

int contents_problem(const struct contents *contents) {
	return contents->problem;
}

uint64_t contents_on_disk(const struct contents *contents) {
	return contents->on_disk < contents->size ? contents->on_disk : contents->size;
}

size_t contents_copy(const struct contents *contents, uint64_t offset, void *bytes, size_t n) {
	if (offset >= contents->size) {
		return 0;
	}
	size_t left = contents->size - (size_t)offset;
	n = n < left ? n : left;
	if (contents->fd < 0) {
		memcpy(bytes, contents->bytes + offset, n);
		return n;
	}
	ptrdiff_t copied = read_part(contents->fd, offset, bytes, n);
	return copied < 0 ? 0 : (size_t)copied;
}

#ifdef MFD_CLOEXEC

/** Copy a range to the same place in another file. */
static bool contents_copy_range(const struct contents *contents, int fd, size_t at, size_t end) {
	char bytes[64 << 10];
	while (at < end) {
		size_t most = end - at < sizeof(bytes) ? end - at : sizeof(bytes);
		size_t n = contents_copy(contents, at, bytes, most);
		if (n == 0 || pwrite(fd, bytes, n, (off_t)at) != (ptrdiff_t)n) {
			return false;
		}
		at += n;
	}
	return true;
}

int contents_duplicate(struct contents *contents) {
	int fd = memfd_create("inferno", MFD_CLOEXEC);
	bool good = fd >= 0 && ftruncate(fd, (off_t)contents->size) == 0;
	for (size_t at = 0; good && at < contents->size;) {
		size_t stop = contents_next_data(contents, &at, contents->size);
		good = contents_take(contents, stop - at) &&
		       contents_copy_range(contents, fd, at, stop);
		at = stop;
	}
	if (fd >= 0 && !good) {
		close(fd);
	}
	return good ? fd : -1;
}

#else

int contents_duplicate(struct contents *contents) {
	(void)contents;
	return -1;
}

#endif
