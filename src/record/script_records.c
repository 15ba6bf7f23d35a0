/* Records of script stacks. */
#include "record/script_records.h"

#include "perf/data/records.h"

static size_t script_records_begin(struct buf *out, enum scripted_kind kind,
				   const struct synth_at *at, uint32_t value) {
	size_t start = synth_begin(out, RECORD_READ, MISC_READ_SCRIPT);
	synth_u32(out, (uint32_t)at->pid);
	synth_u32(out, (uint32_t)at->tid);
	synth_u32(out, kind);
	synth_u32(out, value);
	return start;
}

void script_record_text(struct buf *out, enum scripted_kind kind, int32_t pid, uint32_t value,
			struct str text) {
	const struct synth_at at = {.pid = pid, .tid = pid};
	size_t start = script_records_begin(out, kind, &at, value);
	synth_text(out, text);
	synth_end_with(out, start, &(struct synth_at){.pid = pid, .tid = pid});
}

static void script_records_add_lines(struct buf *text, char mark, const char *const *names) {
	for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
		buf_add_char(text, '\n');
		buf_add_char(text, mark);
		buf_add_text(text, names[i]);
	}
}

void script_record_language(struct buf *out, uint32_t number,
			    const struct script_language *language) {
	struct buf text = {0};
	buf_add_text(&text, language->name);
	script_records_add_lines(&text, 'L', language->loops);
	script_records_add_lines(&text, 'G', language->glue);
	script_records_add_lines(&text, 'W', language->locks);
	script_records_add_lines(&text, 'S', language->sleeps);
	buf_add_text(&text, language->makes_code ? "\nJ" : "");
	buf_add_text(&text, language->hides_nameless ? "\nN" : "");
	buf_add_text(&text, language->runs_threads ? "\nT" : "");
	script_record_text(out, SCRIPTED_LANGUAGE, 0, number, buf_str(&text));
	buf_release(&text);
}

void script_record_stack(struct buf *out, const struct synth_at *at, enum scripted_state state,
			 unsigned language, const struct script_stack *stack) {
	static const uint32_t locks[] = {[SCRIPT_LOCK_HELD] = SCRIPTED_LOCK_HELD,
					 [SCRIPT_LOCK_NOT_HELD] = SCRIPTED_LOCK_NOT_HELD};
	size_t start = script_records_begin(out, SCRIPTED_STACK, at,
					    state | language << SCRIPTED_LANGUAGE_AT);
	_Static_assert(sizeof(*stack->frames) == sizeof(uint64_t), "as in the record");
	synth_u32(out, (uint32_t)stack->n);
	synth_u32(out, (stack->cut ? SCRIPTED_CUT : 0) | locks[stack->lock]);
	buf_add(out, stack->frames, stack->n * sizeof(*stack->frames));
	synth_end_with(out, start, at);
}
