/**
 * Open the files that running processes have mapped, and keep them open. A process, and the
 * container that holds its files, may end before the symbols are read. Only one recording at a time
 * can use these functions, and the number of files is limited. A thread opens the files, because
 * opening a file may take long.
 */
#ifndef INFERNO_SYMBOLS_HELD_H
#define INFERNO_SYMBOLS_HELD_H

#include "symbols/symbols.h"

/** Start the thread that opens files. If the thread cannot be started, no file is opened. */
void held_start(void);

/** Note that a process has mapped a file, so that the thread opens the file soon. A call is cheap.
 * A call for a file that was noted before has no effect. */
void held_note(const struct object_file *file);

/** Return a descriptor of the file, or -1 if it is not held. */
int held_open(const struct object_file *wanted);

/** Close all files. */
void held_stop(void);

#endif
