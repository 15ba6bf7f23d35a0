/* Detect compressed data that is crafted to use up memory or time. */
#include "base/growth.h"

#include <sys/resource.h>

/** Return the peak memory of the process in bytes. */
static uint64_t growth_most_memory(void) {
	struct rusage usage = {.ru_maxrss = 0};
	(void)getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
	enum { UNIT = 1 }; // macOS counts bytes
#else
	enum { UNIT = 1024 }; // Linux and the BSDs count kilobytes
#endif
	return (uint64_t)usage.ru_maxrss * UNIT;
}

uint64_t growth_allowed(uint64_t packed) {
	enum {
		ANYWAY = 80 << 20,
		FOR_PACKED = 100, // a stack that takes 200 bytes in memory has at least 5 bytes of
				  // compressed input
	};
	bool large = packed > UINT64_MAX / FOR_PACKED;
	uint64_t most = large ? UINT64_MAX : packed * FOR_PACKED;
	return most > ANYWAY ? most : ANYWAY;
}

bool growth_is_absurd(struct growth *growth, uint64_t packed, uint64_t unpacked) {
	enum {
		OFTEN = 1 << 20, // the number of unpacked bytes between two checks
		// higher than a usual ratio: text of profilers rarely shrinks to less than a 10th
		// of its size
		USUAL = 20,
		LONG = 1 << 30, // reading this number of unpacked bytes takes seconds
		// the highest ratio of unpacked to compressed bytes, after LONG unpacked bytes
		REPEATED = 1000,
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
