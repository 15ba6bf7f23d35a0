/* Keep the frames that a line or an address of the input stands for, and the stack onto which they
 * are pushed. */
#include "profile/meaning.h"

#include <stdlib.h>

size_t frame_lists_open(struct ids *lists) {
	ids_push(lists, 0);
	return lists->n - 1;
}

struct meaning frame_lists_close(struct ids *lists, size_t start) {
	size_t n = lists->n - start - 1;
	if (n == 1) {
		uint32_t id = lists->items[start + 1];
		lists->n = start;
		return meaning_frame(id);
	}
	if (lists->n > UINT32_MAX) {
		inferno_out_of_memory(); // all numbers for lists are used
	}
	lists->items[start] = (uint32_t)n;
	return (struct meaning){.kind = MEANS_FRAMES, .id = (uint32_t)start};
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
