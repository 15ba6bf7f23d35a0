/* Compute sums over the sites of a profile. */
#include "analysis/site_sums.h"

#include <stdlib.h>

/* --- Stacks of sites, as the options changed them ------------------------------------------- */

/** Return the caller of each frame of a tree. The code that calls this function releases the result
 * with free(). */
static uint32_t *site_sums_callers(const struct tree *tree) {
	uint32_t *callers = mem_new(tree->n, sizeof(*callers));
	uint32_t *open = mem_new(tree->levels + 1, sizeof(*open)); // the open frame at each depth
	for (size_t i = 0; i < tree->n; i++) {
		uint32_t depth = tree->frames[i].depth;
		open[depth] = (uint32_t)i;
		callers[i] = depth == 0 ? 0 : open[depth - 1];
	}
	free(open);
	return callers;
}

/** Copy the sites of a stack that are frames, and not labels, into `kept`. */
static void site_sums_take_named(const struct sites *sites, struct stack_row row,
				 struct ids *kept) {
	kept->n = 0;
	for (uint32_t d = 0; d < row.depth; d++) {
		if (sites->names[row.ids[d]] != SITE_NO_NAME) {
			ids_push(kept, row.ids[d]);
		}
	}
}

/** Keep only the sites whose frames are in a path of the tree. Options may have left out frames,
 * but do not change the order of frames. If a stack has several equal frames, assume that the first
 * of them is in the path. */
static void site_sums_align(const struct view *view, const uint32_t *path, size_t depth,
			    struct ids *kept) {
	const struct sites *sites = view->profile->sites;
	size_t n = 0, d = 0;
	for (size_t i = 0; i < kept->n && d < depth; i++) {
		if (sites->names[kept->items[i]] == view->tree->frames[path[d]].name) {
			kept->items[n++] = kept->items[i];
			d++;
		}
	}
	kept->n = n;
}

uint64_t site_sums_visit(const struct view *view,
			 void (*visit)(void *context, const struct site_stack *stack),
			 void *context) {
	const struct sites *sites = view->profile->sites;
	const struct tree *tree = view->tree;
	uint32_t *callers = site_sums_callers(tree);
	uint32_t *path = mem_new(tree->levels + 1, sizeof(*path));
	struct ids kept = {0}, room = {0};
	uint64_t sum = 0;
	for (uint32_t i = 0; i < sites->stacks.table.count; i++) {
		struct stack_row row = stacks_get(&sites->stacks, i, &room);
		uint32_t stack = sites->stack_of[i];
		uint32_t end = stack >= tree->ends_n ? CALLS_NONE : tree->ends[stack];
		if (end == CALLS_NONE || row.count == 0) {
			continue;
		}
		uint32_t depth = tree->frames[end].depth;
		site_sums_take_named(sites, row, &kept);
		if (kept.n != depth) {
			for (uint32_t at = end, d = depth; d > 0; at = callers[at]) {
				path[--d] = at;
			}
			site_sums_align(view, path, depth, &kept);
		}
		const struct site_stack found = {kept.items, kept.n, row.count};
		visit(context, &found);
		sum += row.count;
	}
	ids_release(&kept);
	ids_release(&room);
	free(path);
	free(callers);
	return sum;
}

/* --- Sums ----------------------------------------------------------------------------------- */

/** A key of a sum. The struct must have no padding. */
struct site_sums_key {
	uint32_t module, file, line, name;
};

struct site_sums_walk {
	const struct view *view;
	struct site_sums *sums;
	enum site_sums_by by;
	uint32_t only; // name of the sites to add up; SITE_NO_NAME: all sites
	struct intern keys;
	struct ids of_site; // for each site, 1 + its sum; 0: not known yet
	struct ids last;    // for each sum, the number of the last stack that was added to it
	uint32_t stacks;
};

static uint32_t site_sums_of_key(struct site_sums_walk *walk, struct site_sums_key key) {
	struct site_sums *sums = walk->sums;
	uint32_t sum = intern_get(&walk->keys, &key, sizeof(key))->id;
	if (sum == sums->n) {
		*MEM_APPEND(sums->items, sums->n, sums->capacity) = (struct site_sum){
			.module = key.module, .file = key.file, .line = key.line, .name = key.name};
		sums->any_line |= key.line != 0;
		ids_push(&walk->last, 0);
	}
	return sum;
}

/** Return the sum to which a site belongs. */
static uint32_t site_sums_of(struct site_sums_walk *walk, uint32_t id) {
	uint32_t *known = &walk->of_site.items[id];
	if (*known == 0) {
		const struct sites *sites = walk->view->profile->sites;
		const struct site *site = sites_get(sites, id);
		uint32_t line = site->line != 0 ? site->line : site->start_line;
		bool by_line = walk->by == BY_LINE && line != 0 && site->file != 0;
		struct site_sums_key key = {.module = site->module, .name = SITE_NO_NAME};
		if (by_line) {
			key = (struct site_sums_key){0, site->file, line, sites->names[id]};
		} else if (walk->by == BY_LINE && site->module == 0) {
			key.name = sites->names[id];
		}
		*known = 1 + site_sums_of_key(walk, key);
	}
	return *known - 1;
}

/** Return the index of the frame that has the module in which a stack ends. The frame may be a
 * caller of the leaf: in input as text, inlined functions have no module. */
static size_t site_sums_leaf(const struct site_sums_walk *walk, const struct site_stack *stack) {
	const struct sites *sites = walk->view->profile->sites;
	size_t leaf = stack->n - 1;
	while (walk->by == BY_MODULE && leaf > 0 &&
	       sites_get(sites, stack->ids[leaf])->inlined != 0 &&
	       sites_get(sites, stack->ids[leaf])->module == 0) {
		leaf--;
	}
	return leaf;
}

/** Return whether the counts of a site are wanted. */
static bool site_sums_wants(const struct site_sums_walk *walk, uint32_t id) {
	return walk->only == SITE_NO_NAME || walk->view->profile->sites->names[id] == walk->only;
}

static void site_sums_add(void *context, const struct site_stack *stack) {
	struct site_sums_walk *walk = context;
	struct site_sums *sums = walk->sums;
	uint32_t number = ++walk->stacks;
	size_t leaf = stack->n == 0 ? 0 : site_sums_leaf(walk, stack);
	for (size_t i = 0; i < stack->n; i++) {
		if (!site_sums_wants(walk, stack->ids[i])) {
			continue;
		}
		uint32_t sum = site_sums_of(walk, stack->ids[i]);
		bool is_known = sums->items[sum].module != 0 || sums->items[sum].line != 0;
		if (walk->last.items[sum] != number && (is_known || i == leaf)) {
			walk->last.items[sum] = number;
			sums->items[sum].total += stack->count;
		}
	}
	if (stack->n > 0 && site_sums_wants(walk, stack->ids[stack->n - 1])) {
		sums->items[site_sums_of(walk, stack->ids[leaf])].self += stack->count;
	}
}

void site_sums_collect(struct site_sums *sums, const struct view *view, enum site_sums_by by,
		       uint32_t only) {
	struct site_sums_walk walk = {.view = view, .sums = sums, .by = by, .only = only};
	for (uint32_t i = 0; i < view->profile->sites->table.count; i++) {
		ids_push(&walk.of_site, 0);
	}
	uint64_t found = site_sums_visit(view, site_sums_add, &walk);
	if (found < view->sum && only == SITE_NO_NAME) {
		const struct site_sums_key none = {.name = SITE_NO_NAME};
		struct site_sum *rest = &sums->items[site_sums_of_key(&walk, none)];
		rest->self += view->sum - found;
		rest->total += view->sum - found;
	}
	intern_release(&walk.keys);
	ids_release(&walk.of_site);
	ids_release(&walk.last);
}

void site_sums_release(struct site_sums *sums) {
	free(sums->items);
	*sums = (struct site_sums){0};
}
