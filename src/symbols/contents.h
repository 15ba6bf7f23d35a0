/**
 * Read an open file in parts, each part when it is first needed. The file is not mapped, because
 * another user could truncate it: a signal kills a program that reads a mapped page after the end
 * of the file. These functions read zeros there.
 *
 * Address space is reserved for the whole file, but only the parts that were read take memory.
 */
#pragma once

#include "base/str.h"

struct contents;

/** Take over the descriptor of a file. If the file is empty, is larger than LIMIT_FILE, or there is
 * no memory for it, close the file and return NULL with errno set. If the file is empty, errno is
 * 0. */
struct contents *contents_open(int fd);
void contents_free(struct contents *contents);

/** Return the memory of the whole file. Writing to this memory does not change the file. Call
 * contents_want() before you read bytes: all other bytes are zero. */
struct str contents_bytes(const struct contents *contents);

/** Read `n` bytes at an offset into the memory of the file, unless these bytes were read before. */
void contents_want(struct contents *contents, uint64_t offset, uint64_t n);

/** Return the errno of a read that failed, or 0 if all reads succeeded. The errno is ENODATA if the
 * file was truncated, and EFBIG if all files together have too many bytes. */
int contents_problem(const struct contents *contents);

/** Return the number of bytes that the file takes on its disk. A file with holes takes fewer bytes
 * than its size. */
uint64_t contents_on_disk(const struct contents *contents);

/**
 * Copy up to `n` bytes at an offset into `bytes`, but not into the memory of the file. Return the
 * number of copied bytes, or 0 at the end or on an error.
 */
size_t contents_copy(const struct contents *contents, uint64_t offset, void *bytes, size_t n);

/** Copy the file into a new file in memory. Return the descriptor of the new file, or -1. */
int contents_duplicate(struct contents *contents);
