/* Calls, or rows in order of arrival, to frames. */
#include "profile/tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"

/** What is open while the rows go by: frames[path[0]] is the root, frames[path[open - 1]] the
 * deepest. */
struct builder {
	struct tree *tree;
	uint64_t now; // counts so far
	size_t *path;
	size_t open, path_capacity;
};

/** Adds a frame that begins here, under those that are open. Returns its number. */
static size_t open_frame(struct builder *builder, uint32_t name) {
	struct tree *tree = builder->tree;
	tree->frames = mem_grow(tree->frames, &tree->capacity, tree->n + 1, sizeof(*tree->frames));
	builder->path = mem_grow(builder->path, &builder->path_capacity, builder->open + 1,
				 sizeof(*builder->path));
	builder->path[builder->open] = tree->n;
	tree->frames[tree->n] = (struct tree_frame){
		.start = builder->now,
		.name = name,
		.depth = (uint32_t)builder->open++,
	};
	return tree->n++;
}

/** Ends the deepest frames here until `open` are left. */
static void close_frames(struct builder *builder, size_t open) {
	struct tree *tree = builder->tree;
	while (builder->open > open) {
		struct tree_frame *frame = &tree->frames[builder->path[--builder->open]];
		frame->total = builder->now - frame->start;
	}
}

/** How many open frames a row shares with the one before it; the root is one of them. */
static size_t shared_frames(const struct stack_row *before, const struct stack_row *row) {
	size_t least = before->depth < row->depth ? before->depth : row->depth, d = 0;
	while (d < least && before->ids[d] == row->ids[d]) {
		d++;
	}
	return d + 1;
}

static bool same_stack(const struct stack_row *a, const struct stack_row *b) {
	return a->depth == b->depth &&
	       (a->depth == 0 || memcmp(a->ids, b->ids, a->depth * sizeof(*a->ids)) == 0);
}

/** The sum of the rows at `*at` that have one stack; moves `*at` behind them. All counts together
 * fit into 64 bits. */
static struct stack_row take_stack(const struct stacks *stacks, size_t *at) {
	struct stack_row sum = stacks->rows[*at];
	for (++*at; *at < stacks->rows_n && same_stack(&sum, &stacks->rows[*at]); ++*at) {
		const struct stack_row *row = &stacks->rows[*at];
		sum.count += row->count;
		sum.two_counts |= row->two_counts;
		if (!num_add(sum.before, row->before, &sum.before)) {
			sum.before = UINT64_MAX;
		}
	}
	return sum;
}

/** Notes how the count of a stack's last frame changed. */
static void set_delta(struct tree *tree, size_t leaf, const struct stack_row *row) {
	struct tree_delta *delta = &tree->deltas[leaf];
	delta->shrank = row->count < row->before;
	delta->value = delta->shrank ? row->before - row->count : row->count - row->before;
	if (delta->value > tree->largest_delta) {
		tree->largest_delta = delta->value;
	}
}

/** Opens the frames of a row that are not open. */
static void open_row(struct builder *builder, const struct stack_row *row) {
	struct tree *tree = builder->tree;
	while (builder->open <= row->depth) {
		bool is_leaf = builder->open == row->depth;
		size_t frame =
			open_frame(builder, builder->open == 0 ? 0 : row->ids[builder->open - 1]);
		tree->deltas = mem_grow(tree->deltas, &tree->deltas_capacity, tree->n,
					sizeof(*tree->deltas));
		tree->deltas[frame] = (struct tree_delta){.is_known = row->two_counts};
		if (is_leaf && row->two_counts) {
			set_delta(tree, frame, row);
		}
	}
}

/** The frames of a flame chart: rows side by side in the order that they have. */
static void build_from_rows(struct tree *tree, const struct stacks *stacks, uint64_t total) {
	struct builder builder = {.tree = tree};
	struct stack_row before = {0};
	for (size_t at = 0; at < stacks->rows_n;) {
		struct stack_row row = take_stack(stacks, &at);
		close_frames(&builder, shared_frames(&before, &row));
		open_row(&builder, &row);
		builder.now += row.count;
		before = row;
	}
	close_frames(&builder, 1);
	builder.now = total;
	close_frames(&builder, 0);
	free(builder.path);
}

/*
 * Calls to frames. By and large the calls of one caller came in the order of their names; where
 * they did not, their list is sorted. Calls of one name then stand side by side, and are one frame.
 */

/** A frame that is open, and the first of its calls that are still to be opened; 0: none. */
struct level {
	size_t frame;
	uint32_t call;
};

struct walk {
	struct tree *tree;
	const struct calls *calls;
	struct call_item *items; // its
	uint64_t now;            // counts so far
	double scale;            // if two profiles are compared: of counts before,
	struct change so_far;    // and what they counted so far
	struct level *path;
	size_t open, path_capacity;
	bool is_plain;    // only widths are wanted
	bool fits;        // all counts together do into 64 bits
	size_t undecided; // open frames that no stack has ended in or above yet
	uint64_t *keys;   // to sort a list
	size_t keys_n, keys_capacity;
};

static int compare_keys(const void *a, const void *b) {
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/** Puts the calls of a list among those to be sorted. */
static void add_keys(struct walk *walk, uint32_t list) {
	for (uint32_t call = list; call != 0; call = walk->items[call].next) {
		walk->keys = mem_grow(walk->keys, &walk->keys_capacity, walk->keys_n + 1,
				      sizeof(*walk->keys));
		walk->keys[walk->keys_n++] = (uint64_t)walk->items[call].name << 32 | call;
	}
}

/** Sorts what was put there, and links it. Returns the first. */
static uint32_t link_keys(struct walk *walk) {
	uint32_t list = 0;
	if (walk->keys_n > 0) {
		qsort(walk->keys, walk->keys_n, sizeof(*walk->keys), compare_keys);
	}
	for (size_t i = walk->keys_n; i-- > 0;) {
		uint32_t call = (uint32_t)walk->keys[i];
		walk->items[call].next = list;
		list = call;
	}
	return list;
}

/** What the calls from `call` to before `end`, which are one frame, call: as one sorted list. */
static uint32_t calls_of(struct walk *walk, uint32_t call, uint32_t end) {
	if (walk->items[call].next == end && !walk->items[call].mixed) {
		return walk->items[call].child;
	}
	walk->keys_n = 0;
	do {
		add_keys(walk, walk->items[call].child);
		call = walk->items[call].next;
	} while (call != end);
	return link_keys(walk);
}

/** The sum of the stacks that end in the calls from `call` to before `end`. Returns whether there
 * is one. */
static bool sum_stacks(const struct walk *walk, uint32_t call, uint32_t end,
		       struct stack_row *sum) {
	bool is_stack = false;
	*sum = (struct stack_row){0};
	do {
		const struct call_item *item = &walk->items[call];
		is_stack |= item->is_stack;
		sum->count += item->count; // all counts together fit into 64 bits
		sum->two_counts |= item->two_counts;
		if (!num_add(sum->before, calls_before(walk->calls, call), &sum->before)) {
			sum->before = UINT64_MAX;
		}
		call = item->next;
	} while (call != end);
	return is_stack;
}

/** Notes that the first stack of the frames that wait for one has two counts, or one. */
static void decide(struct walk *walk, bool two_counts) {
	for (; walk->undecided > 0; walk->undecided--) {
		size_t frame = walk->path[walk->open - walk->undecided].frame;
		walk->tree->deltas[frame].is_known = two_counts;
	}
}

/** The larger of two counts that are compared. */
static uint64_t wider(const struct walk *walk, const struct stack_row *sum) {
	double before = round(walk->scale * (double)sum->before);
	uint64_t scaled = walk->scale == 1  ? sum->before
			  : before < 0x1p64 ? (uint64_t)before
					    : UINT64_MAX;
	return scaled > sum->count ? scaled : sum->count;
}

/** Notes what a frame counts that opens here, and how wide that is. */
static uint64_t open_change(struct walk *walk, size_t frame, const struct stack_row *sum,
			    bool is_stack) {
	struct tree_change *change = &walk->tree->changes[frame];
	change->own = (struct change){sum->before, sum->count};
	change->is_stack = is_stack;
	change->all = walk->so_far; // where it starts, until it ends
	walk->so_far.before += sum->before;
	walk->so_far.after += sum->count;
	return wider(walk, sum);
}

static void close_change(const struct walk *walk, size_t frame) {
	struct change *all = &walk->tree->changes[frame].all;
	all->before = walk->so_far.before - all->before;
	all->after = walk->so_far.after - all->after;
}

/** Notes what else than its width is known of a frame that opens. Returns its own width. */
static uint64_t open_details(struct walk *walk, size_t frame, uint32_t call, uint32_t end) {
	struct tree *tree = walk->tree;
	struct stack_row sum;
	bool is_stack = sum_stacks(walk, call, end, &sum);
	if (tree->deltas != NULL) {
		walk->undecided++;
		if (is_stack) {
			decide(walk, sum.two_counts);
		}
		if (sum.two_counts) {
			set_delta(tree, frame, &sum);
		}
	}
	return tree->changes == NULL ? sum.count : open_change(walk, frame, &sum, is_stack);
}

/** Opens a frame for the calls from `call` to before `end`. */
static void open_calls(struct walk *walk, uint32_t call, uint32_t end) {
	struct tree *tree = walk->tree;
	const struct call_item *item = &walk->items[call];
	size_t frame = tree->n++;
	tree->frames[frame] = (struct tree_frame){
		.start = walk->now,
		.name = item->name,
		.depth = item->depth,
	};
	walk->path =
		mem_grow(walk->path, &walk->path_capacity, walk->open + 1, sizeof(*walk->path));
	walk->path[walk->open++] = (struct level){frame, calls_of(walk, call, end)};
	bool is_plain = item->next == end && walk->is_plain;
	uint64_t width = is_plain ? item->count : open_details(walk, frame, call, end);
	walk->fits &= num_add(walk->now, width, &walk->now);
}

/** Where the calls end that are one frame with `call`. */
static uint32_t end_of_name(const struct walk *walk, uint32_t call) {
	uint32_t end = walk->items[call].next;
	while (end != 0 && walk->items[end].name == walk->items[call].name) {
		end = walk->items[end].next;
	}
	return end;
}

/** Makes the frames. Returns whether the widths fit into 64 bits. */
static bool build_from_calls(struct tree *tree, struct calls *calls, double scale) {
	struct walk walk = {
		.tree = tree, .calls = calls, .items = calls->items, .scale = scale, .fits = true};
	walk.is_plain = tree->deltas == NULL && tree->changes == NULL;
	tree->frames = mem_new(calls->n, sizeof(*tree->frames));
	tree->gapless = true;
	open_calls(&walk, 0, 0);
	while (walk.open > 0) {
		struct level *level = &walk.path[walk.open - 1];
		uint32_t call = level->call;
		if (call != 0) {
			level->call = end_of_name(&walk, call);
			open_calls(&walk, call, level->call);
			continue;
		}
		struct tree_frame *frame = &tree->frames[level->frame];
		walk.open--;
		frame->total = walk.now - frame->start;
		if (tree->changes != NULL) {
			close_change(&walk, level->frame);
		}
	}
	free(walk.path);
	free(walk.keys);
	return walk.fits;
}

void tree_build(struct tree *tree, struct stacks *stacks, uint64_t total) {
	tree->largest_delta = 1;
	if (stacks->calls.n == 0) {
		build_from_rows(tree, stacks, total);
		return;
	}
	if (stacks->calls.two_counts) {
		tree->deltas = mem_new(stacks->calls.n, sizeof(*tree->deltas));
	}
	build_from_calls(tree, &stacks->calls, 1);
	tree->gapless = tree->frames[0].total == total;
	tree->frames[0].total = total;
}

bool tree_compare(struct tree *tree, struct stacks *stacks, double scale) {
	tree->largest_delta = 1;
	if (stacks->calls.n == 0) {
		return true; // no stacks, no frames
	}
	tree->changes = mem_new(stacks->calls.n, sizeof(*tree->changes));
	return build_from_calls(tree, &stacks->calls, scale);
}

void tree_release(struct tree *tree) {
	free(tree->frames);
	free(tree->deltas);
	free(tree->changes);
	*tree = (struct tree){0};
}
