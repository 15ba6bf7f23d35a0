/** Detect compressed data that is crafted to use up memory or time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** A zeroed struct is ready to use. */
struct growth {
	uint64_t memory; // peak memory of the process at the first check, in bytes; 0: no check yet
	uint64_t next;   // number of unpacked bytes at which the next check is due
};

/** Return whether data has unpacked to far more bytes than a real profile of this packed size, and
 * would take too much memory or time. */
bool growth_is_absurd(struct growth *growth, uint64_t packed, uint64_t unpacked);

/** Return how many bytes of memory may be used for `packed` bytes of compressed data. */
uint64_t growth_allowed(uint64_t packed);

/** The message about crafted data. The caller puts the name of the input before this message. */
#define GROWTH_ABSURD \
	"is compressed data that grows out of all proportion; if you trust it, unpack it first"
