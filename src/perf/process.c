/* Make the root frames of the stacks of threads and processes. */
#include "perf/process.h"

#include <stdio.h>
#include <stdlib.h>

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

/** Return the id of the root frame of a task. The name of the frame stays in `process->text`. */
static uint32_t perf_process_frame(struct perf_process *process, const struct perf_task *task) {
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
	return profile_frame(process->profile, buf_str(text));
}

static struct str perf_process_label(struct perf_process *process, const struct perf_task *task) {
	bool nameless = str_eq(task->pid, STR("?")), both = !nameless && task->tid.n > 0;
	struct buf *label = &process->text;
	buf_clear(label);
	utf8_repair(label, str_trim(task->comm));
	struct str id = nameless ? task->tid : task->pid;
	buf_add_text(label, label->n > 0 && (id.n > 0 || both) ? " " : "");
	buf_add_str(label, id);
	if (both && !str_eq(task->pid, task->tid)) {
		buf_add_char(label, '/');
		buf_add_str(label, task->tid);
	}
	return (struct str){arena_copy(&process->texts, label->p, label->n), label->n};
}

/** Add the root of a task, and return 1 + its index. */
static uint64_t perf_process_add(struct perf_process *process, const struct perf_task *task) {
	struct perf_root root = {.named = true, .frame = perf_process_frame(process, task)};
	root.java = str_starts(buf_str(&process->text), STR("java"));
	root.label = process->labels ? perf_process_label(process, task) : STR("");
	MEM_GROW(process->roots, process->capacity, process->roots_n + 1);
	process->roots[process->roots_n] = root;
	return ++process->roots_n;
}

struct perf_root perf_process_of_line(struct perf_process *process, const struct perf_line *line) {
	bool named = !line->nameless || process->pid || process->tid;
	bool by_ids = perf_process_has_ids(process);
	if (!named && !by_ids) {
		return (struct perf_root){.named = false};
	}
	struct str key = by_ids && line->head.n > 0 ? line->head : line->comm;
	if (process->last == NULL || !str_eq(intern_str(process->last), key)) {
		struct intern_key *met = intern_get(&process->met, key.p, key.n);
		if (met->value == 0) {
			const struct perf_task task = perf_line_task(line);
			met->value = perf_process_add(process, &task);
		}
		process->last = met;
	}
	struct perf_root root = process->roots[process->last->value - 1];
	root.named = named;
	return root;
}

struct perf_root perf_process_of_ids(struct perf_process *process, struct str comm, int32_t pid,
				     int32_t tid) {
	const int32_t ids[] = {perf_process_has_ids(process) ? pid : 0,
			       process->tid || process->labels ? tid : 0};
	buf_set_str(&process->text, comm);
	buf_add(&process->text, (const char *)ids, sizeof(ids));
	struct intern_key *met = intern_get(&process->met, process->text.p, process->text.n);
	if (met->value == 0) {
		char texts[2][16];
		snprintf(texts[0], sizeof(texts[0]), "%d", pid);
		snprintf(texts[1], sizeof(texts[1]), "%d", tid);
		met->value =
			perf_process_add(process, &(struct perf_task){.comm = comm,
								      .pid = str_of(texts[0]),
								      .tid = str_of(texts[1])});
	}
	return process->roots[met->value - 1];
}

void perf_process_release(struct perf_process *process) {
	intern_release(&process->met);
	free(process->roots);
	arena_release(&process->texts);
	buf_release(&process->text);
}
