/** The process that an event line of `perf script` names, and the frame at the root of its stacks.
 */
#ifndef INFERNO_PERF_PROCESS_H
#define INFERNO_PERF_PROCESS_H

#include "perf/line.h"
#include "profile/profile.h"

/** Zero-initialise all but the options and `profile`. */
struct perf_process {
	bool pid, tid;     // add these ids to the name
	bool hide_numbers; // replace numbers by X, so that the threads of a pool are added up
	struct profile *profile;

	bool has_root; // false: the line names no process
	bool java;     // it is a Java process
	uint32_t root; // the frame

	struct intern met; // maps the text of lines to the frame and `java`
	const struct intern_key *last;
	struct buf text;
};

/** Return whether ids are part of the name. */
static inline bool perf_process_has_ids(const struct perf_process *process) {
	return process->pid || process->tid;
}

/** Make the process of an event line the current one. */
void perf_process_set(struct perf_process *process, const struct perf_line *line);

/** Return the root frame of the stacks of a task, times 2, plus 1 if it is Java. */
uint64_t perf_process_root(struct perf_process *process, const struct perf_task *task);

/** Add the name of a task to `label`: its name and ids, "java 12/14", where the first thread of a
 * process has one id. */
void perf_task_label(const struct perf_task *task, struct buf *label);

void perf_process_release(struct perf_process *process);

#endif
