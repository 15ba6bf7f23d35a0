/** A guard against compressed data that is crafted to take all memory or endless time. */
#ifndef INFERNO_GROWTH_H
#define INFERNO_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

/** A zeroed one is ready. */
struct growth {
	uint64_t memory; // bytes that the process had taken at the start; 0: not known yet
	uint64_t next;   // number of unpacked bytes at which to check again
};

/** Return whether data that unpacks to so many bytes so far takes far more memory or time than any
 * real profile of its packed size. */
bool growth_is_absurd(struct growth *growth, uint64_t packed, uint64_t unpacked);

/** Return how many bytes of memory anything may take that is made of so many packed bytes. */
uint64_t growth_allowed(uint64_t packed);

/** The message about such data, after the name of the input. */
#define GROWTH_ABSURD \
	"is compressed data that grows out of all proportion; if you trust it, unpack it first"

#endif
