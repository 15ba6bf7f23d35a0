/* What each function counted before and after. */
#include "analysis/functions.h"

#include <stdlib.h>

static void functions_add(struct change *sum, struct change more) {
	sum->before += more.before; // all of a profile fits into 64 bits
	sum->after += more.after;
}

/** A walk through a tree that tracks which names are on the path to the current frame. */
struct functions_walk {
	const struct tree *tree;
	bool reversed; // the frames on the root are the leaves of the stacks
	size_t *path;  // the open frames, by depth
	size_t open;
	size_t ids;
	uint32_t *times; // by id of a name: how many of the open frames have it
};

/** Return whether the frames on the root are the leaves of the stacks. */
static bool functions_is_reversed(const struct view *view) {
	return view->transform != NULL && view->transform->reverse;
}

static void functions_walk_init(struct functions_walk *walk, const struct view *view) {
	const struct tree *tree = view->tree;
	*walk = (struct functions_walk){.tree = tree, .reversed = functions_is_reversed(view)};
	size_t levels = 0;
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		walk->ids = frame->name >= walk->ids ? frame->name + (size_t)1 : walk->ids;
		levels = frame->depth >= levels ? frame->depth + (size_t)1 : levels;
	}
	walk->path = mem_new(levels, sizeof(*walk->path));
	walk->times = mem_new(walk->ids, sizeof(*walk->times));
}

/** Go to a frame. The root, which has no name, is not counted. */
static void functions_walk_to(struct functions_walk *walk, size_t i) {
	const struct call_item *frames = walk->tree->frames;
	for (; walk->open > frames[i].depth; walk->open--) {
		size_t left = walk->path[walk->open - 1];
		walk->times[frames[left].name] -= frames[left].depth > 0;
	}
	walk->path[walk->open++] = i;
	walk->times[frames[i].name] += frames[i].depth > 0;
}

static void functions_walk_release(struct functions_walk *walk) {
	free(walk->path);
	free(walk->times);
}

/** Return what ends in a frame, or if stacks are reversed, what begins with it. */
static struct change functions_self_of(const struct tree_change *counts,
				       const struct call_item *frame, bool reversed) {
	return !reversed ? counts->self : frame->depth == 1 ? counts->total : (struct change){0};
}

/** Add the counts of the frame that the walk has come to. */
static void functions_add_frame(const struct functions_walk *walk, size_t i,
				struct function *by_id) {
	const struct tree *tree = walk->tree;
	const struct call_item *frame = &tree->frames[i];
	struct function *function = &by_id[frame->name];
	struct tree_change counts = {.self.after = frame->count, .total.after = tree->totals[i]};
	if (tree->changes != NULL) {
		counts = tree->changes[i];
	}
	functions_add(&function->self, functions_self_of(&counts, frame, walk->reversed));
	if (walk->times[frame->name] == 1) { // a recursive function counts once
		functions_add(&function->total, counts.total);
	}
}

void functions_collect(struct functions *functions, const struct view *view) {
	const struct tree *tree = view->tree;
	struct functions_walk walk;
	functions_walk_init(&walk, view);
	struct function *by_id = mem_new(walk.ids, sizeof(*by_id));
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		struct function *function = &by_id[frame->name];
		functions_walk_to(&walk, i);
		if (frame->depth == 0) {
			continue;
		}
		function->name = tree_name(view->profile, frame);
		functions_add_frame(&walk, i, by_id);
	}
	functions->n = 0;
	for (size_t id = 0; id < walk.ids; id++) {
		if (by_id[id].name.p != NULL) {
			by_id[functions->n++] = by_id[id];
		}
	}
	functions->items = by_id;
	functions_walk_release(&walk);
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
			functions_add(sum, functions_self_of(&tree->changes[i], frame,
							     functions_is_reversed(view)));
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
