/* Compute the counts of each function in the earlier and the later profile. */
#include "analysis/functions.h"

#include <stdlib.h>

static void functions_add(struct change *sum, struct change more) {
	sum->before += more.before; // this cannot overflow: the sum of all counts of a profile fits
				    // into 64 bits
	sum->after += more.after;
}

/** Return whether stacks are reversed, so that the callees of the root are the leaves of the
 * stacks. */
static bool functions_is_reversed(const struct view *view) {
	return view->transform != NULL && view->transform->reverse;
}

static struct change functions_total_of(const struct tree *tree, size_t i) {
	return tree->changes != NULL ? tree->changes[i].total
				     : (struct change){.after = tree->totals[i]};
}

/** Return the counts of the stacks that end in a frame. If stacks are reversed, return the counts
 * of the stacks that begin with this frame. */
static struct change functions_self_of(const struct tree *tree, size_t i, bool reversed) {
	if (reversed) {
		return tree->frames[i].depth == 1 ? functions_total_of(tree, i)
						  : (struct change){0};
	}
	return tree->changes != NULL ? tree->changes[i].self
				     : (struct change){.after = tree->frames[i].count};
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
		if (!reversed || frames[i].depth == 1) {
			functions_add(&self[frames[i].name], functions_self_of(tree, i, reversed));
		}
	}
	return self;
}

/** A walk through a tree that finds the outermost frames of functions that call themselves. */
struct functions_walk {
	const struct tree *tree;
	size_t *path;      // the open frame at each depth
	size_t *outermost; // for each id of a name, the last outermost frame with this name
};

static void functions_walk_init(struct functions_walk *walk, const struct view *view) {
	walk->tree = view->tree;
	walk->path = mem_new(walk->tree->levels, sizeof(*walk->path));
	walk->outermost = mem_new(names_count(&view->profile->names), sizeof(*walk->outermost));
}

/** Visit a frame other than the root. Return false if one of its callers has the same name. */
static bool functions_walk_to(struct functions_walk *walk, size_t i) {
	const struct call_item *frames = walk->tree->frames;
	size_t *outermost = &walk->outermost[frames[i].name], depth = frames[*outermost].depth;
	bool is_inner =
		*outermost > 0 && depth < frames[i].depth && walk->path[depth] == *outermost;
	walk->path[frames[i].depth] = i;
	*outermost = is_inner ? *outermost : i;
	return !is_inner;
}

static void functions_walk_release(struct functions_walk *walk) {
	free(walk->path);
	free(walk->outermost);
}

/** Add the total of frame `i` to the function of frame `to`. */
static void functions_add_total(struct function *by_id, const struct view *view, size_t to,
				size_t i) {
	const struct tree *tree = view->tree;
	struct function *function = &by_id[tree->frames[to].name];
	function->name = profile_name(view->profile, tree->frames[to].name);
	functions_add(&function->total, functions_total_of(tree, i));
}

/** Take ownership of `by_id`, and keep only the functions that have a name. */
static void functions_take(struct functions *functions, struct function *by_id, size_t ids) {
	*functions = (struct functions){by_id, 0};
	for (size_t id = 0; id < ids; id++) {
		if (by_id[id].name.p != NULL) {
			by_id[functions->n++] = by_id[id];
		}
	}
}

/** Add a total of the profile's table to the function with this name. */
static void functions_add_row(struct function *by_id, const struct view *view, uint32_t name,
			      uint64_t total) {
	by_id[name].name = profile_name(view->profile, name);
	by_id[name].total.after += total;
}

/** Copy the totals of functions from the profile's table. */
static void functions_take_table(struct function *by_id, const struct view *view) {
	const struct call_table *table = view->profile->table;
	for (size_t i = 0; i < table->n; i++) {
		const struct call_table_row *row = &table->rows[i];
		if (call_table_is_total(row)) {
			by_id[row->caller].total = (struct change){0};
			functions_add_row(by_id, view, row->caller, row->total);
		}
	}
}

/** Copy the calls from a function, or to a function, from the profile's table. */
static void functions_take_calls(struct function *by_id, const struct view *view, struct str name,
				 bool callers) {
	const struct call_table *table = view->profile->table;
	for (size_t i = 0; i < table->n; i++) {
		const struct call_table_row *row = &table->rows[i];
		uint32_t from = callers ? row->callee : row->caller;
		if (!call_table_is_total(row) && str_eq(profile_name(view->profile, from), name)) {
			functions_add_row(by_id, view, callers ? row->caller : row->callee,
					  row->total);
		}
	}
}

void functions_collect(struct functions *functions, const struct view *view) {
	size_t ids = names_count(&view->profile->names);
	struct function *by_id = mem_new(ids, sizeof(*by_id));
	struct change *self =
		functions_self(view->profile, view->tree, functions_is_reversed(view));
	struct functions_walk walk;
	functions_walk_init(&walk, view);
	for (size_t i = 1; i < view->tree->n; i++) {
		if (functions_walk_to(&walk, i)) {
			functions_add_total(by_id, view, i, i);
		}
	}
	functions_walk_release(&walk);
	if (profile_has_table(view->profile)) {
		functions_take_table(by_id, view);
	}
	for (size_t id = 0; id < ids; id++) {
		by_id[id].self = self[id];
	}
	free(self);
	functions_take(functions, by_id, ids);
}

void functions_collect_column(struct functions *functions, const struct view *view,
			      const struct value_column *column) {
	struct tree tree;
	struct view other = *view;
	tree_count_column(&tree, view->tree, column);
	other.tree = &tree;
	functions_collect(functions, &other);
	tree_release(&tree);
}

void functions_collect_callers(struct functions *callers, const struct view *view,
			       struct str name) {
	const struct call_item *frames = view->tree->frames;
	size_t ids = names_count(&view->profile->names);
	struct function *by_id = mem_new(ids, sizeof(*by_id));
	struct functions_walk walk;
	functions_walk_init(&walk, view);
	for (size_t i = 1; i < view->tree->n; i++) {
		bool is_outermost = functions_walk_to(&walk, i);
		if (is_outermost && frames[i].depth > 1 &&
		    str_eq(tree_name(view->profile, &frames[i]), name)) {
			functions_add_total(by_id, view, walk.path[frames[i].depth - 1], i);
		}
	}
	functions_walk_release(&walk);
	if (profile_has_table(view->profile)) {
		functions_take_calls(by_id, view, name, true);
	}
	functions_take(callers, by_id, ids);
}

void functions_collect_callees(struct functions *callees, const struct view *view,
			       struct str name) {
	const struct call_item *frames = view->tree->frames;
	size_t ids = names_count(&view->profile->names);
	struct function *by_id = mem_new(ids, sizeof(*by_id));
	struct functions_walk walk; // a walk over the frames below the function
	functions_walk_init(&walk, view);
	for (size_t i = 1; i < view->tree->n; i++) {
		size_t depth = frames[i].depth;
		walk.path[depth] = i;
		bool is_called =
			depth > 1 &&
			str_eq(tree_name(view->profile, &frames[walk.path[depth - 1]]), name);
		if (is_called && functions_walk_to(&walk, i)) {
			functions_add_total(by_id, view, i, i);
		}
	}
	functions_walk_release(&walk);
	if (profile_has_table(view->profile)) {
		functions_take_calls(by_id, view, name, false);
	}
	functions_take(callees, by_id, ids);
}

void functions_collect_first(struct functions *functions, const struct view *view) {
	size_t ids = names_count(&view->profile->names);
	struct function *by_id = mem_new(ids, sizeof(*by_id));
	for (size_t i = 1; i < view->tree->n; i++) {
		if (view->tree->frames[i].depth == 1) {
			functions_add_total(by_id, view, i, i);
		}
	}
	functions_take(functions, by_id, ids);
}

static int functions_compare_self(const void *a, const void *b) {
	const struct function *x = *(const struct function *const *)a,
			      *y = *(const struct function *const *)b;
	return x->self.after != y->self.after ? (x->self.after < y->self.after ? 1 : -1)
					      : str_compare(x->name, y->name);
}

const struct function **functions_by_self(const struct functions *functions) {
	const struct function **order = mem_new(functions->n, sizeof(*order));
	for (size_t i = 0; i < functions->n; i++) {
		order[i] = &functions->items[i];
	}
	qsort(order, functions->n, sizeof(*order), functions_compare_self);
	return order;
}

const struct function **functions_rank(struct functions *functions) {
	const struct function **order = functions_by_self(functions);
	for (size_t i = 0; i < functions->n; i++) {
		functions->items[order[i] - functions->items].rank = i + 1;
	}
	return order;
}

void functions_take_ranks(struct functions *functions, const struct functions *from) {
	for (size_t i = 0, at = 0; i < functions->n; i++) {
		while (from->items[at].name.p != functions->items[i].name.p) {
			at++;
		}
		functions->items[i].rank = from->items[at].rank;
	}
}

bool functions_sum(const struct view *view, const bool *wanted, bool self, struct change *sum) {
	const struct tree *tree = view->tree;
	bool found = false;
	*sum = (struct change){0};
	uint32_t inside = UINT32_MAX; // depth of the last counted frame, which includes its
				      // callees; UINT32_MAX: none
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
