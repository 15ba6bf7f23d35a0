/** Processes and threads that run, as /proc lists them. */
#ifndef INFERNO_RECORD_PROC_H
#define INFERNO_RECORD_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/buf.h"

/** Add what a file of /proc holds; nothing if it is not there. */
void proc_read(const char *path, struct buf *out);

/** Add what is left of an open file, and close it; nothing for -1. */
void proc_read_open(int fd, struct buf *out);

/** Call `each` for every thread of a process. Return false if there is no such process. */
bool proc_each_thread(int32_t pid, void (*each)(void *context, int32_t pid, int32_t tid),
		      void *context);

/** Return the state of a thread, such as R if it runs or could, S if it waits; 0 if there is none.
 */
char proc_thread_state(int32_t pid, int32_t tid);

/** Call `each` for every process. */
void proc_each(void (*each)(void *context, int32_t pid), void *context);

/** Call `each` for a process, and for all processes that it has started and that run. */
void proc_each_below(int32_t pid, void (*each)(void *context, int32_t pid), void *context);

/** Processor time in seconds. */
struct proc_time {
	double user, system;
};

/** Return whether a process runs. One that has ended and is only not yet waited for does not. Set
 * the time that it has used, unless nothing is known of it. */
bool proc_runs(int32_t pid, struct proc_time *time);

/** Return the time that a process has used, with that of its children that have ended. */
struct proc_time proc_used(int32_t pid);

/** Return the user that a process runs as; (uid_t)-1 if it has ended. */
uid_t proc_owner(int32_t pid);

#endif
