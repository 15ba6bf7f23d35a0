/** Receives the samples of a running recording as they are folded. */
#ifndef INFERNO_PERF_WATCH_H
#define INFERNO_PERF_WATCH_H

#include "base/str.h"

struct perf_watch {
	/** Note a sample in this function, or if the name of the function is not known, in this
	 * file. `lost` is the number of samples that were lost so far. */
	void (*sample)(void *context, struct str function, uint64_t lost);
	void *context;
};

#endif
