/** Make the root frames of stacks. A task is a thread and its process. All stacks of a task have
 * the same root frame. */
#pragma once

#include "perf/line.h"
#include "profile/profile.h"

/** The root frame of a task's stacks. */
struct perf_root {
	bool named; // the task is known; false: there is no root frame
	bool java;  // the task belongs to a Java process
	uint32_t frame;
	struct str label; // with `labels`: the task's name and ids, such as "java 12/14"; for the
			  // first thread of a process, only one id; the text is valid as long as
			  // the struct perf_process
};

/** All tasks that were seen. Set the options and `profile`, and zero all other members. */
struct perf_process {
	bool pid, tid;     // add the process id and the thread id to the name
	bool hide_numbers; // replace numbers in names by X, so that the threads of a pool are added
			   // up
	bool labels;       // make labels of tasks
	struct profile *profile;

	struct intern met; // keys are tasks; the value is 1 + the index in `roots`
	struct perf_root *roots;
	size_t roots_n, capacity;
	struct arena texts;
	const struct intern_key *last;
	struct buf text;
};

/** Return whether two samples with the same command name, but different ids, may get different root
 * frames or labels. */
static inline bool perf_process_has_ids(const struct perf_process *process) {
	return process->pid || process->tid || process->labels;
}

/** Return the root of the task that an event line names. */
struct perf_root perf_process_of_line(struct perf_process *process, const struct perf_line *line);

/** Return the root of a task with these ids. */
struct perf_root perf_process_of_ids(struct perf_process *process, struct str comm, int32_t pid,
				     int32_t tid);

void perf_process_release(struct perf_process *process);
