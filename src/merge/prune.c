/* Cut off call paths. Stacks arrive in an order in which all callees follow their caller, so only
 * the calls of the current stack are open. The total of a call is known when the call ends. */
#include "merge/prune.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

/** An open call: more of its callees may follow. */
struct prune_call {
	size_t end; // end of the function's name in the text
	uint64_t total, self;
};

struct pruning {
	struct merger *into;
	uint64_t least;
	struct prune_call *calls;
	size_t depth, capacity;
	struct buf text;   // text of the current stack, with semicolons
	struct buf before; // the stack that was added last
	int result;
};

/** Add a stack to the result. */
static void prune_add(struct pruning *pruning, struct str stack, uint64_t count) {
	if (count > 0 && pruning->result == 0) {
		struct str before = buf_str(&pruning->before);
		pruning->result = merger_add(pruning->into, before, stack,
					     str_common_prefix(before, stack), count);
		buf_set_str(&pruning->before, stack);
	}
}

/** End the innermost call. */
static void prune_end_call(struct pruning *pruning) {
	struct prune_call call = pruning->calls[--pruning->depth];
	struct prune_call *caller =
		pruning->depth == 0 ? NULL : &pruning->calls[pruning->depth - 1];
	if (caller != NULL) {
		caller->total += call.total; // this cannot overflow, as the sum of all counts fits
	}
	if (caller == NULL || call.total >= pruning->least) {
		prune_add(pruning, str_to(buf_str(&pruning->text), call.end), call.self);
	} else {
		caller->self += call.total;
	}
}

static void prune_take(void *context, struct str stack, size_t common, const uint64_t *counts) {
	struct pruning *pruning = context;
	while (pruning->depth > 0 && pruning->calls[pruning->depth - 1].end >= common) {
		size_t end = pruning->calls[pruning->depth - 1].end;
		if (end == common && end < stack.n && stack.p[end] == PRUNE_SEPARATOR) {
			break;
		}
		prune_end_call(pruning);
	}
	size_t at = pruning->depth == 0 ? 0 : pruning->calls[pruning->depth - 1].end + 1;
	pruning->text.n = at - (at > 0); // remove the separator, which is added again below
	buf_add_str(&pruning->text, str_from(stack, pruning->text.n));
	while (at <= stack.n) {
		size_t n = str_find(str_from(stack, at), PRUNE_SEPARATOR);
		n = n == STR_NONE ? stack.n - at : n;
		*MEM_APPEND(pruning->calls, pruning->depth, pruning->capacity) =
			(struct prune_call){.end = at + n};
		if (at > 0) {
			pruning->text.p[at - 1] = ';';
		}
		at += n + 1;
	}
	struct prune_call *leaf = &pruning->calls[pruning->depth - 1];
	leaf->self = leaf->total = counts[0];
}

int prune(struct merger *from, struct merger *into, uint64_t least) {
	struct pruning pruning = {.into = into, .least = least};
	int result = merger_each(from, prune_take, &pruning);
	while (pruning.depth > 0) {
		prune_end_call(&pruning);
	}
	free(pruning.calls);
	buf_release(&pruning.text);
	buf_release(&pruning.before);
	return result == 0 ? pruning.result : result;
}
