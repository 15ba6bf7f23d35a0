/** Read and write folded text. Each line is a stack with its count, such as `frame;frame;frame
 * COUNT`. A line may have the counts of two profiles: `frame;frame;frame BEFORE AFTER`. */
#pragma once

#include "base/num.h"
#include "base/output.h"
#include "profile/change.h"
#include "profile/profile.h"

/** A line of folded text, split into its parts. */
struct folded_line {
	struct str stack; // the frames, without blanks at the ends of the text
	uint64_t count;   // count in the later profile, or in the only profile
	uint64_t before;  // count in the earlier profile, if there are two counts
	bool two_counts;
	bool fraction; // a count had a fraction other than zero, which was dropped
};

enum folded_kind {
	FOLDED_STACK,
	FOLDED_NOTHING,  // an empty line, or a comment: a line that begins with "# "
	FOLDED_NO_COUNT, // any other line without a count
};

/** Split a line. If a line ends in two numbers and `one_count` is set, only the last number is a
 * count. The first number is then a part of the name. If `one_count` is not set, a count has no
 * sign: a line such as `a +3`, as in a list of changes, is not a stack. */
enum folded_kind folded_cut(struct str text, bool one_count, struct folded_line *line);

/** Return whether a text ends in a blank and a word that may be a count. */
bool folded_ends_in_count(struct str text);

/**
 * Split an ordinary line: a stack that begins with a graphic character other than `#`, blanks, and
 * one count of at most 19 digits. For any other line, return false; the caller then calls
 * folded_cut(). This special case saves a third of the time of reading.
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

/** The lines of a text that comes in blocks of whole lines. A line usually shares its first bytes
 * with the previous line. Zero the struct at the start of a text. */
struct folded_lines {
	struct str line;   // the current line, without its line end
	size_t common;     // number of first bytes that `line` shares with `before`
	struct str before; // stack of the previous line, which the caller sets; empty for the first
			   // line
	uint64_t number;   // number of the current line in the block; the first line is 1
	struct str rest;   // the lines of the block after the current line
	struct buf kept;   // a copy of `before`, between two blocks
};

/** Begin a block. */
static inline void folded_lines_begin(struct folded_lines *lines, struct str block) {
	lines->rest = block;
	lines->number = 0;
}

/** Go to the next line of the block. Return false after the last line. */
static inline bool folded_lines_next(struct folded_lines *lines) {
	struct str rest = lines->rest;
	if (rest.n == 0) {
		return false;
	}
	// Skip the bytes that the line shares with the last stack: they contain no line end.
	size_t common = str_common_prefix(rest, lines->before);
	size_t n = str_find(str_from(rest, common), '\n');
	lines->line = str_to(rest, n == STR_NONE ? rest.n : common + n);
	lines->common = common;
	lines->rest = str_from(rest, n == STR_NONE ? rest.n : lines->line.n + 1);
	lines->number++;
	return true;
}

/** Copy the last stack of a block. Call this function before the block is released. */
void folded_lines_keep(struct folded_lines *lines);

void folded_lines_release(struct folded_lines *lines);

struct folded_reader;

/**
 * Return a reader that adds stacks to a profile. The caller releases the reader with
 * folded_reader_free().
 */
struct folded_reader *folded_reader_new(struct profile *profile);

/** From now on, drop every frame that equals its caller. */
void folded_drop_recursion(struct folded_reader *reader);

/** Add the stack of the next line. `before` is the result of the previous call, or empty. The line
 * shares its first `common` bytes with `before`. The reader borrows the text until folded_let_go().
 * Return the value of `before` for the next line. This value is the text of the stack, or an empty
 * text if the lines are unsorted. */
struct str folded_add(struct folded_reader *reader, struct str before,
		      const struct folded_line *line, size_t common);

/** Add the pending stacks to the profile, so that the caller may release the borrowed text. */
void folded_let_go(struct folded_reader *reader);

/** After the last line, release the memory that is only needed for reading. */
void folded_finish(struct folded_reader *reader);

void folded_reader_free(struct folded_reader *reader);

/** Write the stacks of a profile, one on each line, in the order of the text. Unless `keeps_stacks`
 * is set, destroy the stacks to save memory. The caller can then only release the profile. */
void folded_write(struct profile *profile, struct output *out, bool keeps_stacks);

/** Write the two counts at the end of a line, and the line end. If `totals` is not NULL and the
 * earlier total is not 0, multiply the first count by the later total and divide it by the earlier
 * total. Round the result down. */
void folded_write_counts(struct output *out, struct change counts, const struct change *totals);
