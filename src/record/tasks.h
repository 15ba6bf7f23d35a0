/** The processes that the program has started. They are found in the kernel's records, which may
 * come in any order. */
#pragma once

#include "base/intern.h"

/** A zeroed struct has no processes. */
struct tasks {
	// process ids; the value is the number of starts minus the number of ends
	struct intern pids;
};

/** Remember the start or the end of a process. Ignore all other records. */
void tasks_note(struct tasks *tasks, const char *record, size_t size);

/** Return one of the processes that still run, or 0 if there is none, and set `*n` to the number of
 * these processes. The process `except` is left out. */
int32_t tasks_left(const struct tasks *tasks, int32_t except, size_t *n);

void tasks_release(struct tasks *tasks);
