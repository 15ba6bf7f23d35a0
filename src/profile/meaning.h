/**
 * Keep the meaning of a line or an address of the input: the frames for which the line or address
 * stands. Push these frames onto a stack. Use this file for input in which the leaf of a stack
 * comes first.
 *
 * Most lines stand for one frame. A line with inlined functions stands for several frames: then a
 * list holds their ids.
 */
#pragma once

#include "profile/profile.h"

/** Kinds of meanings. */
enum {
	MEANS_UNKNOWN, // nothing: the line is new
	MEANS_NOTHING, // no frame
	MEANS_FRAME,   // one frame: `id`
	MEANS_FRAMES,  // several frames; `id` is the index of their list
	MEANS_OTHER,   // the first number for kinds that a format defines itself
};

/** The meaning of a line: the frames that the line stands for. A zeroed meaning is the meaning of a
 * new line. */
struct meaning {
	uint16_t kind;
	uint16_t mark; // for the format's own use; 0 for ordinary lines
	uint32_t id;
};

static inline struct meaning meaning_frame(uint32_t id) {
	return (struct meaning){.kind = MEANS_FRAME, .id = id};
}

/* Several lists of ids in one array. Each list consists of its length and its ids, root first. */

/** Open a list, and return its start. Add ids with ids_push(). Close a list before opening the next
 * one in the same array. */
size_t frame_lists_open(struct ids *lists);

/** Close the list that starts at `start`. Return the meaning of a line with these frames. If the
 * list has only one id, remove the list and return a meaning with the id itself. */
struct meaning frame_lists_close(struct ids *lists, size_t start);

/** The stack that is being read. The array is filled from its end, because the leaf comes first:
 * the ids from `top` on are the stack, root first. */
struct stack {
	uint32_t *ids;
	size_t top, capacity;
};

void stack_make_room(struct stack *stack);

/** Push a frame: the caller of the frame that was pushed last. */
static inline void stack_push(struct stack *stack, uint32_t id) {
	if (stack->top == 0) {
		stack_make_room(stack);
	}
	stack->ids[--stack->top] = id;
}

/** Push the frames of a line. `lists` may be NULL if the kind is never MEANS_FRAMES. Return false
 * if the line does not stand for frames. */
static inline bool stack_push_meaning(struct stack *stack, const struct ids *lists,
				      struct meaning meaning) {
	if (meaning.kind == MEANS_FRAME) {
		stack_push(stack, meaning.id);
		return true;
	}
	if (meaning.kind == MEANS_FRAMES) {
		const uint32_t *list = lists->items + meaning.id;
		for (size_t i = *list; i > 0; i--) {
			stack_push(stack, list[i]);
		}
	}
	return meaning.kind == MEANS_FRAMES;
}

static inline size_t stack_depth(const struct stack *stack) {
	return stack->capacity - stack->top;
}

/** Return the ids, root first. */
static inline uint32_t *stack_ids(const struct stack *stack) {
	return stack->ids == NULL ? NULL : stack->ids + stack->top;
}

static inline void stack_clear(struct stack *stack) {
	stack->top = stack->capacity;
}

/** Add the stack to a profile, and empty the stack. */
static inline void stack_count(struct stack *stack, struct profile *profile, uint64_t count) {
	profile_add(profile, stack_ids(stack), stack_depth(stack), count);
	stack_clear(stack);
}

void stack_release(struct stack *stack);
