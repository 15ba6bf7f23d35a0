/**
 * Read files whole or in pieces. If a signal interrupts a call, the call is repeated. After a short
 * read, reading continues. The functions print no message: they return an errno, or set errno.
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"

/** Open a file for reading. Return a descriptor, or -1 with errno set. */
int read_open(const char *path);

/** Add the rest of an open file to `bytes`. Return 0 or an errno. The errno is EFBIG if the rest
 * has more than `most` bytes. The bytes read before a failure are added, too. */
int read_rest(int fd, size_t most, struct buf *bytes);

/** Call read_rest(), and close the descriptor. If `fd` is -1, the file could not be opened: return
 * errno. */
int read_and_close(int fd, size_t most, struct buf *bytes);

/** Add a whole file to `bytes`. Return 0 or an errno, as read_rest() does. */
int read_whole(const char *path, size_t most, struct buf *bytes);

/** Fill `bytes` with the start of an open file. Return the number of bytes, which is less than
 * `size` only if the file is shorter, or -1 with errno set. */
ptrdiff_t read_start(int fd, void *bytes, size_t size);

/** Fill `bytes` with the start of a regular file. Return the number of bytes, or -1. */
ptrdiff_t read_start_of(const char *path, void *bytes, size_t size);

/** Fill `bytes` from `offset` in a file. Return the same as read_start(). */
ptrdiff_t read_part(int fd, uint64_t offset, void *bytes, size_t size);
