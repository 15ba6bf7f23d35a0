/** Folded text: one stack on each line, `frame;frame;frame COUNT`, or with the counts of two
 * profiles, `frame;frame;frame BEFORE AFTER`. Only the files of src/profile read and write folded
 * text. */
#ifndef INFERNO_FOLDED_H
#define INFERNO_FOLDED_H

#include "base/num.h"
#include "base/output.h"
#include "profile/change.h"
#include "profile/profile.h"

/** A line of folded text, split into its parts. */
struct folded_line {
	struct str stack; // part of the line, without blanks at its ends
	uint64_t count;   // count in the later profile, or in the only profile
	uint64_t before;  // count in the earlier profile, if there are two counts
	bool two_counts;
	bool fraction; // a count had a fraction other than zero, which was dropped
};

enum folded_kind {
	FOLDED_STACK,
	FOLDED_NOTHING,  // an empty line or a comment, which begins with "# "
	FOLDED_NO_COUNT, // not a stack with a count
};

/** Split a line. With `one_count`, if a line ends in two numbers, only the last number is a count,
 * and the first number is a part of the name. */
enum folded_kind folded_cut(struct str text, bool one_count, struct folded_line *line);

/** Return whether text ends in a blank and a text that may be a count. */
bool folded_ends_in_count(struct str text);

/**
 * Split an ordinary line: graphic characters at the ends of the stack, one blank, and one count of
 * a few digits. Return false for any other line; such a line needs folded_cut(). Treating ordinary
 * lines separately saves a third of the time of reading.
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

/** The lines of a text, which is read in blocks of whole lines. Consecutive lines usually begin
 * with the same bytes. Zero the struct at the start of a text. */
struct folded_lines {
	struct str line;   // the current line, without its line end
	size_t common;     // number of bytes at its start that are the same as in `before`
	struct str before; // stack of the previous line, set by the caller; empty at first
	uint64_t number;   // number of the current line in the block; the first line is 1
	struct str rest;   // the lines of the block after the current line
	struct buf kept;   // holds `before` between two blocks
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
	// Search for the line end after the bytes that the line shares with the last stack, because
	// these bytes contain no line end.
	size_t common = str_common_prefix(rest, lines->before);
	size_t n = str_find(str_from(rest, common), '\n');
	lines->line = str_to(rest, n == STR_NONE ? rest.n : common + n);
	lines->common = common;
	lines->rest = str_from(rest, n == STR_NONE ? rest.n : lines->line.n + 1);
	lines->number++;
	return true;
}

/** Copy the last stack of a block. Call this before the block is released. */
void folded_lines_keep(struct folded_lines *lines);

void folded_lines_release(struct folded_lines *lines);

struct folded_reader;

/**
 * Return a reader that adds to a profile. The caller releases the reader with folded_reader_free().
 */
struct folded_reader *folded_reader_new(struct profile *profile);

/** From now on, drop every frame that equals its caller. */
void folded_drop_recursion(struct folded_reader *reader);

/** Add the stack of the next line, which shares `common` bytes with `before`. The text is borrowed
 * until folded_let_go(). Return the value of `before` for the next line: the text of this stack, or
 * an empty text if the lines are unsorted. */
struct str folded_add(struct folded_reader *reader, struct str before,
		      const struct folded_line *line, size_t common);

/** Copy the borrowed text, so that it may be released. */
void folded_let_go(struct folded_reader *reader);

/** After the last line, release the memory that is only needed for reading. */
void folded_finish(struct folded_reader *reader);

void folded_reader_free(struct folded_reader *reader);

/** Write the stacks of a profile, one on each line, in the order of the text. Unless `keeps_stacks`
 * is set, this function destroys the stacks to save memory; then the profile can only be released
 * afterwards. */
void folded_write(struct profile *profile, struct output *out, bool keeps_stacks);

/** Write the end of a line with two counts, after its stack. If `totals` is given, scale the first
 * count exactly to the later total, and round down. */
void folded_write_counts(struct output *out, struct change counts, const struct change *totals);

#endif
