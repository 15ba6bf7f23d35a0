/* Make a tree of frames with files and lines. */
#include "export/sited.h"

#include <stdlib.h>

/** A stack of sites, without labels. */
struct sited_row {
	const struct sites *sites;
	uint32_t *ids;
	uint32_t depth;
	uint32_t stack; // index of a stack of sites
	uint64_t count;
};

/** Add a callee to the node `caller`. `last` is the last callee of this caller, or 0. Return the
 * index of the new node. */
static uint32_t sited_add(struct sited *sited, uint32_t caller, uint32_t last, uint32_t frame) {
	uint32_t node = (uint32_t)sited->n;
	*MEM_APPEND(sited->nodes, sited->n, sited->capacity) =
		(struct sited_node){.caller = caller, .frame = frame};
	if (node > 0) {
		*(last == 0 ? &sited->nodes[caller].child : &sited->nodes[last].next) = node;
	}
	return node;
}

/** Return the number of a site or a name with this key. If the key is new, give `frame` a new
 * number. */
static uint32_t sited_number(struct sited *sited, uint32_t key, uint32_t frame) {
	if (sited->numbers[key] == 0) {
		ids_push(&sited->frames, frame);
		sited->numbers[key] = (uint32_t)sited->frames.n;
	}
	return sited->numbers[key] - 1;
}

/* --- Names only ----------------------------------------------------------------------------- */

static void sited_take_tree(struct sited *sited) {
	const struct tree *tree = sited->view->tree;
	uint32_t *path = mem_new(tree->levels + 1, sizeof(*path)); // the node at each depth
	uint32_t before = 0;                                       // depth of the previous frame
	sited->numbers = mem_new(names_count(&sited->view->profile->names) + (size_t)1,
				 sizeof(*sited->numbers));
	for (size_t i = 1; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		uint32_t depth = frame->depth, last = before >= depth ? path[depth] : 0;
		uint32_t number = sited_number(sited, frame->name, (uint32_t)i);
		path[depth] = sited_add(sited, path[depth - 1], last, number);
		sited->nodes[path[depth]].count = frame->count;
		sited->stacks += frame->count > 0;
		before = depth;
	}
	free(path);
}

/* --- Sites ---------------------------------------------------------------------------------- */

/** Compare two sites by their names, then by their other details. */
static int sited_compare_sites(const struct sites *sites, uint32_t left, uint32_t right) {
	const struct site *a = sites_get(sites, left), *b = sites_get(sites, right);
	uint64_t keys[][2] = {{sites->names[left], sites->names[right]},
			      {a->start_line, b->start_line},
			      {a->line, b->line},
			      {a->column, b->column},
			      {a->address, b->address},
			      {left, right}};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i][0] != keys[i][1]) {
			return keys[i][0] < keys[i][1] ? -1 : 1;
		}
	}
	return 0;
}

static int sited_compare_rows(const void *left, const void *right) {
	const struct sited_row *a = left, *b = right;
	for (uint32_t i = 0; i < a->depth && i < b->depth; i++) {
		int order = a->ids[i] == b->ids[i]
				    ? 0
				    : sited_compare_sites(a->sites, a->ids[i], b->ids[i]);
		if (order != 0) {
			return order;
		}
	}
	return (a->depth > b->depth) - (a->depth < b->depth);
}

/** Copy the stacks of sites, without labels. The ids of these stacks are stored in `room`. */
static struct sited_row *sited_rows(const struct sited *sited, struct ids *room) {
	const struct stacks *stacks = &sited->sites->stacks;
	struct sited_row *rows = mem_new(stacks->table.count + (size_t)1, sizeof(*rows));
	struct ids ids = {0};
	size_t at = 0;
	for (uint32_t i = 0; i < stacks->table.count; i++) {
		struct stack_row stack = stacks_get(stacks, i, &ids);
		for (uint32_t k = 0; k < stack.depth; k++) {
			if (sites_get(sited->sites, stack.ids[k])->kind != SITE_LABEL) {
				ids_push(room, stack.ids[k]);
			}
		}
		rows[i] = (struct sited_row){.sites = sited->sites,
					     .depth = (uint32_t)(room->n - at),
					     .stack = i,
					     .count = stack.count};
		at = room->n;
	}
	ids_release(&ids);
	at = 0;
	// `room` does not move any more, so set the pointers now
	for (uint32_t i = 0; i < stacks->table.count; i++) {
		rows[i].ids = room->items + at;
		at += rows[i].depth;
	}
	qsort(rows, stacks->table.count, sizeof(*rows), sited_compare_rows);
	return rows;
}

static void sited_take_sites(struct sited *sited) {
	struct ids room = {0}, path = {0}; // `path`: the node at each depth
	struct sited_row *rows = sited_rows(sited, &room);
	size_t n = sited->sites->stacks.table.count;
	sited->numbers = mem_new(sited->sites->table.count + (size_t)1, sizeof(*sited->numbers));
	sited->ends = mem_new(n, sizeof(*sited->ends));
	ids_push(&path, 0);
	for (size_t i = 0; i < n; i++) {
		uint32_t shared = 0, last = 0;
		while (i > 0 && shared < rows[i].depth && shared < rows[i - 1].depth &&
		       rows[i].ids[shared] == rows[i - 1].ids[shared]) {
			shared++;
		}
		last = shared + 1 < path.n ? path.items[shared + 1] : 0;
		path.n = shared + 1;
		for (uint32_t k = shared; k < rows[i].depth; k++, last = 0) {
			uint32_t id = rows[i].ids[k];
			ids_push(&path, sited_add(sited, path.items[k], last,
						  sited_number(sited, id, id)));
		}
		sited->ends[rows[i].stack] = path.items[rows[i].depth];
		struct sited_node *node = &sited->nodes[path.items[rows[i].depth]];
		sited->stacks += node->count == 0 && rows[i].count > 0;
		node->count += rows[i].count;
	}
	ids_release(&room);
	ids_release(&path);
	free(rows);
}

/* --- Both ----------------------------------------------------------------------------------- */

void sited_init(struct sited *sited, const struct view *view) {
	*sited = (struct sited){.view = view, .sites = view_sites(view)};
	sited_add(sited, 0, 0, 0);
	if (sited->sites == NULL || sited->sites->stacks.table.count == 0) {
		sited->sites = NULL;
		sited_take_tree(sited);
	} else {
		sited_take_sites(sited);
	}
}

int sited_take_moments(struct sited *sited, struct diag *diag) {
	static const char left_out[] = "the times of samples are left out";
	const struct profile *profile = sited->view->profile;
	const struct time_buckets *buckets = profile->time_buckets;
	if (buckets == NULL || buckets->moments == NULL || !buckets->any) {
		return 0;
	}
	if (buckets->untimed > 0) {
		return diag_warn(diag, "%s: %llu stacks have none", left_out,
				 (unsigned long long)buckets->untimed);
	}
	enum { BITS = 62 }; // as many as readers take
	const char *reason = buckets->too_many            ? "the stacks take too much memory"
			     : sited->sites == NULL       ? "the stacks were changed"
			     : buckets->last >> BITS != 0 ? "some are too large"
							  : NULL;
	if (reason != NULL) {
		return diag_warn(diag, "%s: %s", left_out, reason);
	}
	moments_sort(buckets->moments);
	sited->moments = buckets->moments;
	return 0;
}

void sited_release(struct sited *sited) {
	free(sited->nodes);
	free(sited->numbers);
	free(sited->ends);
	ids_release(&sited->frames);
}

struct sited_frame sited_frame(const struct sited *sited, uint32_t number) {
	const struct view *view = sited->view;
	uint32_t id = sited->frames.items[number];
	if (sited->sites == NULL) {
		return (struct sited_frame){
			.name = tree_name(view->profile, &view->tree->frames[id])};
	}
	const struct site *site = sites_get(sited->sites, id);
	struct site_module module = sites_module_of(sited->sites, site->module);
	return (struct sited_frame){
		.name = profile_name(view->profile, sited->sites->names[id]),
		.file = sites_text_of(sited->sites, site->file),
		.module = sites_text_of(sited->sites, module.file),
		.build_id = sites_text_of(sited->sites, module.build_id),
		.address = site->module > 0 ? site->address : 0,
		.line = site->line,
		.column = site->column,
		.start_line = site->start_line,
		.inlined = site->inlined != 0,
	};
}
