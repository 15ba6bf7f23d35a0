/** Compression of what is written, piece by piece, in the format that the name of a file tells. */
#ifndef INFERNO_PACKER_H
#define INFERNO_PACKER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum packer_format { PACKER_NONE, PACKER_GZIP, PACKER_ZSTD };

/** Return the format for a name: PACKER_GZIP for .gz, PACKER_ZSTD for .zst. */
enum packer_format packer_format_of(const char *path);

/** Return the name without .gz or .zst. */
struct str packer_inner_name(const char *path);

struct packer;

/** Return a packer, or NULL if the program was built without the library for the format. The caller
 * releases it with packer_free(). */
struct packer *packer_new(enum packer_format format);

/** Compress bytes into the file `fd`; with `last`, all that remains, too. Return 0, or -1 with
 * errno set. */
int packer_write(struct packer *packer, int fd, const void *bytes, size_t size, bool last);

void packer_free(struct packer *packer);

#endif
