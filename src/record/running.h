/** Runtimes in processes that ran before the recording: Java is asked for the names of its
 * functions; for the others there are hints. */
#ifndef INFERNO_RECORD_RUNNING_H
#define INFERNO_RECORD_RUNNING_H

#include "base/buf.h"
#include "perf/data/runtime.h"
#include "record/jvm.h"

struct running_runtime {
	enum runtime runtime;
	unsigned minor; // of Python 3
	int32_t pid;
	double before; // processor time used before the recording
	bool is_named; // it writes a perf map without being asked
	bool is_read;  // its functions are read from outside
	bool asked;
	struct jvm jvm;
};

/** A zeroed one is empty. */
struct running {
	struct running_runtime *items;
	size_t n, capacity;
	bool reads_python; // its functions are read from outside
};

/** Note the runtime in a process, if there is one. */
void running_add(struct running *running, int32_t pid);

/** Get the names of functions from Java, in processes that used processor time since
 * running_add(). */
void running_ask(struct running *running);

/** Return whether Java runs in a process, or in one that it has started. */
bool running_has_java(int32_t pid);

/** Add a phrase for process `i`: the names were asked for, or they are missing and a hint helps.
 * Add nothing for most. Set `good` if nothing is missing. Return false after the last process. */
bool running_format(const struct running *running, size_t i, struct buf *text, bool *good);

/** Remove the perf maps that were asked for, unless they are to be kept, and release. */
void running_release(struct running *running, bool keep_maps);

#endif
