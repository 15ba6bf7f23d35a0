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
#include "profile/profile.h"

/** One id or a list of ids; 0 is neither. */
typedef uint32_t frames;

#define FRAMES_LIST UINT32_C(0x80000000)
#define FRAMES_MARK UINT32_C(0x40000000) // a bit that a format may set for a purpose of its own
enum {
	FRAMES_NONE = 1,  // of a line whose frame has no name
	FRAMES_FIRST = 8, // other numbers below it are the format's own: a line that means no frame
};

/** What a line means whose frame has this name, in the words of frame_text(), which puts them into
 * `text`. */
frames frames_of_name(struct profile *profile, struct str name, struct buf *text);

/*
 * Lists of ids stand one after the other in a row: a length, then that many ids, root first.
 */

/** Open a list and returns where it stands; ids_push() adds to it. One is open at a time. */
size_t frame_lists_open(struct ids *lists);

/** Close the list that was opened at `start`. A list of one id is not kept. */
frames frame_lists_close(struct ids *lists, size_t start);

/**
 * What lines meant when they were met first. A line is mostly followed by the one that followed it
 * last time, so that one is tried before any other is looked for. A zeroed memo is an empty one.
 */
struct memo {
	struct intern lines;       // without line ends; linked to the line that followed
	struct meanings *meanings; // by the line's id
	size_t meanings_capacity;
	struct intern_key *start; // the line that came first last time; may be NULL
	struct intern_key *last;  // the line that was met last; NULL: one comes first
};

/** A line may have one of two meanings; 0: not known yet. */
struct meanings {
	frames what[2];
};

/** Say that the next line is the first one of a stack. */
static inline void memo_start(struct memo *memo) {
	memo->last = NULL;
}

/** The line that followed last time the one that was met last; NULL if none did. */
static inline struct intern_key *memo_guess(const struct memo *memo) {
	return memo->last == NULL ? memo->start : memo->last->link;
}

/** Make a line the one met last. */
static inline void memo_step_to(struct memo *memo, struct intern_key *line) {
	*(memo->last == NULL ? &memo->start : &memo->last->link) = line;
	memo->last = line;
}

size_t memo_step_slow(struct memo *memo, struct str text);

/** Make the line at the start of `text` the one met last. Return its length with its line end; 0
 * if the line is not known, ends in a blank or such, or has no line end. */
static inline size_t memo_step(struct memo *memo, struct str text) {
	struct intern_key *guess = memo_guess(memo);
	if (guess != NULL && guess->len < text.n && text.p[guess->len] == '\n' &&
	    memcmp(text.p, guess->bytes, guess->len) == 0) {
		memo->last = guess;
		return (size_t)guess->len + 1;
	}
	return memo_step_slow(memo, text);
}

/** One of the meanings of the line that was met last. */
static inline frames memo_meaning(const struct memo *memo, size_t which) {
	return memo->meanings[memo->last->id].what[which];
}

/** One of the meanings of a line, 0 if it is not known. */
frames memo_find(const struct memo *memo, struct str line, size_t which);

void memo_add(struct memo *memo, struct str line, size_t which, frames what);

void memo_release(struct memo *memo);

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

/** Add the frame of frames_of_name(), if there is one. */
static inline void stack_push_named(struct stack *stack, frames what) {
	what &= ~FRAMES_MARK;
	if (what != FRAMES_NONE) {
		stack_push(stack, what - FRAMES_FIRST);
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

#endif
