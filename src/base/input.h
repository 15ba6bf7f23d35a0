/**
 * Bytes from a file, a descriptor or memory, unpacked on the way if they are gzip or zstd.
 */
#ifndef INFERNO_INPUT_H
#define INFERNO_INPUT_H

#include "base/diag.h"
#include "base/str.h"

enum source_kind { SOURCE_PATH, SOURCE_MEMORY, SOURCE_DESCRIPTOR };

/** Where bytes come from. The strings and the memory are the caller's. */
struct source {
	enum source_kind kind;
	const char *path;   // "-" is standard input
	const char *memory; // `size` bytes
	size_t size;
	int fd;           // not closed
	const char *name; // for messages; NULL: the path, or the kind
};

struct input;

/** Opens a source. Returns NULL after diag_error(). */
struct input *input_open(const struct source *source, struct diag *diag);

/** What messages call it; valid until input_close(). */
const char *input_name(const struct input *input);

/**
 * Fills `bytes` with at least one and at most `size` unpacked bytes. Returns how many, 0 at the
 * end, or -1 after diag_error().
 */
ptrdiff_t input_read(struct input *input, void *bytes, size_t size);

/**
 * Shows the next `want` bytes, fewer only at the end, without taking them; valid until the next
 * call. `*whole` tells whether they are all there is. Returns 0, or -1 after diag_error().
 */
int input_peek(struct input *input, size_t want, struct str *bytes, bool *whole);

/** Adds all bytes of the file at `path` to `bytes`. Returns 0, or -1 after diag_error(). */
int input_read_file(const char *path, struct buf *bytes, struct diag *diag);

/** Bytes of the source that were taken so far, and in all (0: unknown), both before unpacking. */
uint64_t input_position(const struct input *input);
uint64_t input_size(const struct input *input);

/** Whether the source is a regular file that a path names. */
bool input_is_file(const struct input *input);

void input_close(struct input *input);

#endif
