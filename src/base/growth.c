/* A guard against compressed data that is crafted to take all memory or endless time. */
#include "base/growth.h"

#include <sys/resource.h>

/** Return the most memory that the process has had so far. */
static uint64_t growth_most_memory(void) {
	struct rusage usage = {.ru_maxrss = 0};
	(void)getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss << 10; // on macOS these are bytes: there it finds nothing
}

uint64_t growth_allowed(uint64_t packed) {
	enum {
		ANYWAY = 80 << 20,
		FOR_PACKED = 100, // a stack of 200 bytes in memory takes 5 or more when packed
	};
	bool large = packed > UINT64_MAX / FOR_PACKED;
	uint64_t most = large ? UINT64_MAX : packed * FOR_PACKED;
	return most > ANYWAY ? most : ANYWAY;
}

bool growth_is_absurd(struct growth *growth, uint64_t packed, uint64_t unpacked) {
	enum {
		OFTEN = 1 << 20, // unpacked bytes between two checks
		USUAL = 20,      // text of profilers shrinks to a 10th or more, seldom to less
		LONG = 1 << 30,  // unpacked bytes that take seconds to read
		REPEATED = 1000, // most times that so much text may repeat itself
	};
	if (unpacked < growth->next) {
		return false;
	}
	uint64_t memory = growth_most_memory();
	growth->memory = growth->memory == 0 ? memory : growth->memory;
	growth->next = unpacked + OFTEN;
	uint64_t more = memory - growth->memory;
	return (unpacked / USUAL > packed && more > growth_allowed(packed)) ||
	       (unpacked > LONG && unpacked / REPEATED > packed);
}
