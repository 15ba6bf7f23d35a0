/* Read records of script stacks. */
#include "perf/data/scripted.h"

bool scripted_read(struct cursor *body, struct scripted *scripted) {
	*scripted = (struct scripted){.pid = (int32_t)cursor_u32(body)};
	scripted->tid = (int32_t)cursor_u32(body);
	uint32_t kind = cursor_u32(body);
	scripted->value = cursor_u32(body);
	if (body->failed || kind >= SCRIPTED_KINDS) {
		return false;
	}
	scripted->kind = (enum scripted_kind)kind;
	if (kind == SCRIPTED_STACK) {
		scripted->stack = *body;
	} else {
		scripted->text = cursor_text((struct str){body->p, body->n});
	}
	return true;
}
