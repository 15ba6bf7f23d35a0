/** Watch a running recording: a function receives each sample when the sample is folded. */
#pragma once

#include "base/str.h"

struct perf_watch {
	/** A function that gets each sample. `function` is the name of the innermost function or,
	 * if it is not known, the name of its file. `lost` is the number of samples that were lost
	 * so far. */
	void (*sample)(void *context, struct str function, uint64_t lost);
	void *context;
};
