/* Sorted stacks to frames. */
#include "profile/tree.h"

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

/** Adds a frame that begins here, under those that are open. */
static struct tree_frame *open_frame(struct builder *builder, uint32_t name) {
	struct tree *tree = builder->tree;
	tree->frames = mem_grow(tree->frames, &tree->capacity, tree->n + 1, sizeof(*tree->frames));
	builder->path = mem_grow(builder->path, &builder->path_capacity, builder->open + 1,
				 sizeof(*builder->path));
	builder->path[builder->open] = tree->n;
	struct tree_frame *frame = &tree->frames[tree->n++];
	*frame = (struct tree_frame){
		.start = builder->now,
		.name = name,
		.depth = (uint32_t)builder->open++,
	};
	return frame;
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

/** Notes in the frame that a stack opened last how its count changed. */
static void set_delta(struct tree *tree, struct tree_frame *leaf, const struct stack_row *row) {
	leaf->shrank = row->count < row->before;
	leaf->delta = leaf->shrank ? row->before - row->count : row->count - row->before;
	if (leaf->delta > tree->largest_delta) {
		tree->largest_delta = leaf->delta;
	}
}

/** Opens the frames of a row that are not open. */
static void open_row(struct builder *builder, const struct stack_row *row) {
	while (builder->open <= row->depth) {
		bool is_leaf = builder->open == row->depth;
		struct tree_frame *frame =
			open_frame(builder, builder->open == 0 ? 0 : row->ids[builder->open - 1]);
		frame->has_delta = row->two_counts;
		if (is_leaf && row->two_counts) {
			set_delta(builder->tree, frame, row);
		}
	}
}

void tree_build(struct tree *tree, const struct stacks *stacks, uint64_t total) {
	struct builder builder = {.tree = tree};
	struct stack_row before = {0};
	tree->largest_delta = 1;
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

void tree_release(struct tree *tree) {
	free(tree->frames);
	*tree = (struct tree){0};
}
