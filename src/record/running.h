/** Runtimes in processes that ran before the recording: Java is asked for the names of its
 * functions. For other runtimes, hints are printed. */
#ifndef INFERNO_RECORD_RUNNING_H
#define INFERNO_RECORD_RUNNING_H

#include "base/buf.h"
#include "perf/data/runtime.h"
#include "record/jvm.h"

struct running_runtime {
	enum runtime runtime;
	unsigned minor; // minor version of Python 3
	int32_t pid;
	double before; // processor time used before the recording
	bool is_named; // whether it has written a perf map by itself
	bool is_read;  // its functions are read from outside
	bool asked;
	struct jvm jvm;
};

/** A zeroed struct is empty. */
struct running {
	struct running_runtime *items;
	size_t n, capacity;
	bool reads_python; // whether the functions of interpreters are read from outside
};

/** Note the runtime in a process, if there is one. */
void running_add(struct running *running, int32_t pid);

/** Get the names of functions from Java, in processes that used processor time since
 * running_add(). */
void running_ask(struct running *running);

/** Return whether Java runs in a process or in a process that it has started. */
bool running_has_java(int32_t pid);

/** Add a phrase for process `i`: either its names were requested, or they are missing, and the
 * phrase has a hint. For most processes, add nothing. Set `good` if no names are missing. Return
 * false after the last process. */
bool running_format(const struct running *running, size_t i, struct buf *text, bool *good);

/** Remove the perf maps that were asked for, unless the options keep them, and release the struct.
 */
void running_release(struct running *running, bool keep_maps);

#endif
