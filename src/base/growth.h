/** A guard against compressed data that is crafted to take all memory or endless time. */
#ifndef INFERNO_GROWTH_H
#define INFERNO_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

/** A zeroed struct is ready to use. */
struct growth {
	uint64_t memory; // bytes that the process had taken at the start; 0: not known yet
	uint64_t next;   // number of unpacked bytes at which to check again
};

/** Return whether data has unpacked to far more bytes than any real profile of the same packed
 * size, and reading it would take far too much memory or time. */
bool growth_is_absurd(struct growth *growth, uint64_t packed, uint64_t unpacked);

/** Return the limit of memory, in bytes, for data that is made from this number of packed bytes. */
uint64_t growth_allowed(uint64_t packed);

/** The message about crafted data; the name of the input comes before it. */
#define GROWTH_ABSURD \
	"is compressed data that grows out of all proportion; if you trust it, unpack it first"

#endif
