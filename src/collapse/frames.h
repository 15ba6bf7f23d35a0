/**
 * Frames on their way from a line to a stack, for formats that print the leaf first.
 *
 * What a line means is often one frame and sometimes several (inlined functions), so it is kept as
 * one number: the frame's id, or where a list of ids stands. Such a number fits in half of a memo's
 * value.
 */
#ifndef INFERNO_FRAMES_H
#define INFERNO_FRAMES_H

#include "base/buf.h"
#include "profile/stacks.h"

/** One id or a list of ids; 0 is neither. */
typedef uint32_t frames;

#define FRAMES_LIST UINT32_C(0x80000000)
#define FRAMES_MARK UINT32_C(0x40000000) // a bit that a format may set for a purpose of its own
enum { FRAMES_FIRST = 8 }; // numbers below it are the format's own: a line that means no frame

/*
 * Lists of ids stand one after the other in a row: a length, then that many ids, root first.
 */

/** Opens a list and returns where it stands; ids_push() adds to it. One is open at a time. */
size_t frame_lists_open(struct ids *lists);

/** Closes the list that was opened at `start`. A list of one id is not kept. */
frames frame_lists_close(struct ids *lists, size_t start);

/** The stack that is being read, filled from the end: ids[top .. capacity), root first in the end.
 */
struct stack {
	uint32_t *ids;
	size_t top, capacity;
};

void stack_make_room(struct stack *stack);

/** Adds a frame above, that is nearer the root than, all others. */
static inline void stack_push(struct stack *stack, uint32_t id) {
	if (stack->top == 0) {
		stack_make_room(stack);
	}
	stack->ids[--stack->top] = id;
}

static inline void stack_push_frames(struct stack *stack, const struct ids *lists, frames what) {
	what &= ~FRAMES_MARK;
	if ((what & FRAMES_LIST) == 0) {
		stack_push(stack, what - FRAMES_FIRST);
		return;
	}
	const uint32_t *list = lists->items + (what & ~FRAMES_LIST);
	for (size_t i = *list; i > 0; i--) {
		stack_push(stack, list[i]);
	}
}

static inline size_t stack_depth(const struct stack *stack) {
	return stack->capacity - stack->top;
}

/** The ids, root first. */
static inline uint32_t *stack_ids(const struct stack *stack) {
	return stack->ids + stack->top;
}

static inline void stack_clear(struct stack *stack) {
	stack->top = stack->capacity;
}

void stack_release(struct stack *stack);

/** Frames by the text that a profile has for them. A zeroed one is empty. */
struct names {
	struct intern memo;
	struct buf text;
};

/** The id of the frame, cleaned by frame_text(). */
uint32_t names_frame(struct names *names, struct stacks *stacks, struct str text);

void names_release(struct names *names);

#endif
