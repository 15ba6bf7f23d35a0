/** Recognise runtimes that generate code while they run, by the files that a process has mapped. */
#pragma once

#include "base/buf.h"

enum runtime { RUNTIME_NODE, RUNTIME_JAVA, RUNTIME_PYTHON, RUNTIME_DOTNET, RUNTIMES };

/** Return the runtime to which a file belongs. `file` is the name or the path of the file. If the
 * file belongs to no runtime, return RUNTIMES. Set `*minor` to the minor version, for example 11
 * for python3.11. If it is not known, set `*minor` to 0. */
enum runtime runtime_of(struct str file, unsigned *minor);

/** Return the minor version of the first Python 3 that can publish the names of its functions. */
static inline unsigned runtime_first_python(void) {
	return 12;
}

/** Add a hint on how to make a runtime publish its symbols, in a process that already runs or in a
 * new process. */
void runtime_advise(enum runtime runtime, unsigned minor, struct buf *text);
