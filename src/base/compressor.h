/** Compress output piece by piece, in the format that a file's suffix names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum compressor_format { COMPRESSOR_NONE, COMPRESSOR_GZIP, COMPRESSOR_ZSTD };

/** Return the compression format for a name: COMPRESSOR_GZIP for .gz, COMPRESSOR_ZSTD for .zst,
 * COMPRESSOR_NONE for other names. */
enum compressor_format compressor_format_of(const char *path);

/** Return the name without its suffix .gz or .zst. */
struct str compressor_inner_name(const char *path);

struct compressor;

/** Return a compressor, or NULL if the program was built without the library for the format, or if
 * the library lacks memory. The caller releases the compressor with compressor_free(). */
struct compressor *compressor_new(enum compressor_format format);

/** Compress bytes, and write the result to the file `fd`. If `last` is set, write the end of the
 * compressed data, too. Return 0, or -1 with errno set. */
int compressor_write(struct compressor *compressor, int fd, const void *bytes, size_t size,
		     bool last);

void compressor_free(struct compressor *compressor);
