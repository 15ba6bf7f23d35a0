/** Unpack a zstd stream that comes in pieces. */
#pragma once

#include "base/str.h"

struct unzstd;

/** Return a new stream, or NULL if this build has no libzstd. */
struct unzstd *unzstd_new(void);

/**
 * Unpack the start of `*packed` into at most `size` bytes at `bytes`. Remove the bytes that were
 * read from `*packed`. Return the number of unpacked bytes. If the data is damaged, return -1 and
 * set `*why` to the reason. Call this function again while `*packed` is not empty, or if `size`
 * bytes were unpacked.
 */
ptrdiff_t unzstd_read(struct unzstd *stream, struct str *packed, void *bytes, size_t size,
		      const char **why);

void unzstd_free(struct unzstd *stream);
