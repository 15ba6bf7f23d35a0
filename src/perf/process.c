/* The process that an event line of perf script names. */
#include "perf/process.h"

#include "base/utf8.h"

/** Replace each number in a name by an X. */
static void hide_numbers(struct buf *name) {
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

/** Put the name of the root frame into `text`. */
static void name_root(struct perf_process *process, struct str comm, struct str ids) {
	struct buf *text = &process->text;
	size_t slash = str_find_last(ids, '/');
	buf_clear(text);
	utf8_repair(text, str_trim(comm));
	buf_replace(text, ' ', '_');
	if (process->hide_numbers) {
		hide_numbers(text);
	}
	if (process->pid || process->tid) {
		buf_add_char(text, '-');
		buf_add_str(text, slash == STR_NONE ? STR("?") : str_to(ids, slash));
	}
	if (process->tid) {
		buf_add_char(text, '/');
		buf_add_str(text, slash == STR_NONE ? ids : str_from(ids, slash + 1));
	}
}

/** Return what is known of a process. `key` is the part of the line that decides its name. */
static const struct intern_key *find(struct perf_process *process, const struct perf_line *line,
				     struct str key) {
	if (process->last != NULL && str_eq(intern_str(process->last), key)) {
		return process->last;
	}
	struct intern_key *met = intern_get(&process->met, key.p, key.n);
	if (met->value == 0) {
		name_root(process, line->comm, line->ids);
		struct str name = buf_str(&process->text);
		uint64_t java = str_starts(name, STR("java"));
		met->value = 1 | java << 1 | (uint64_t)profile_frame(process->profile, name) << 2;
	}
	return process->last = met;
}

void perf_process_set(struct perf_process *process, const struct perf_line *line) {
	bool by_ids = perf_process_has_ids(process);
	process->has_root = !line->nameless || by_ids;
	process->java = false;
	if (process->has_root) {
		struct str key = by_ids && line->head.n > 0 ? line->head : line->comm;
		const struct intern_key *met = find(process, line, key);
		process->root = (uint32_t)(met->value >> 2);
		process->java = (met->value & 2) != 0;
	}
}

void perf_process_label(struct buf *label, const struct perf_line *line) {
	struct str tid = line->ids, pid = str_cut(&tid, '/');
	buf_clear(label);
	utf8_repair(label, str_trim(line->comm));
	buf_add_text(label, label->n > 0 && line->ids.n > 0 ? " " : "");
	buf_add_str(label, tid.n == 0 || str_eq(pid, tid) ? pid : line->ids);
}

void perf_process_release(struct perf_process *process) {
	intern_release(&process->met);
	buf_release(&process->text);
}
