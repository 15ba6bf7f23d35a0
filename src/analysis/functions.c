/* What each function counted before and after. */
#include "analysis/functions.h"

#include <stdlib.h>

static void functions_add(struct change *sum, struct change more) {
	sum->before += more.before; // all of a profile fits into 64 bits
	sum->after += more.after;
}

/** Return whether the frames on the root are the leaves of the stacks. */
static bool functions_is_reversed(const struct view *view) {
	return view->transform != NULL && view->transform->reverse;
}

/** Return what ends in a frame, or if stacks are reversed, what begins with it. */
static struct change functions_self_of(const struct tree *tree, size_t i, bool reversed) {
	bool has_changes = tree->changes != NULL;
	if (!reversed) {
		return has_changes ? tree->changes[i].self
				   : (struct change){.after = tree->frames[i].count};
	}
	return tree->frames[i].depth != 1 ? (struct change){0}
	       : has_changes              ? tree->changes[i].total
					  : (struct change){.after = tree->totals[i]};
}

struct change *functions_self(const struct profile *profile, const struct tree *tree,
			      bool reversed) {
	const struct calls *calls = &profile->calls;
	const struct call_item *frames = tree == NULL ? calls->items : tree->frames;
	size_t n = tree == NULL ? calls->n : tree->n;
	bool plain = tree == NULL || (tree->changes == NULL && !reversed);
	struct change *self = mem_new(names_count(&profile->names), sizeof(*self));
	for (size_t i = 1; plain && i < n; i++) { // the root has no name
		self[frames[i].name].after += frames[i].count;
	}
	for (size_t i = 1; tree == NULL && i < calls->before_n; i++) {
		self[frames[i].name].before += calls->before[i];
	}
	for (size_t i = 1; !plain && i < n; i++) {
		functions_add(&self[frames[i].name], functions_self_of(tree, i, reversed));
	}
	return self;
}

/** Add up totals by the id of a name. A function that calls itself counts once, in its outermost
 * frame. */
static void functions_add_totals(struct function *by_id, const struct view *view) {
	const struct tree *tree = view->tree;
	const struct call_item *frames = tree->frames;
	size_t *path = mem_new(tree->levels, sizeof(*path)); // the open frames, by depth
	size_t *outermost = mem_new(names_count(&view->profile->names), sizeof(*outermost));
	for (size_t i = 1; i < tree->n; i++) {
		struct function *function = &by_id[frames[i].name];
		size_t outer = outermost[frames[i].name], depth = frames[outer].depth;
		path[frames[i].depth] = i;
		if (outer > 0 && depth < frames[i].depth && path[depth] == outer) {
			continue;
		}
		outermost[frames[i].name] = i;
		function->name = profile_name(view->profile, frames[i].name);
		functions_add(&function->total,
			      tree->changes != NULL ? tree->changes[i].total
						    : (struct change){.after = tree->totals[i]});
	}
	free(path);
	free(outermost);
}

void functions_collect(struct functions *functions, const struct view *view) {
	size_t ids = names_count(&view->profile->names);
	struct function *by_id = mem_new(ids, sizeof(*by_id));
	struct change *self =
		functions_self(view->profile, view->tree, functions_is_reversed(view));
	functions_add_totals(by_id, view);
	*functions = (struct functions){by_id, 0};
	for (size_t id = 0; id < ids; id++) {
		if (by_id[id].name.p != NULL) {
			by_id[id].self = self[id];
			by_id[functions->n++] = by_id[id];
		}
	}
	free(self);
}

bool functions_sum(const struct view *view, const bool *wanted, bool self, struct change *sum) {
	const struct tree *tree = view->tree;
	bool found = false;
	*sum = (struct change){0};
	uint32_t inside =
		UINT32_MAX; // the depth of the wanted frame whose callees are counted with it
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		inside = frame->depth <= inside ? UINT32_MAX : inside;
		if (frame->depth == 0 || !wanted[frame->name]) {
			continue;
		}
		found = true;
		if (self) {
			functions_add(sum, functions_self_of(tree, i, functions_is_reversed(view)));
		} else if (inside == UINT32_MAX) {
			functions_add(sum, tree->changes[i].total);
			inside = frame->depth;
		}
	}
	return found;
}

void functions_release(struct functions *functions) {
	free(functions->items);
	*functions = (struct functions){0};
}
