/**
 * What lines mean that were met before, so that each distinct line is parsed once.
 *
 * A line is mostly followed by the line that followed it last time, so that one is tried before any
 * other is looked up.
 */
#ifndef INFERNO_MEMO_H
#define INFERNO_MEMO_H

#include "collapse/frames.h"

/** A line may have one of two meanings, by something outside of it that the format knows. */
struct meanings {
	struct meaning what[2];
};

/** A zeroed memo is an empty one. */
struct memo {
	struct intern lines;       // without line ends; linked to the line that followed
	struct meanings *meanings; // by the line's id
	size_t meanings_capacity;
	struct intern_key *start; // the line that came first last time; may be NULL
	struct intern_key *last;  // the line that was met last; NULL: one comes first
};

/** Say that the next line is the first one of a stack. */
static inline void memo_start(struct memo *memo) {
	memo->last = NULL;
}

/** Return the line that followed last time the one that was met last; NULL if none did. */
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

/** Return one of the meanings of the line that was met last. */
static inline struct meaning memo_meaning(const struct memo *memo, size_t which) {
	return memo->meanings[memo->last->id].what[which];
}

/** Return one of the meanings of a line, and make it the one met last if that is known. */
struct meaning memo_find(struct memo *memo, struct str line, size_t which);

/** Remember one of the meanings of a line, and make it the one met last. */
void memo_add(struct memo *memo, struct str line, size_t which, struct meaning meaning);

void memo_release(struct memo *memo);

#endif
