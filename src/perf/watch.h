/** A watcher of a running recording. It receives each sample when the sample is folded. */
#ifndef INFERNO_PERF_WATCH_H
#define INFERNO_PERF_WATCH_H

#include "base/str.h"

struct perf_watch {
	/** Note a sample. `function` is the innermost function; if its name is not known,
	 * `function` is the name of its file. `lost` is the number of samples that were lost so
	 * far. */
	void (*sample)(void *context, struct str function, uint64_t lost);
	void *context;
};

#endif
