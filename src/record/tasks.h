/** The processes that the program started, from the kernel's records, which may come in any order.
 */
#ifndef INFERNO_RECORD_TASKS_H
#define INFERNO_RECORD_TASKS_H

#include "base/intern.h"

/** A zeroed struct knows none. */
struct tasks {
	struct intern pids; // for each: number of starts minus number of ends
};

/** Note a record of a process that starts or ends. */
void tasks_note(struct tasks *tasks, const char *record, size_t size);

/** Return one of the processes that still run, 0 if there is none, and set `*n` to their number.
 * `except` is left out. */
int32_t tasks_left(const struct tasks *tasks, int32_t except, size_t *n);

void tasks_release(struct tasks *tasks);

#endif
