/* Read bytes from a file, a descriptor, memory or a function, and unpack gzip and zstd. */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/growth.h"
#include "base/guard.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/utf8.h"
#include "base/why.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

enum { FIRST_LOOK = 4 << 10, PACKED_SIZE = 64 << 10 };

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

/** The state of the unpacking of an input. */
struct input_packed {
	enum packing packing;
	struct buf bytes; // packed bytes: those from `at` on are not unpacked yet
	size_t at;
	bool in_stream;    // inside a gzip member or a zstd frame
	uint64_t unpacked; // number of unpacked bytes so far
	struct growth growth;
#ifdef HAVE_ZLIB
	z_stream gzip;
#endif
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd;
#endif
};

struct input {
	struct diag *diag;
	char *name;
	char *path; // path of the opened file; NULL: no file was opened
	int fd;     // -1: the source is memory or a function
	source_fn *read;
	void *context;
	bool close_fd, is_file;
	struct str memory; // unread rest of a source in memory
	uint64_t position, size;

	struct input_packed packed;
	bool ended; // the source has ended

	struct buf peeked; // unpacked bytes: those from `peeked_at` on are not taken yet
	size_t peeked_at;

	bool is_regular;
	off_t start;       // for a regular file: its offset when reading began
	struct str whole;  // all bytes of an input in memory
	struct buf loaded; // the memory of `whole` if the input was read into memory
};

static int input_fail_io(struct input *input, const char *verb) {
	return diag_error(input->diag, "%s: cannot %s: %s", input->name, verb, strerror(errno));
}

/** Wait until bytes can be read, or the input has ended. Return false if the run was cancelled. */
static bool input_wait(const struct input *input) {
	enum { TENTH = 100 };
	struct pollfd ready = {.fd = input->fd, .events = POLLIN};
	while (!diag_is_cancelled(input->diag)) {
		int n = poll(&ready, 1, TENTH);
		if (n != 0 && !(n < 0 && errno == EINTR)) {
			return true; // return true, so that read() reports the error
		}
	}
	return false;
}

/** Read raw bytes of the source. */
static ptrdiff_t input_read_raw(struct input *input, void *bytes, size_t size) {
	if (input->read != NULL) {
		ptrdiff_t n = input->read(input->context, bytes, size);
		input->position += n < 0 ? 0 : (size_t)n;
		return n < 0 ? input_fail_io(input, "read") : n;
	}
	if (input->fd < 0) {
		size_t len = size < input->memory.n ? size : input->memory.n;
		if (len > 0) {
			memcpy(bytes, input->memory.p, len);
			input->memory = str_from(input->memory, len);
		}
		input->position += len;
		return (ptrdiff_t)len;
	}
	if (!input->is_regular && !input_wait(input)) {
		return diag_error(input->diag, "cancelled");
	}
	ssize_t len;
	do {
		len = read(input->fd, bytes, size);
	} while (len < 0 && errno == EINTR);
	if (len < 0) {
		return input_fail_io(input, "read");
	}
	input->position += (size_t)len;
	return len;
}

#if defined(HAVE_ZLIB) || defined(HAVE_ZSTD)
/**
 * Read more packed bytes if all earlier packed bytes are unpacked and the source has not ended.
 */
static int input_refill(struct input *input) {
	if (input->packed.at < input->packed.bytes.n || input->ended) {
		return 0;
	}
	buf_clear(&input->packed.bytes);
	input->packed.at = 0;
	ptrdiff_t len =
		input_read_raw(input, buf_room(&input->packed.bytes, PACKED_SIZE), PACKED_SIZE);
	if (len < 0) {
		return -1;
	}
	input->packed.bytes.n = (size_t)len;
	input->ended = len == 0;
	return 0;
}

static int input_fail_truncated(struct input *input, const char *packing) {
	return diag_error(input->diag, "%s: the %s data ends too early; the file is cut off",
			  input->name, packing);
}

#endif

#ifdef HAVE_ZLIB
static ptrdiff_t input_read_gzip(struct input *input, void *bytes, size_t size) {
	input->packed.gzip.next_out = bytes;
	input->packed.gzip.avail_out = (uInt)(size < PACKED_SIZE * 16 ? size : PACKED_SIZE * 16);
	uInt room = input->packed.gzip.avail_out;
	while (input->packed.gzip.avail_out == room) {
		if (input_refill(input) != 0) {
			return -1;
		}
		if (input->packed.at == input->packed.bytes.n) {
			return input->packed.in_stream ? input_fail_truncated(input, "gzip") : 0;
		}
		if (!input->packed.in_stream && input->packed.bytes.p[input->packed.at] == '\0') {
			input->packed.at++; // skip zeros after the last member: tape archives add
					    // them
			continue;
		}
		input->packed.gzip.next_in = (Bytef *)input->packed.bytes.p + input->packed.at;
		input->packed.gzip.avail_in = (uInt)(input->packed.bytes.n - input->packed.at);
		int status = inflate(&input->packed.gzip, Z_NO_FLUSH);
		input->packed.at = input->packed.bytes.n - input->packed.gzip.avail_in;
		input->packed.in_stream = true;
		if (status == Z_STREAM_END) { // another member may follow
			inflateReset(&input->packed.gzip);
			input->packed.in_stream = false;
		} else if (status != Z_OK && status != Z_BUF_ERROR) {
			return diag_error(input->diag, "%s: the gzip data is damaged (%s)",
					  input->name,
					  input->packed.gzip.msg != NULL ? input->packed.gzip.msg
									 : "unknown reason");
		}
	}
	return (ptrdiff_t)(room - input->packed.gzip.avail_out);
}
#endif

#ifdef HAVE_ZSTD
static int input_fail_zstd(struct input *input, size_t status) {
	if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge) {
		return diag_error(
			input->diag,
			"%s: the zstd data needs a window of more than 128 MiB; try: zstd "
			"-dc --long=31 FILE | inferno ...",
			input->name);
	}
	return diag_error(input->diag, "%s: the zstd data is damaged (%s)", input->name,
			  ZSTD_getErrorName(status));
}

static ptrdiff_t input_read_zstd(struct input *input, void *bytes, size_t size) {
	ZSTD_outBuffer out = {bytes, size, 0};
	while (out.pos == 0) {
		if (input_refill(input) != 0) {
			return -1;
		}
		bool dry = input->packed.at == input->packed.bytes.n;
		if (dry && !input->packed.in_stream) {
			return 0;
		}
		ZSTD_inBuffer in = {input->packed.bytes.p, input->packed.bytes.n, input->packed.at};
		size_t status = ZSTD_decompressStream(input->packed.zstd, &out, &in);
		input->packed.at = in.pos;
		if (ZSTD_isError(status)) {
			return input_fail_zstd(input, status);
		}
		input->packed.in_stream = status != 0;
		if (dry && input->packed.in_stream && out.pos == 0) {
			return input_fail_truncated(input, "zstd");
		}
	}
	return (ptrdiff_t)out.pos;
}
#endif

/** Return whether bytes start with a zstd frame, or with a skippable frame. */
static bool input_is_zstd(struct str head) {
	bool skippable = head.n >= 4 && ((unsigned char)head.p[0] & 0xf0) == 0x50 &&
			 str_starts(str_from(head, 1), STR("\x2a\x4d\x18"));
	return skippable || str_starts(head, STR("\x28\xb5\x2f\xfd"));
}

#ifdef HAVE_ZLIB
// Allocate memory for zlib. If memory runs out, guard_release() frees zlib's memory together with
// all other blocks.
static void *input_allocate(void *opaque, unsigned items, unsigned size) {
	(void)opaque;
	return mem_new(items, size);
}

static void input_free(void *opaque, void *bytes) {
	(void)opaque;
	free(bytes);
}
#endif

static int input_start_unpacking(struct input *input) {
	enum { LONGEST_MAGIC = 4 };
	// Read several times, because a pipe may return its first bytes one by one.
	while (input->packed.bytes.n < LONGEST_MAGIC && !input->ended) {
		ptrdiff_t len = input_read_raw(input, buf_room(&input->packed.bytes, FIRST_LOOK),
					       FIRST_LOOK);
		if (len < 0) {
			return -1;
		}
		input->packed.bytes.n += (size_t)len;
		input->ended = len == 0;
	}
	struct str head = buf_str(&input->packed.bytes);
	if (str_starts(head, STR("\x1f\x8b\x08"))) {
#ifdef HAVE_ZLIB
		input->packed.packing = PACKING_GZIP;
		enum { WINDOW_AND_GZIP_HEADER = 15 + 16 };
		input->packed.gzip.zalloc = input_allocate;
		input->packed.gzip.zfree = input_free;
		return inflateInit2(&input->packed.gzip, WINDOW_AND_GZIP_HEADER) == Z_OK
			       ? 0
			       : diag_error(input->diag, "%s: cannot start zlib", input->name);
#else
		return diag_error(
			input->diag,
			"%s: is gzip data, and this inferno was built without zlib; try: gzip -dc",
			input->name);
#endif
	}
	if (input_is_zstd(head)) {
#ifdef HAVE_ZSTD
		input->packed.packing = PACKING_ZSTD;
		input->packed.zstd = ZSTD_createDStream();
		return input->packed.zstd != NULL
			       ? 0
			       : diag_error(input->diag, "%s: cannot start zstd", input->name);
#else
		return diag_error(input->diag,
				  "%s: is zstd data, and this inferno was built without libzstd; "
				  "try: zstd -dc",
				  input->name);
#endif
	}
	return 0;
}

/** Return a copy of a name, for messages. The caller frees the copy. Replace control characters, so
 * that the copy is one line. */
static char *input_clean_name(const char *name) {
	struct buf clean = {0};
	utf8_add_shown(&clean, *name == '\0' ? STR("''") : str_of(name));
	buf_text(&clean);
	return clean.p;
}

static const char *input_name_of(const struct source *source, bool standard) {
	if (source->name != NULL) {
		return source->name;
	}
	if (source->kind == SOURCE_PATH) {
		return standard ? "standard input" : source->path;
	}
	return source->kind == SOURCE_MEMORY     ? "memory"
	       : source->kind == SOURCE_FUNCTION ? "a function"
						 : "descriptor";
}

int descriptor_named(const char *path) {
	static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	enum { MANY = 65536 };
	uint64_t number;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (strcmp(path, names[fd]) == 0) {
			return fd;
		}
	}
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		struct str folder = str_of(folders[i]), whole = str_of(path);
		if (str_starts(whole, folder) &&
		    num_parse_u64(str_from(whole, folder.n), &number) && number < MANY) {
			return (int)number;
		}
	}
	return -1;
}

/** `perf record --threads` makes a folder with a file `data`. If `fd` is a folder with such a file,
 * replace `fd` by the opened file, and `path` by the file's path. Return the descriptor to read. */
static int input_enter_folder(int fd, struct buf *path) {
	struct stat info;
	int inner = fd >= 0 && fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)
			    ? openat(fd, "data", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
			    : -1;
	if (inner < 0 || fstat(inner, &info) != 0 || !S_ISREG(info.st_mode)) {
		if (inner >= 0) {
			close(inner);
		}
		return fd;
	}
	guard_close(fd);
	(void)guard_keep_descriptor(inner);
	buf_add_text(path, "/data");
	return inner;
}

/** Open a file for reading. Return its descriptor, or -1 with errno set. */
static int input_open_path(struct input *input, const char *path) {
	int fd = open(path, O_RDONLY | O_CLOEXEC), named = descriptor_named(path);
	// If a path such as /dev/fd/3 cannot be opened, duplicate the descriptor 3. For example,
	// sockets and files of other users cannot be opened again.
	fd = guard_keep_descriptor(fd < 0 && named >= 0 ? fcntl(named, F_DUPFD_CLOEXEC, 0) : fd);
	struct buf whole = {0};
	buf_add_text(&whole, path);
	int problem = errno;
	fd = input_enter_folder(fd, &whole);
	errno = problem;
	(void)buf_text(&whole);
	input->path = whole.p;
	return fd;
}

/** Return whether a source is the path "-", which means standard input. */
static bool input_is_standard(const struct source *source) {
	return source->kind == SOURCE_PATH && strcmp(source->path, "-") == 0;
}

/** Call stat() for a source. Return 0, or -1 if stat() fails or the source is memory or a
 * function. */
static int input_stat_source(const struct source *source, struct stat *info) {
	if (source->kind == SOURCE_MEMORY || source->kind == SOURCE_FUNCTION) {
		return -1;
	}
	return input_is_standard(source)     ? fstat(STDIN_FILENO, info)
	       : source->kind == SOURCE_PATH ? stat(source->path, info)
					     : fstat(source->fd, info);
}

bool source_is_file(const struct source *source) {
	struct stat info;
	return source->kind == SOURCE_PATH && !input_is_standard(source) &&
	       input_stat_source(source, &info) == 0 && S_ISREG(info.st_mode);
}

bool source_is(const struct source *source, const char *path) {
	struct stat info, other;
	return input_stat_source(source, &info) == 0 && S_ISREG(info.st_mode) &&
	       stat(path, &other) == 0 && info.st_dev == other.st_dev &&
	       info.st_ino == other.st_ino;
}

static int input_open_source(struct input *input, const struct source *source) {
	bool standard = input_is_standard(source);
	input->name = input_clean_name(input_name_of(source, standard));
	if (source->kind == SOURCE_MEMORY) {
		input->fd = -1;
		input->memory = input->whole = (struct str){source->memory, source->size};
		input->size = source->size;
		return 0;
	}
	if (source->kind == SOURCE_FUNCTION) {
		input->fd = -1;
		input->read = source->read;
		input->context = source->context;
		return 0;
	}
	input->close_fd = source->kind == SOURCE_PATH && !standard;
	input->fd = input->close_fd ? input_open_path(input, source->path)
		    : standard      ? STDIN_FILENO
				    : source->fd;
	struct stat info;
	if (input->fd < 0 || fstat(input->fd, &info) != 0) {
		struct buf why = {0};
		why_unread(&why, source->kind == SOURCE_PATH ? source->path : "-", errno);
		diag_error(input->diag, "%s: cannot open: %s", input->name, buf_text(&why));
		buf_release(&why);
		return -1;
	}
	if (S_ISDIR(info.st_mode)) {
		return diag_error(input->diag, "%s: is a directory, not a profile", input->name);
	}
	input->is_file = input->close_fd && S_ISREG(info.st_mode);
	input->size = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
	input->start = S_ISREG(info.st_mode) ? lseek(input->fd, 0, SEEK_CUR) : -1;
	input->is_regular = input->start >= 0;
	return 0;
}

/** Skip a byte order mark at the start of the text. */
static int input_start(struct input *input) {
	const struct str mark = STR("\xef\xbb\xbf");
	struct str head;
	bool whole;
	if (input_start_unpacking(input) != 0 || input_peek(input, mark.n, &head, &whole) != 0) {
		return -1;
	}
	input->peeked_at = str_starts(head, mark) ? mark.n : 0;
	return 0;
}

struct input *input_open(const struct source *source, struct diag *diag) {
	if (source->input != NULL) {
		return source->input;
	}
	struct input *input = mem_new(1, sizeof(*input));
	input->diag = diag;
	if (input_open_source(input, source) != 0 || input_start(input) != 0) {
		input_close(input);
		return NULL;
	}
	return input;
}

const char *input_name(const struct input *input) {
	return input->name;
}

/** Read and unpack further bytes. Do not return the bytes that input_peek() keeps. */
static ptrdiff_t input_read_unpacked(struct input *input, void *bytes, size_t size) {
	switch (input->packed.packing) {
#ifdef HAVE_ZLIB
	case PACKING_GZIP:
		return input_read_gzip(input, bytes, size);
#endif
#ifdef HAVE_ZSTD
	case PACKING_ZSTD:
		return input_read_zstd(input, bytes, size);
#endif
	default:
		break;
	}
	size_t left = input->packed.bytes.n - input->packed.at;
	if (left > 0) { // bytes that the search for a magic number has read already
		size_t len = left < size ? left : size;
		memcpy(bytes, input->packed.bytes.p + input->packed.at, len);
		input->packed.at += len;
		return (ptrdiff_t)len;
	}
	return input->ended ? 0 : input_read_raw(input, bytes, size);
}

/** Read unpacked bytes. Fail if the compressed data is crafted to use up memory or time
 * (growth.h). */
static ptrdiff_t input_read_guarded(struct input *input, void *bytes, size_t size) {
	if (diag_is_cancelled(input->diag)) {
		return diag_error(input->diag, "cancelled");
	}
	ptrdiff_t n = input_read_unpacked(input, bytes, size);
	if (n <= 0 || input->packed.packing == PACKING_NONE) {
		return n;
	}
	input->packed.unpacked += (size_t)n;
	return growth_is_absurd(&input->packed.growth, input->position, input->packed.unpacked)
		       ? diag_error(input->diag, "%s: " GROWTH_ABSURD, input->name)
		       : n;
}

bool input_repeats(const struct input *input) {
	enum { REPEATED = 100 };
	return input->packed.packing != PACKING_NONE &&
	       input->packed.unpacked / REPEATED > input->position;
}

ptrdiff_t input_read(struct input *input, void *bytes, size_t size) {
	size_t left = input->peeked.n - input->peeked_at;
	if (left > 0) {
		size_t len = left < size ? left : size;
		memcpy(bytes, input->peeked.p + input->peeked_at, len);
		input->peeked_at += len;
		return (ptrdiff_t)len;
	}
	buf_release(&input->peeked);
	input->peeked_at = 0;
	return input_read_guarded(input, bytes, size);
}

/** Drop the taken bytes from the buffer if they are at least half of the buffer, so that each byte
 * moves at most once. */
static void input_forget_taken(struct input *input) {
	size_t left = input->peeked.n - input->peeked_at;
	if (input->peeked_at > 0 && input->peeked_at >= left) {
		memmove(input->peeked.p, input->peeked.p + input->peeked_at, left);
		input->peeked.n = left;
		input->peeked_at = 0;
	}
}

int input_peek(struct input *input, size_t want, struct str *bytes, bool *whole) {
	*whole = false;
	input_forget_taken(input);
	while (input->peeked.n - input->peeked_at < want) {
		size_t more = want - (input->peeked.n - input->peeked_at);
		ptrdiff_t len = input_read_guarded(input, buf_room(&input->peeked, more), more);
		if (len < 0) {
			return -1;
		}
		if (len == 0) {
			*whole = true;
			break;
		}
		input->peeked.n += (size_t)len;
	}
	// An earlier call may have read more bytes than this call needs.
	struct str rest = str_from(buf_str(&input->peeked), input->peeked_at);
	*bytes = str_to(rest, want < rest.n ? want : rest.n);
	return 0;
}

void input_drop(struct input *input, size_t n) {
	input->peeked_at += n;
}

int input_make_seekable(struct input *input) {
	enum { PART = 1 << 20 };
	if (input->packed.packing == PACKING_NONE && input->read == NULL &&
	    (input->is_regular || input->fd < 0)) {
		return 0;
	}
	ptrdiff_t len;
	while ((len = input_read(input, buf_room(&input->loaded, PART), PART)) > 0) {
		input->loaded.n += (size_t)len;
	}
	input->is_regular = false;
	input->whole = buf_str(&input->loaded);
	return len < 0 ? -1 : 0;
}

ptrdiff_t input_read_at(struct input *input, uint64_t offset, void *bytes, size_t size) {
	if (diag_is_cancelled(input->diag)) {
		return diag_error(input->diag, "cancelled");
	}
	if (!input->is_regular) {
		size_t left = offset < input->whole.n ? input->whole.n - (size_t)offset : 0;
		size_t len = size < left ? size : left;
		if (len > 0) {
			memcpy(bytes, input->whole.p + offset, len);
		}
		return (ptrdiff_t)len;
	}
	size_t done = 0;
	while (done < size && offset <= (uint64_t)INT64_MAX / 2) {
		ssize_t len = pread(input->fd, (char *)bytes + done, size - done,
				    input->start + (off_t)(offset + done));
		if (len < 0 && errno != EINTR) {
			return input_fail_io(input, "read");
		}
		if (len == 0) {
			break;
		}
		done += len < 0 ? 0 : (size_t)len;
	}
	return (ptrdiff_t)done;
}

uint64_t input_seekable_size(const struct input *input) {
	uint64_t start = (uint64_t)input->start;
	return !input->is_regular ? input->whole.n : input->size > start ? input->size - start : 0;
}

int input_read_file(const char *path, struct buf *bytes, struct diag *diag) {
	enum { PART = 64 << 10 };
	struct input *input = input_open(&(struct source){.path = path}, diag);
	if (input == NULL) {
		return -1;
	}
	ptrdiff_t len = 1;
	while (len > 0 && bytes->n <= LIMIT_OPTION_FILE) {
		len = input_read(input, buf_room(bytes, PART), PART);
		bytes->n += len > 0 ? (size_t)len : 0;
	}
	if (len > 0) {
		len = diag_error(diag, "%s: has more than %d MiB, the limit of such a file",
				 input_name(input), (int)(LIMIT_OPTION_FILE / LIMIT_MIB));
	}
	input_close(input);
	return (int)len;
}

uint64_t input_position(const struct input *input) {
	return input->position;
}

uint64_t input_size(const struct input *input) {
	return input->size;
}

uint64_t input_plain_size(const struct input *input) {
	return input->packed.packing == PACKING_NONE ? input->size : 0;
}

const char *input_path(const struct input *input) {
	return input->path;
}

bool input_is_file(const struct input *input) {
	return input->is_file;
}

/** Drop all bytes that were read, and release the state of the unpacking. */
static void input_stop_unpacking(struct input *input) {
#ifdef HAVE_ZLIB
	if (input->packed.packing == PACKING_GZIP) {
		inflateEnd(&input->packed.gzip);
	}
#endif
#ifdef HAVE_ZSTD
	ZSTD_freeDStream(input->packed.zstd);
	input->packed.zstd = NULL;
#endif
	input->packed.packing = PACKING_NONE;
	input->ended = input->packed.in_stream = false;
	buf_release(&input->packed.bytes);
	buf_release(&input->peeked);
	input->packed.at = input->peeked_at = 0;
	input->packed.unpacked = 0;
	input->packed.growth = (struct growth){0};
}

int input_rewind(struct input *input) {
	input_stop_unpacking(input);
	input->position = 0;
	return lseek(input->fd, 0, SEEK_SET) < 0 ? input_fail_io(input, "read")
						 : input_start(input);
}

void input_close(struct input *input) {
	if (input == NULL) {
		return;
	}
	input_stop_unpacking(input);
	if (input->close_fd && input->fd >= 0) {
		guard_close(input->fd);
	}
	buf_release(&input->loaded);
	free(input->name);
	free(input->path);
	free(input);
}
