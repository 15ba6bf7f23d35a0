/* Frames on their way from a line to a stack. */
#include "collapse/frames.h"

#include <stdlib.h>

#include "collapse/frame_text.h"

frames frames_of_name(struct profile *profile, struct str name, struct buf *text) {
	name = frame_text(text, name);
	return name.n == 0 ? FRAMES_NONE : FRAMES_FIRST + profile_frame(profile, name);
}

size_t frame_lists_open(struct ids *lists) {
	ids_push(lists, 0);
	return lists->n - 1;
}

frames frame_lists_close(struct ids *lists, size_t start) {
	size_t n = lists->n - start - 1;
	if (n == 1) {
		uint32_t id = lists->items[start + 1];
		lists->n = start;
		return FRAMES_FIRST + id;
	}
	lists->items[start] = (uint32_t)n;
	return FRAMES_LIST | (uint32_t)start;
}

size_t memo_step_slow(struct memo *memo, struct str text) {
	size_t n = str_find(text, '\n');
	if (n == STR_NONE || n == 0 || !is_graphic(text.p[n - 1])) {
		return 0;
	}
	struct intern_key *line = intern_find(&memo->lines, text.p, n);
	if (line == NULL) {
		return 0;
	}
	memo_step_to(memo, line);
	return n + 1;
}

frames memo_find(const struct memo *memo, struct str line, size_t which) {
	const struct intern_key *key = intern_find(&memo->lines, line.p, line.n);
	return key == NULL ? 0 : memo->meanings[key->id].what[which];
}

void memo_add(struct memo *memo, struct str line, size_t which, frames what) {
	struct intern_key *key = intern_get(&memo->lines, line.p, line.n);
	size_t before = memo->meanings_capacity;
	memo->meanings = mem_grow(memo->meanings, &memo->meanings_capacity, memo->lines.count,
				  sizeof(*memo->meanings));
	if (memo->meanings_capacity > before) {
		memset(memo->meanings + before, 0,
		       (memo->meanings_capacity - before) * sizeof(*memo->meanings));
	}
	memo->meanings[key->id].what[which] = what;
	memo_step_to(memo, key);
}

void memo_release(struct memo *memo) {
	intern_release(&memo->lines);
	free(memo->meanings);
	*memo = (struct memo){0};
}

void stack_make_room(struct stack *stack) {
	size_t depth = stack_depth(stack),
	       capacity = mem_times(stack->capacity < 128 ? 128 : stack->capacity, 2);
	uint32_t *ids = mem_new(capacity, sizeof(*ids));
	if (depth > 0) {
		memcpy(ids + capacity - depth, stack_ids(stack), depth * sizeof(*ids));
	}
	free(stack->ids);
	*stack = (struct stack){ids, capacity - depth, capacity};
}

void stack_release(struct stack *stack) {
	free(stack->ids);
	*stack = (struct stack){0};
}
