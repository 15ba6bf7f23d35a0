/** Folded text: one stack on each line, `frame;frame;frame COUNT`, or with the counts of two
 * profiles, `frame;frame;frame BEFORE AFTER`. Only this room reads and writes it. */
#ifndef INFERNO_FOLDED_H
#define INFERNO_FOLDED_H

#include "base/num.h"
#include "base/output.h"
#include "profile/profile.h"

/** A line split into its parts. */
struct folded_line {
	struct str stack; // part of the line, without blanks at its ends
	uint64_t count;   // in the only or the later profile
	uint64_t before;  // in the earlier one, if there are two counts
	bool two_counts;
	bool fraction; // a count had a fraction other than zero, which was dropped
};

enum folded_kind {
	FOLDED_STACK,
	FOLDED_NOTHING,  // an empty line or a comment, which begins with "# "
	FOLDED_NO_COUNT, // not a stack with a count
};

/** Split a line. With `one_count`, the first of two counts belongs to the name before it. */
enum folded_kind folded_cut(struct str text, bool one_count, struct folded_line *line);

/** Return whether text ends in a blank and what may be a count. */
bool folded_ends_in_count(struct str text);

/**
 * Split an ordinary line: graphic characters at the ends of the stack, one blank, and one count of
 * a few digits. Return false for any other line, which needs folded_cut(). This saves a third of
 * the time of reading.
 */
static inline bool folded_cut_plain(struct str text, bool one_count, struct str *stack,
				    uint64_t *count) {
	*stack = text;
	if (!num_take_at_end(stack, count)) {
		return false;
	}
	*stack = str_trim_end(*stack);
	return stack->n > 0 && is_graphic(text.p[0]) && text.p[0] != '#' &&
	       (one_count || !folded_ends_in_count(*stack));
}

struct folded_reader;

/** Return a reader that adds to a profile. The caller releases it with folded_reader_free(). */
struct folded_reader *folded_reader_new(struct profile *profile);

/** From now on, drop every frame that equals its caller. */
void folded_drop_recursion(struct folded_reader *reader);

/** Return how many bytes `text` shares with the last line's stack. */
size_t folded_common(const struct folded_reader *reader, struct str text);

/** Add the stack of the next line, which shares `common` bytes with the last one. The text is
 * borrowed until folded_let_go(). */
void folded_add(struct folded_reader *reader, const struct folded_line *line, size_t common);

/** Stop borrowing text. */
void folded_let_go(struct folded_reader *reader);

/** Release what only reading needs, after the last line. */
void folded_finish(struct folded_reader *reader);

void folded_reader_free(struct folded_reader *reader);

/** Write the counted set of a profile, one stack on each line, in the order of the text. */
void folded_write(struct profile *profile, struct output *out);

#endif
