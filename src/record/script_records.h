/** Write the records of script stacks. The form of these records is described in
 * perf/data/scripted.h. */
#pragma once

#include "perf/data/scripted.h"
#include "record/synth.h"
#include "script/language.h"

/** Add the names of the native functions of a language's interpreter. */
void script_record_language(struct buf *out, uint32_t number,
			    const struct script_language *language);

/** Add a record with a text. */
void script_record_text(struct buf *out, enum scripted_kind kind, int32_t pid, uint32_t value,
			struct str text);

/** Add the stack of the sample that follows. */
void script_record_stack(struct buf *out, const struct synth_at *at, enum scripted_state state,
			 unsigned language, const struct script_stack *stack);
