/* Build frames from calls, or from rows in order of arrival. */
#include "profile/tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"

/** The open frames, which have begun but not ended. `path` has their indices, root first. */
struct builder {
	struct tree *tree;
	uint64_t now; // sum of the counts so far
	size_t *path;
	size_t open, path_capacity;
};

static void tree_make_room(struct tree *tree, size_t n) {
	MEM_GROW(tree->made, tree->capacity, n);
	MEM_GROW(tree->totals, tree->totals_capacity, n);
}

/** Add a frame that begins at `now`. Its caller is the deepest open frame. Return the index of the
 * new frame. */
static size_t tree_open_frame(struct builder *builder, uint32_t name) {
	struct tree *tree = builder->tree;
	uint32_t depth = (uint32_t)builder->open++;
	tree_make_room(tree, tree->n + 1);
	MEM_GROW(tree->starts, tree->starts_capacity, tree->n + 1);
	MEM_GROW(builder->path, builder->path_capacity, builder->open);
	builder->path[depth] = tree->n;
	tree->starts[tree->n] = builder->now;
	tree->made[tree->n] =
		(struct call_item){.name = name & MOST_CALLS, .depth = depth & MOST_CALLS};
	tree->levels = builder->open > tree->levels ? builder->open : tree->levels;
	return tree->n++;
}

/** End the deepest open frames at `now`, until `open` frames are left. */
static void tree_close_frames(struct builder *builder, size_t open) {
	struct tree *tree = builder->tree;
	while (builder->open > open) {
		size_t frame = builder->path[--builder->open];
		tree->totals[frame] = builder->now - tree->starts[frame];
	}
}

/** Return the number of open frames that a row shares with the previous row. The root counts as one
 * frame. */
static size_t tree_shared_frames(const struct stack_row *before, const struct stack_row *row) {
	size_t least = before->depth < row->depth ? before->depth : row->depth, d = 0;
	while (d < least && before->ids[d] == row->ids[d]) {
		d++;
	}
	return d + 1;
}

uint64_t tree_size_of_rows(const struct timeline *timeline) {
	struct stack_row none = {0};
	const struct stack_row *before = &none;
	uint64_t frames = 0;
	for (size_t i = 0; i < timeline->n; i++) {
		frames += timeline->rows[i].depth + 1 -
			  tree_shared_frames(before, &timeline->rows[i]);
		before = &timeline->rows[i];
	}
	// Count twice the size of the frames, because a growing array may need twice this memory.
	return frames * 2 *
	       (sizeof(struct call_item) + 2 * sizeof(uint64_t) + sizeof(struct tree_delta));
}

static bool tree_same_stack(const struct stack_row *a, const struct stack_row *b) {
	return a->depth == b->depth &&
	       (a->depth == 0 || memcmp(a->ids, b->ids, a->depth * sizeof(*a->ids)) == 0);
}

/** Return the sum of the rows from `*at` on that have the same stack. Move `*at` after these rows.
 * The sum of all counts fits into 64 bits. */
static struct stack_row tree_take_stack(const struct profile *profile, size_t *at) {
	struct stack_row sum = profile->timeline.rows[*at];
	for (++*at;
	     *at < profile->timeline.n && tree_same_stack(&sum, &profile->timeline.rows[*at]);
	     ++*at) {
		const struct stack_row *row = &profile->timeline.rows[*at];
		sum.count += row->count;
		sum.two_counts |= row->two_counts;
		if (!num_add(sum.before, row->before, &sum.before)) {
			sum.before = UINT64_MAX;
		}
	}
	return sum;
}

/** Store the change of the count of `leaf`, the last frame of a stack. */
static void tree_set_delta(struct tree *tree, size_t leaf, uint64_t count, uint64_t before) {
	struct tree_delta *delta = &tree->deltas[leaf];
	delta->shrank = count < before;
	delta->value = delta->shrank ? before - count : count - before;
	if (delta->value > tree->largest_delta) {
		tree->largest_delta = delta->value;
	}
}

/** Open the frames of a row that are not open yet. */
static void tree_open_row(struct builder *builder, const struct stack_row *row) {
	struct tree *tree = builder->tree;
	while (builder->open <= row->depth) {
		bool is_leaf = builder->open == row->depth;
		size_t frame = tree_open_frame(
			builder, builder->open == 0 ? 0 : row->ids[builder->open - 1]);
		MEM_GROW(tree->deltas, tree->deltas_capacity, tree->n);
		tree->deltas[frame] = (struct tree_delta){.is_known = row->two_counts};
		if (is_leaf && row->two_counts) {
			tree_set_delta(tree, frame, row->count, row->before);
		}
	}
}

/** Build the frames of a flame chart from the rows, in the order of the rows. */
static void tree_build_from_rows(struct tree *tree, const struct profile *profile, uint64_t total) {
	struct builder builder = {.tree = tree};
	struct stack_row before = {0};
	for (size_t at = 0; at < profile->timeline.n;) {
		struct stack_row row = tree_take_stack(profile, &at);
		tree_close_frames(&builder, tree_shared_frames(&before, &row));
		tree_open_row(&builder, &row);
		builder.now += row.count;
		tree->made[builder.path[row.depth]].count += row.count;
		before = row;
	}
	tree_close_frames(&builder, 1);
	builder.now = total;
	tree_close_frames(&builder, 0);
	tree->frames = tree->made;
	free(builder.path);
}

/*
 * The state while frames are made from calls. The callees of one caller usually come in the order
 * of their names. If callees come in another order, their list is sorted, and callees with the same
 * name are joined.
 */

struct tree_walk {
	struct tree *tree;
	struct calls *calls;
	double scale;      // in a comparison: factor for the earlier counts
	unsigned narrower; // in a comparison: widths are shifted right by this number of bits
	size_t undecided;  // number of frames after the last frame in which a stack ended
	uint64_t *keys;    // scratch memory to sort a list
	size_t keys_capacity;
	uint32_t *places;  // for each call, its frame; used if the calls have `ends`
	struct ids joined; // pairs of calls: the second call has replaced the first call
};

static int tree_compare_keys(const void *a, const void *b) {
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/** Sort the keys of a list. Most lists are short, and for short lists, insertion sort takes the
 * least time. */
static void tree_sort_keys(uint64_t *keys, size_t n) {
	enum { FEW = 16 };
	if (n > FEW) {
		qsort(keys, n, sizeof(*keys), tree_compare_keys);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		uint64_t key = keys[i];
		size_t j = i;
		for (; j > 0 && keys[j - 1] > key; j--) {
			keys[j] = keys[j - 1];
		}
		keys[j] = key;
	}
}

/** Merge a call into another call with the same name and caller. */
static void tree_join_calls(struct tree_walk *walk, uint32_t into, uint32_t from) {
	struct call_link *links = walk->calls->links, *to = &links[into];
	uint32_t child = links[from].child;
	calls_add_counts(walk->calls, into, from);
	ids_push(&walk->joined, from);
	ids_push(&walk->joined, into);
	for (uint32_t call = child; call != 0; call = links[call].next) {
		links[call].parent = into;
		if (links[call].next == 0) {
			links[call].next = to->child;
			to->child = child;
			break;
		}
	}
	to->mixed = true;
}

/** Sort the callees of one caller, and join callees with the same name. */
static void tree_sort_calls(struct tree_walk *walk, uint32_t caller) {
	const struct call_item *items = walk->calls->items;
	struct call_link *links = walk->calls->links;
	size_t n = 0;
	for (uint32_t call = links[caller].child; call != 0; call = links[call].next) {
		*MEM_APPEND(walk->keys, n, walk->keys_capacity) =
			(uint64_t)items[call].name << 32 | call;
	}
	tree_sort_keys(walk->keys, n);
	uint32_t last = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t call = (uint32_t)walk->keys[i];
		if (i > 0 && items[last].name == items[call].name) {
			tree_join_calls(walk, last, call);
			continue;
		}
		*(i == 0 ? &links[caller].child : &links[last].next) = call;
		links[call].next = 0;
		last = call;
	}
}

/** Return the width of a frame: the larger of its later count and its scaled earlier count. */
static uint64_t tree_wider(const struct tree_walk *walk, struct change counts) {
	double before = round(walk->scale * (double)counts.before);
	uint64_t scaled = walk->scale == 1  ? counts.before
			  : before < 0x1p64 ? (uint64_t)before
					    : UINT64_MAX;
	return (scaled > counts.after ? scaled : counts.after) >> walk->narrower;
}

/** Store the change of a frame's count. If a stack ends in the frame, decide `is_known` of this
 * frame and of its undecided callers: those for which this is the first stack that passes through
 * them. */
static void tree_add_delta(struct tree_walk *walk, size_t frame, const struct call_item *item,
			   uint64_t before) {
	struct tree_delta *deltas = walk->tree->deltas;
	walk->undecided++;
	for (; item->is_stack && walk->undecided > 0; walk->undecided--) {
		// Each undecided frame calls the next frame, and a stack ends in the last of these
		// frames.
		deltas[frame + 1 - walk->undecided].is_known = item->two_counts;
	}
	if (item->two_counts) {
		tree_set_delta(walk->tree, frame, item->count, before);
	}
}

/** Store the change of a call's frame, and update `levels`. */
static void tree_note_frame(struct tree_walk *walk, uint32_t call, size_t frame) {
	struct tree *tree = walk->tree;
	const struct call_item *item = &walk->calls->items[call];
	tree->levels = item->depth >= tree->levels ? item->depth + (size_t)1 : tree->levels;
	if (tree->deltas != NULL) {
		tree_add_delta(walk, frame, item, calls_before(walk->calls, call));
	}
	if (tree->changes != NULL) {
		struct change counts = {calls_before(walk->calls, call), item->count};
		tree->changes[frame] = (struct tree_change){counts, counts};
	}
}

static void tree_add_frame(struct tree_walk *walk, uint32_t call) {
	struct tree *tree = walk->tree;
	tree_note_frame(walk, call, tree->n);
	if (walk->places != NULL) {
		walk->places[call] = (uint32_t)tree->n;
	}
	tree->made[tree->n] = walk->calls->items[call];
	if (tree->changes != NULL) {
		tree->made[tree->n].count = tree_wider(walk, tree->changes[tree->n].self);
	}
	tree->n++;
}

/** Return the next call in preorder, or 0 after the last call. */
static uint32_t tree_next_call(const struct call_link *links, uint32_t call) {
	if (links[call].child != 0) {
		return links[call].child;
	}
	while (links[call].next == 0 && call != 0) {
		call = links[call].parent;
	}
	return links[call].next;
}

/** Add the frames of calls that are not in preorder yet. */
static void tree_add_linked_frames(struct tree_walk *walk) {
	const struct call_link *links = walk->calls->links;
	uint32_t call = 0;
	do {
		if (links[call].mixed) {
			tree_sort_calls(walk, call);
		}
		tree_add_frame(walk, call);
		call = tree_next_call(links, call);
	} while (call != 0);
	free(walk->keys);
}

/** Compute the total of every frame. */
static void tree_add_called(struct tree *tree) {
	uint64_t *called = mem_new(tree->levels + 1, sizeof(*called)); // totals of the callees, for
								       // each depth
	tree->totals = mem_grow(NULL, &tree->totals_capacity, tree->n, sizeof(*tree->totals));
	for (size_t i = tree->n; i-- > 0;) {
		const struct call_item *frame = &tree->frames[i];
		tree->totals[i] = frame->count + called[frame->depth + 1];
		called[frame->depth + 1] = 0;
		called[frame->depth] += tree->totals[i];
	}
	free(called);
}

/** Compute both totals of every frame, for two profiles. */
static void tree_add_called_changes(struct tree *tree) {
	struct change *called = mem_new(tree->levels + 1, sizeof(*called)); // totals of the
									    // callees, for each
									    // depth
	for (size_t i = tree->n; i-- > 0;) {
		struct change *total = &tree->changes[i].total;
		uint32_t depth = tree->frames[i].depth;
		total->before += called[depth + 1].before;
		total->after += called[depth + 1].after;
		called[depth + 1] = (struct change){0};
		called[depth].before += total->before;
		called[depth].after += total->after;
	}
	free(called);
}

/** Find the frame in which each stack ends. If the frames are the calls themselves, a frame has the
 * index of its call. */
static void tree_find_ends(struct tree_walk *walk) {
	struct tree *tree = walk->tree;
	const struct calls *calls = walk->calls;
	if (calls->ends == NULL) {
		return;
	}
	for (size_t i = 0; i < walk->joined.n && walk->places != NULL; i += 2) {
		walk->places[walk->joined.items[i]] = walk->places[walk->joined.items[i + 1]];
	}
	tree->ends_n = calls->ends_n;
	tree->ends = mem_new(tree->ends_n, sizeof(*tree->ends));
	for (size_t i = 0; i < tree->ends_n; i++) {
		uint32_t call = calls->ends[i];
		tree->ends[i] =
			call == CALLS_NONE || walk->places == NULL ? call : walk->places[call];
	}
}

/** Build the frames. */
static void tree_build_from_calls(struct tree_walk *walk) {
	struct tree *tree = walk->tree;
	const struct calls *calls = walk->calls;
	tree->gapless = true;
	if (calls->links != NULL || tree->changes != NULL) {
		tree->made = mem_grow(NULL, &tree->capacity, calls->n, sizeof(*tree->made));
		tree->frames = tree->made;
		walk->places =
			calls->ends == NULL ? NULL : mem_new(calls->n, sizeof(*walk->places));
		if (calls->links != NULL) {
			tree_add_linked_frames(walk);
		}
		for (size_t i = 0; calls->links == NULL && i < calls->n; i++) {
			tree_add_frame(walk, (uint32_t)i);
		}
	} else {
		tree->frames = calls->items;
		tree->n = calls->n;
		for (size_t i = 0; i < calls->n; i++) {
			tree_note_frame(walk, (uint32_t)i, i);
		}
	}
	tree_add_called(tree);
	if (tree->changes != NULL) {
		tree_add_called_changes(tree);
	}
	tree_find_ends(walk);
	free(walk->places);
	ids_release(&walk->joined);
}

void tree_build(struct tree *tree, struct profile *profile, uint64_t total) {
	tree->largest_delta = 1;
	if (profile->calls.n == 0) {
		tree_build_from_rows(tree, profile, total);
		return;
	}
	if (profile->calls.two_counts) {
		tree->deltas = mem_new(profile->calls.n, sizeof(*tree->deltas));
	}
	tree_build_from_calls(&(struct tree_walk){.tree = tree, .calls = &profile->calls});
	tree->gapless = tree->totals[0] == total;
	tree->totals[0] = total;
}

void tree_compare(struct tree *tree, struct profile *profile, const struct scale *scale) {
	const struct change *totals = &scale->totals;
	// The width of a frame is at most the sum of both profiles, plus rounding errors.
	double widest = scale->factor * (double)totals->before + (double)totals->after;
	tree->largest_delta = 1;
	if (profile->calls.n > 0) { // without calls there are no frames
		size_t room = 0;    // use mem_grow(), because mem_new() would write zeros first
		tree->changes = mem_grow(NULL, &room, profile->calls.n, sizeof(*tree->changes));
		tree_build_from_calls(&(struct tree_walk){.tree = tree,
							  .calls = &profile->calls,
							  .scale = scale->factor,
							  .narrower = widest < 0x1p63 ? 0 : 2});
	}
}

void tree_count_column(struct tree *tree, const struct tree *from,
		       const struct value_column *column) {
	uint64_t *callees = mem_new((size_t)from->levels + 1, sizeof(*callees)); // totals of the
										 // callees, for
										 // each depth
	*tree = (struct tree){.n = from->n, .levels = from->levels};
	tree->made = mem_new(from->n, sizeof(*tree->made));
	tree->totals = mem_new(from->n, sizeof(*tree->totals));
	for (size_t i = 0; i < from->n; i++) {
		tree->made[i] = from->frames[i];
		tree->made[i].count = 0;
	}
	for (size_t s = 0; s < column->n && s < from->ends_n; s++) {
		if (from->ends[s] != CALLS_NONE) {
			tree->made[from->ends[s]].count += column->counts[s];
		}
	}
	for (size_t i = from->n; i-- > 0;) {
		size_t depth = from->frames[i].depth;
		tree->totals[i] = tree->made[i].count + callees[depth + 1];
		callees[depth + 1] = 0;
		callees[depth] += tree->totals[i];
	}
	tree->frames = tree->made;
	free(callees);
}

void tree_release(struct tree *tree) {
	free(tree->made);
	free(tree->totals);
	free(tree->starts);
	free(tree->deltas);
	free(tree->changes);
	free(tree->ends);
	*tree = (struct tree){0};
}
