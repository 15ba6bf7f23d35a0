/**
 * Files that processes have mapped, opened while they run: a process may end before its symbols are
 * read, and its container may end with it. Only one recording at a time can use this, and the
 * number of files is limited. A thread opens the files, because that may take long.
 */
#ifndef INFERNO_SYMBOLS_HELD_H
#define INFERNO_SYMBOLS_HELD_H

#include "symbols/symbols.h"

/** Begin to open files. If that fails, no file is opened. */
void held_start(void);

/** Note that a process has mapped a file, so that the thread opens it soon. A call is cheap, and
 * has no effect for a file that was noted before. */
void held_note(const struct object_file *file);

/** Return a descriptor of the file, or -1 if it is not held. */
int held_open(const struct object_file *wanted);

/** Close all files. */
void held_stop(void);

#endif
