/** The runtimes in processes that were already running when the recording began. A Java virtual
 * machine is asked for the names of its functions. For other runtimes, hints are printed. */
#pragma once

#include "base/buf.h"
#include "perf/data/runtime.h"
#include "record/jvm.h"

struct running_runtime {
	enum runtime runtime;
	unsigned minor; // minor version of Python 3
	int32_t pid;
	double before; // seconds of processor time that the process had used when the recording
		       // began
	bool is_named; // whether the runtime has written a perf map without a request
	bool is_read;  // whether the runtime's functions are read from outside
	bool asked;
	struct jvm jvm;
};

/** A zeroed struct is empty. */
struct running {
	struct running_runtime *items;
	size_t n, capacity;
	bool reads_python; // whether the functions of Python are read from outside
};

/** Remember the runtime in a process, if there is one. */
void running_add(struct running *running, int32_t pid);

/** Ask the Java virtual machines for the names of their functions. Ask only in processes that have
 * used at least 0.05 seconds of processor time since running_add(). */
void running_ask(struct running *running);

/** Return whether Java runs in a process or in one of its descendants. */
bool running_has_java(int32_t pid);

/** Add a phrase about process `i`. The phrase says that names of functions were requested, or that
 * names are missing and how to get them. For most processes, add nothing. Set `good` to whether
 * names were written on request. Return false after the last process. */
bool running_format(const struct running *running, size_t i, struct buf *text, bool *good);

/** Remove the perf maps that running_ask() requested, unless `keep_maps` is true. Release the
 * struct. */
void running_release(struct running *running, bool keep_maps);
