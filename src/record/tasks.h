/** The processes that the program started, from the kernel's records, which may come in any order.
 */
#ifndef INFERNO_RECORD_TASKS_H
#define INFERNO_RECORD_TASKS_H

#include "base/intern.h"

/** A zeroed struct has no processes. */
struct tasks {
	struct intern pids; // by process: number of starts minus number of ends
};

/** Note a record of a process that starts or ends. */
void tasks_note(struct tasks *tasks, const char *record, size_t size);

/** Return one of the processes that still run, or 0, and set `*n` to their number. `except` is not
 * counted. */
int32_t tasks_left(const struct tasks *tasks, int32_t except, size_t *n);

void tasks_release(struct tasks *tasks);

#endif
