/* Threads and processes, and the frames at the roots of their stacks. */
#include "perf/process.h"

#include "base/utf8.h"

/** Replace each number in a name by an X. */
static void perf_process_hide_numbers(struct buf *name) {
	size_t n = 0;
	bool inside = false;
	for (size_t i = 0; i < name->n; i++) {
		bool digit = is_digit(name->p[i]);
		if (!digit || !inside) {
			name->p[n++] = digit ? 'X' : name->p[i];
		}
		inside = digit;
	}
	name->n = n;
}

uint64_t perf_process_root(struct perf_process *process, const struct perf_task *task) {
	struct buf *text = &process->text;
	buf_clear(text);
	utf8_repair(text, str_trim(task->comm));
	buf_replace(text, ' ', '_');
	if (process->hide_numbers) {
		perf_process_hide_numbers(text);
	}
	if (process->pid || process->tid) {
		buf_add_char(text, '-');
		buf_add_str(text, task->pid);
	}
	if (process->tid) {
		buf_add_char(text, '/');
		buf_add_str(text, task->tid);
	}
	uint64_t java = str_starts(buf_str(text), STR("java"));
	return (uint64_t)profile_frame(process->profile, buf_str(text)) << 1 | java;
}

/** Return the entry of a process. `key` is the part of the line that decides its name. */
static const struct intern_key *perf_process_find(struct perf_process *process,
						  const struct perf_line *line, struct str key) {
	if (process->last != NULL && str_eq(intern_str(process->last), key)) {
		return process->last;
	}
	struct intern_key *met = intern_get(&process->met, key.p, key.n);
	if (met->value == 0) {
		const struct perf_task task = perf_line_task(line);
		met->value = 1 + perf_process_root(process, &task);
	}
	return process->last = met;
}

void perf_process_set(struct perf_process *process, const struct perf_line *line) {
	bool by_ids = perf_process_has_ids(process);
	process->has_root = !line->nameless || by_ids;
	process->java = false;
	if (process->has_root) {
		struct str key = by_ids && line->head.n > 0 ? line->head : line->comm;
		const struct intern_key *met = perf_process_find(process, line, key);
		process->root = (uint32_t)((met->value - 1) >> 1);
		process->java = ((met->value - 1) & 1) != 0;
	}
}

void perf_task_label(const struct perf_task *task, struct buf *label) {
	bool nameless = str_eq(task->pid, STR("?")), both = !nameless && task->tid.n > 0;
	size_t start = label->n;
	utf8_repair(label, str_trim(task->comm));
	struct str id = nameless ? task->tid : task->pid;
	buf_add_text(label, label->n > start && (id.n > 0 || both) ? " " : "");
	buf_add_str(label, id);
	if (both && !str_eq(task->pid, task->tid)) {
		buf_add_char(label, '/');
		buf_add_str(label, task->tid);
	}
}

void perf_process_release(struct perf_process *process) {
	intern_release(&process->met);
	buf_release(&process->text);
}
