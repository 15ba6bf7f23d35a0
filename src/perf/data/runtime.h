/** Runtimes that generate code while they run. A runtime is recognised by the files that its
 * process has mapped. */
#ifndef INFERNO_PERFDATA_RUNTIME_H
#define INFERNO_PERFDATA_RUNTIME_H

#include "base/buf.h"

enum runtime { RUNTIME_NODE, RUNTIME_JAVA, RUNTIME_PYTHON, RUNTIME_DOTNET, RUNTIMES };

/** Return the runtime to which a file belongs, by the file's name or path; or RUNTIMES if the file
 * belongs to no runtime. Set `minor` to the minor version: 11 for python3.11, 0 if it is not
 * known. */
enum runtime runtime_of(struct str file, unsigned *minor);

/** Return the first version of Python 3 that can name its functions. */
static inline unsigned runtime_first_python(void) {
	return 12;
}

/** Add a hint on how to make a runtime publish its symbols, in a process that already runs or in a
 * new process. */
void runtime_advise(enum runtime runtime, unsigned minor, struct buf *text);

#endif
