/**
 * A counted set of stacks: the one currency between the rooms. A stack is an array of frame ids,
 * root first; a frame's name is stored once. Text is made at the end, in the order that the text
 * sorts in.
 *
 * Names are UTF-8 without line ends. One that holds a `;` reads as several frames in text, so it
 * becomes several when the stacks are sorted: a stack and its text are the same thing. A count is a
 * 64-bit whole number of whatever the profile counts.
 */
#ifndef INFERNO_STACKS_H
#define INFERNO_STACKS_H

#include "base/intern.h"
#include "base/output.h"

enum stacks_mode {
	STACKS_MERGE = 0,      // equal stacks become one, their counts are added
	STACKS_KEEP_ORDER = 1, // every stacks_add() is a row of its own, in order of arrival
	STACKS_TAKE_LINES = 2, // stacks_add_line() may be used: of equal stacks some may stay
			       // apart, some have two counts
};

/** One stack with its count. */
struct stack_row {
	uint32_t *ids; // root first
	uint32_t depth;
	bool two_counts; // `before` is set
	uint64_t count;  // of the only, or the later profile
	uint64_t before; // of the earlier one
};

struct stacks {
	unsigned mode; // of enum stacks_mode
	bool overflow; // a count went over 64 bits
	bool joined;   // some name holds a `;`
	struct intern names;
	struct intern table;    // what was merged: ids, as bytes, to the count
	struct stack_row *rows; // what was not; all of it after stacks_make_rows()
	size_t rows_n, rows_capacity;
	struct arena ids;
	uint32_t *sorted_names; // after stacks_sort(): sorted id to name id
};

/** Ids of frames, in a row that grows; cut back by setting `n`. A zeroed one is empty. */
struct ids {
	uint32_t *items;
	size_t n, capacity;
};

void ids_push(struct ids *ids, uint32_t id);
void ids_release(struct ids *ids);

void stacks_init(struct stacks *stacks, unsigned mode);

/** The id of a frame's name; the bytes are copied. A line end in it becomes a blank. */
uint32_t stacks_frame(struct stacks *stacks, struct str name);

/** Adds `count` to a stack of `depth` ids, root first. A stack may be empty; count may be 0. */
void stacks_add(struct stacks *stacks, const uint32_t *ids, size_t depth, uint64_t count);

/**
 * Adds a row, or to the last row if that is the same stack: for a reader of text in which a stack
 * seldom comes twice, so that looking it up would be wasted. STACKS_TAKE_LINES only. The ids of the
 * row are not used; those given are copied.
 */
void stacks_add_line(struct stacks *stacks, const uint32_t *ids, size_t depth,
		     struct stack_row row);

/** Adds all of `from`. */
void stacks_merge(struct stacks *stacks, const struct stacks *from);

/** How many distinct stacks and rows were added. */
static inline size_t stacks_added(const struct stacks *stacks) {
	return stacks->table.count + stacks->rows_n;
}

/** Makes rows of what was merged; from here on nothing can be added. stacks_sort() does it if need
 * be. */
void stacks_make_rows(struct stacks *stacks);

enum stacks_order {
	STACKS_BY_TEXT,  // as the bytes of the joined text sort: of folded output
	STACKS_BY_FRAME, // frame by frame, as the bytes of the names sort; a shorter stack before
			 // its extensions
	STACKS_AS_IS,    // as they came; only for STACKS_KEEP_ORDER
};

/**
 * Puts the rows in the given order. From here on the ids in them are sorted ids: they compare as
 * their names do (STACKS_AS_IS leaves them alone), and stacks_name() gives their names. After
 * STACKS_BY_TEXT a name has one id as the last frame and another elsewhere.
 */
void stacks_sort(struct stacks *stacks, enum stacks_order order);

/** The name behind an id of a row; stays valid as long as the stacks do. */
struct str stacks_name(const struct stacks *stacks, uint32_t id);

/** Sorts by text and writes folded text, a line a stack. */
void stacks_write(struct stacks *stacks, struct output *out);

void stacks_release(struct stacks *stacks);

#endif
