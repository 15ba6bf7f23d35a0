/**
 * Remember the meaning of each line, so that each distinct line is parsed once.
 *
 * When a line occurs again, the next line is usually the same as after its last occurrence. So the
 * memo guesses the next line from the current line. A line is looked up only if it differs from the
 * guess.
 */
#pragma once

#include "profile/meaning.h"

/** The meanings of a line. A line may have two meanings; the format chooses between them. The
 * meanings are in memory just before the line's key, so that reading the key brings the meanings
 * into the processor's cache, too. */
struct meanings {
	struct meaning what[2];
};

/** A zeroed memo is empty. */
struct memo {
	struct intern lines; // lines without line ends; each is linked to the line that followed it
	struct intern_key *start; // the first line of the last stack; may be NULL
	struct intern_key *last;  // the last line; NULL: the next line is the first one
	uint64_t hash;            // hash of the last line for which memo_step() returned 0
	struct str expected;      // the line that memo_expect() got; may be empty
	uint64_t expected_hash;
};

static inline struct meanings *memo_meanings(struct intern_key *line) {
	return (struct meanings *)line - 1;
}

/** Treat the next line as the first line of a stack. */
static inline void memo_start(struct memo *memo) {
	memo->last = NULL;
}

/** Return the line that followed the previous occurrence of the last line, or NULL. If the next
 * line is the first line of a stack, return the first line of the previous stack. */
static inline struct intern_key *memo_guess(const struct memo *memo) {
	return memo->last == NULL ? memo->start : memo->last->link;
}

/** Make a line the last line that was read. */
static inline void memo_step_to(struct memo *memo, struct intern_key *line) {
	*(memo->last == NULL ? &memo->start : &memo->last->link) = line;
	memo->last = line;
}

/** Return whether a text begins with the bytes of `line` and a line end. */
static inline bool memo_is_at(const struct intern_key *line, struct str text) {
	return line->len < text.n && text.p[line->len] == '\n' &&
	       memcmp(text.p, line->bytes, line->len) == 0;
}

/**
 * Prefetch the memory that the lookup of a line will read. The line is at the start of `text`, and
 * will be the first line of the next stack. `text` must stay unchanged until memo_expect_nothing().
 * The prefetch saves 4 % of the time to fold a recording of several programs.
 */
void memo_expect(struct memo *memo, struct str text);

static inline void memo_expect_nothing(struct memo *memo) {
	memo->expected = STR("");
}

size_t memo_step_slow(struct memo *memo, struct str text);

/**
 * Find the line at the start of `text`. If the line is known, note that it is the last line that
 * was read, and return its length with the line end. Return 0 if the line is not known, is empty,
 * has no line end, or does not end in a visible ASCII character.
 */
static inline size_t memo_step(struct memo *memo, struct str text) {
	struct intern_key *guess = memo_guess(memo);
	if (guess != NULL && memo_is_at(guess, text)) {
		memo->last = guess;
		// Prefetch the next guess, with most of its bytes, to save 3 % of the time.
		__builtin_prefetch(guess->link);
		// add to the address as a number, because the guess may be NULL
		__builtin_prefetch((const void *)((uintptr_t)guess->link + 64));
		return (size_t)guess->len + 1;
	}
	return memo_step_slow(memo, text);
}

/** Remember one meaning of a line for which memo_step() returned 0. Make this line the last
 * line that was read. */
void memo_learn(struct memo *memo, struct str line, size_t which, struct meaning meaning);

/** Return one of the meanings of the last line. */
static inline struct meaning memo_meaning(const struct memo *memo, size_t which) {
	return memo_meanings(memo->last)->what[which];
}

/** Return the meaning `which` of a line, and make this line the last line that was read. If
 * this meaning is not known, return MEANS_UNKNOWN and change nothing. */
struct meaning memo_find(struct memo *memo, struct str line, size_t which);

/** Remember one meaning of a line. Make this line the last line that was read. */
void memo_add(struct memo *memo, struct str line, size_t which, struct meaning meaning);

void memo_release(struct memo *memo);
