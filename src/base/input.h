/**
 * Read bytes from a file, a descriptor, memory or a function, and unpack gzip and zstd.
 */
#pragma once

#include "base/diag.h"
#include "base/str.h"

enum source_kind { SOURCE_PATH, SOURCE_MEMORY, SOURCE_DESCRIPTOR, SOURCE_FUNCTION };

/** A function that fills `bytes` with at least one and at most `size` bytes. The function returns
 * the number of bytes, 0 at the end, or -1 with errno set. */
typedef ptrdiff_t source_fn(void *context, void *bytes, size_t size);

struct input;

/** A place from which bytes are read. The caller owns the strings and the memory. */
struct source {
	enum source_kind kind;
	const char *path;   // "-" is standard input
	const char *memory; // `size` bytes
	size_t size;
	int fd;          // a descriptor, which the reader does not close
	source_fn *read; // function that fills in the bytes; its argument is `context`
	void *context;
	const char *name;    // name in messages; NULL: use the path, or the kind of the source
	struct input *input; // an input that is open already; the reader closes it; NULL: the
			     // reader opens the source
};

/** Return whether a path names a regular file, without opening it. */
bool source_is_file(const struct source *source);

/** Return whether a source is the regular file at `path`. */
bool source_is(const struct source *source, const char *path);

/** Return the number of the descriptor in a path such as /dev/stdin or /dev/fd/3. For any other
 * path, return -1. */
int descriptor_named(const char *path);

/** Open a source, or take over `source->input`. Skip a byte order mark of UTF-8. Return NULL after
 * diag_error(). */
struct input *input_open(const struct source *source, struct diag *diag);

/** Return the name of the input for messages. The name is valid until input_close(). */
const char *input_name(const struct input *input);

/**
 * Fill `bytes` with at least one and at most `size` unpacked bytes. Return the number of bytes, 0
 * at the end, or -1 after diag_error().
 */
ptrdiff_t input_read(struct input *input, void *bytes, size_t size);

/** Return whether the bytes read so far were compressed to less than a 100th of their size. Such an
 * input consists mostly of repetitions. */
bool input_repeats(const struct input *input);

/** Set `*bytes` to the next `want` bytes, or fewer at the end of the input. Do not take these bytes
 * from the input. The bytes are valid until the next call for this input. Set `*whole` to whether
 * the input ended before `want` bytes were read. Return 0, or -1 after diag_error(). */
int input_peek(struct input *input, size_t want, struct str *bytes, bool *whole);

/** Take the first `n` of the bytes that input_peek() returned. */
void input_drop(struct input *input, size_t n);

/** Go back to the start of a regular file. Return 0, or -1 after diag_error(). */
int input_rewind(struct input *input);

/** Prepare an input for input_read_at(). Call this before any bytes are taken. If the source cannot
 * seek or is packed, read and unpack it into memory. Return 0, or -1 after diag_error(). */
int input_make_seekable(struct input *input);

/** Fill `bytes` with the bytes at `offset` in the input. Return the number of bytes, which is less
 * than `size` only at the end, or -1 after diag_error(). */
ptrdiff_t input_read_at(struct input *input, uint64_t offset, void *bytes, size_t size);

/** Return the number of unpacked bytes of a seekable input. */
uint64_t input_seekable_size(const struct input *input);

/** Append to `bytes` the content of a file that an option names. Fail if the file has more than
 * LIMIT_OPTION_FILE bytes. Return 0, or -1 after diag_error(). */
int input_read_file(const char *path, struct buf *bytes, struct diag *diag);

/** Return the number of bytes that were read from the source (input_position), or the size of the
 * source (input_size). If the size is not known, input_size() returns 0. Both functions count
 * packed bytes. */
uint64_t input_position(const struct input *input);
uint64_t input_size(const struct input *input);

/** Return the size in bytes of a regular file, or of memory, that is not packed. For any other
 * input, return 0. */
uint64_t input_plain_size(const struct input *input);

/** Return the path of the file that was opened, or NULL if no file was opened. For a folder with a
 * recording of perf, return the path of the file `data` in the folder. */
const char *input_path(const struct input *input);

/** Return whether the source is a regular file with a path. */
bool input_is_file(const struct input *input);

void input_close(struct input *input);
