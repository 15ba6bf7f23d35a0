/** Processes and threads that run, as /proc lists them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/diag.h"
#include "base/unread.h"

/** Read a file of /proc or /sys, and append its bytes to `out`. Return 0 or an errno. Note the
 * errno for proc_warn(), unless the file does not exist. */
int proc_read(const char *path, struct buf *out);

/** Return the number in a file of /proc or /sys, or `otherwise` if the file has no number or cannot
 * be read. */
int64_t proc_setting(const char *path, int64_t otherwise);

/** Remember that a file could not be read, unless it does not exist. Threads may call this. */
void proc_note(const char *path, int problem);

/** Warn of the files that were noted, and forget them. Return 0, or -1 after diag_error(). */
int proc_warn(struct diag *diag);

/** Call `each` for every thread of a process. Return false if there is no such process. */
bool proc_each_thread(int32_t pid, void (*each)(void *context, int32_t pid, int32_t tid),
		      void *context);

/** Return the state of a thread as a letter, such as R if the thread runs or could run, or S if it
 * waits. Return 0 if there is no such thread. */
char proc_thread_state(int32_t pid, int32_t tid);

/** Call `each` for every process. */
void proc_each(void (*each)(void *context, int32_t pid), void *context);

/** Call `each` for a process, and for all its descendants that run. */
void proc_each_below(int32_t pid, void (*each)(void *context, int32_t pid), void *context);

/** Processor time in seconds. */
struct proc_time {
	double user, system;
};

/** Return whether a process runs. A process that has ended does not run, even if its parent has not
 * yet waited for it. Set `time` to the processor time that the process has used, if this time is
 * known. */
bool proc_runs(int32_t pid, struct proc_time *time);

/** Return the processor time that a process and its ended children have used. */
struct proc_time proc_used(int32_t pid);

/** Return the user that a process runs as; (uid_t)-1 if it has ended. */
uid_t proc_owner(int32_t pid);
