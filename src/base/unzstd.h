/** A zstd stream that comes in pieces of memory. */
#ifndef INFERNO_UNZSTD_H
#define INFERNO_UNZSTD_H

#include "base/str.h"

struct unzstd;

/** Return a new stream; NULL if this build has no libzstd. */
struct unzstd *unzstd_new(void);

/**
 * Unpack from the front of `*packed`, which then starts after the bytes that were used, into at
 * most `size` bytes. Return how many came out, or -1 if the data is damaged, with the reason in
 * `*why`. More may come as long as `*packed` is not empty or all of `size` was filled.
 */
ptrdiff_t unzstd_read(struct unzstd *stream, struct str *packed, void *bytes, size_t size,
		      const char **why);

void unzstd_free(struct unzstd *stream);

#endif
