/* The processes that the program has started. */
#include "record/tasks.h"

#include <linux/perf_event.h>

#include "record/proc.h"

void tasks_note(struct tasks *tasks, const char *record, size_t size) {
	struct perf_event_header header;
	struct {
		uint32_t pid, parent, tid, parent_tid;
	} body;
	memcpy(&header, record, sizeof(header));
	bool starts = header.type == PERF_RECORD_FORK;
	if ((!starts && header.type != PERF_RECORD_EXIT) || size < sizeof(header) + sizeof(body)) {
		return;
	}
	memcpy(&body, record + sizeof(header), sizeof(body));
	if (body.pid == body.tid && (!starts || body.pid != body.parent)) {
		struct intern_key *key = intern_get(&tasks->pids, &body.pid, sizeof(body.pid));
		key->value += starts ? 1 : UINT64_MAX; // the end of a process may come before its
						       // start, in records of different processors
	}
}

int32_t tasks_left(const struct tasks *tasks, int32_t except, size_t *n) {
	int32_t first = 0;
	*n = 0;
	for (uint32_t i = 0; i < tasks->pids.count; i++) {
		const struct intern_key *key = tasks->pids.keys[i];
		struct proc_time ignored;
		int32_t pid;
		memcpy(&pid, intern_str(key).p, sizeof(pid));
		if (key->value == 1 && pid != except && proc_runs(pid, &ignored)) {
			first = first == 0 ? pid : first;
			++*n;
		}
	}
	return first;
}

void tasks_release(struct tasks *tasks) {
	intern_release(&tasks->pids);
}
