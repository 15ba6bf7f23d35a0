/**
 * Open the files that running processes have mapped, and keep them open. Otherwise a process, and
 * the container with its files, could end before the symbols are read. Only one recording at a time
 * can use these functions. The number of files is limited. A thread opens the files, because
 * opening a file may take long.
 */
#pragma once

#include "symbols/symbols.h"

/** Start the thread that opens files. If the thread cannot be started, no file is opened. */
void held_start(void);

/** Remember that a process has mapped a file, so that the thread opens the file soon. A call takes
 * little time. If the file is open already, or if four attempts to open it have failed, the call
 * has no effect. */
void held_note(const struct object_file *file);

/** Return a new descriptor of a file that is held open. If the file is not held open, return -1. */
int held_open(const struct object_file *wanted);

/** Stop the thread, and close all files. */
void held_stop(void);
