/**
 * Frames on their way from a line to a stack, for formats that print the leaf first.
 *
 * A line mostly means one frame and sometimes several (inlined functions), whose ids stand in a
 * list then.
 */
#ifndef INFERNO_FRAMES_H
#define INFERNO_FRAMES_H

#include "base/buf.h"
#include "profile/profile.h"

/** Kinds of what a line means. */
enum {
	MEANS_UNKNOWN, // it was not met before
	MEANS_NOTHING, // no frame
	MEANS_FRAME,   // the frame `id`
	MEANS_FRAMES,  // frames; their list stands at `id`
	MEANS_OTHER,   // what the format says, from here on
};

/** What a line means. Zeroed, it is not known. */
struct meaning {
	uint16_t kind;
	uint16_t mark; // for a purpose of the format's own; 0 for ordinary lines
	uint32_t id;
};

static inline struct meaning meaning_frame(uint32_t id) {
	return (struct meaning){.kind = MEANS_FRAME, .id = id};
}

/** Return what a line means whose frame has this name: MEANS_FRAME, or MEANS_NOTHING without a
 * name. It is put in the words of frame_text() into `text`. */
struct meaning meaning_of_name(struct profile *profile, struct str name, struct buf *text);

/*
 * Lists of ids stand one after the other in a row: a length, then that many ids, root first.
 */

/** Open a list and return where it stands; ids_push() adds to it. One is open at a time. */
size_t frame_lists_open(struct ids *lists);

/** Close the list that was opened at `start`, and return what a line means that has these frames. A
 * list of one id is not kept. */
struct meaning frame_lists_close(struct ids *lists, size_t start);

/** The stack that is being read, filled from the end: ids[top .. capacity), root first in the end.
 */
struct stack {
	uint32_t *ids;
	size_t top, capacity;
};

void stack_make_room(struct stack *stack);

/** Add a frame above, that is nearer the root than, all others. */
static inline void stack_push(struct stack *stack, uint32_t id) {
	if (stack->top == 0) {
		stack_make_room(stack);
	}
	stack->ids[--stack->top] = id;
}

/** Add the frames of a line. Without MEANS_FRAMES `lists` may be NULL. Return false if the line
 * does not mean frames. */
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

/** The ids, root first. */
static inline uint32_t *stack_ids(const struct stack *stack) {
	return stack->ids == NULL ? NULL : stack->ids + stack->top;
}

static inline void stack_clear(struct stack *stack) {
	stack->top = stack->capacity;
}

void stack_release(struct stack *stack);

#endif
