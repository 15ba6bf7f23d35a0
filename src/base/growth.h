/** A guard against compressed data that is made to take all memory or forever. */
#ifndef INFERNO_GROWTH_H
#define INFERNO_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

/** A zeroed one is ready. */
struct growth {
	uint64_t memory; // bytes that the process had taken at the start; 0: not known yet
	uint64_t next;   // number of unpacked bytes at which to look again
};

/** Return whether data that unpacks to so many bytes so far takes far more memory or time than any
 * real profile of its packed size. */
bool growth_is_absurd(struct growth *growth, uint64_t packed, uint64_t unpacked);

/** What to say of it, after the name of the input. */
#define GROWTH_ABSURD \
	"is compressed data that grows out of all proportion; if you trust it, unpack it first"

#endif
