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
#include "profile/calls.h"

enum stacks_mode {
	STACKS_MERGE = 0,      // equal stacks become one, their counts are added
	STACKS_KEEP_ORDER = 1, // every stack that is added is a row of its own, in order of arrival
	STACKS_TAKE_LINES = 2, // stacks_add_line() may be used: some stacks have two counts
	STACKS_ONE_COUNT = 4,  // none has: in a line with two, the first belongs to the name
};

/** Ids of frames, in a row that grows; cut back by setting `n`. A zeroed one is empty. */
struct ids {
	uint32_t *items;
	size_t n, capacity;
};

static inline void ids_push(struct ids *ids, uint32_t id) {
	ids->items = mem_grow(ids->items, &ids->capacity, ids->n + 1, sizeof(*ids->items));
	ids->items[ids->n++] = id;
}

void ids_release(struct ids *ids);

/** A stack that was added but not looked up. */
struct stacks_pending {
	uint64_t hash, count;
	size_t depth;
};

enum { STACKS_PENDING = 32 };

struct stacks {
	unsigned mode; // of enum stacks_mode
	bool overflow; // a count went over 64 bits
	bool joined;   // some name holds a `;`
	struct intern names;
	struct intern table; // what was merged: ids, as bytes, to the count
	struct stacks_pending pending[STACKS_PENDING]; // not in the table yet
	size_t pending_n;
	struct ids pending_ids; // one after the other
	struct calls calls;     // what came as lines; all of it after stacks_make_calls()
	struct stack_row *rows; // what keeps its order; all of it after stacks_make_rows()
	size_t rows_n, rows_capacity;
	struct arena ids;
	uint32_t *sorted_names; // after sorting: sorted id to name id
	double squares;         // of every count that stacks_add() was given, summed up
	bool by_sample;         // it was called for each sample; see stacks_sample()
};

void stacks_init(struct stacks *stacks, unsigned mode);

/** The id of a frame's name; the bytes are copied. A line end in it becomes a blank. */
uint32_t stacks_frame(struct stacks *stacks, struct str name);

/** Adds `count` to a stack of `depth` ids, root first. A stack may be empty; count may be 0. Some
 * stacks are looked up later, by stacks_settle() at the latest. */
void stacks_add(struct stacks *stacks, const uint32_t *ids, size_t depth, uint64_t count);

/**
 * Adds a stack that shares its first `shared` frames with the one that was added so before: for a
 * reader of text in which a stack seldom comes twice, so that looking it up would be wasted.
 * STACKS_TAKE_LINES only. The ids of the row are copied.
 */
void stacks_add_line(struct stacks *stacks, struct stack_row row, size_t shared);

/** Looks up the stacks that wait for it; only then `overflow` and stacks_added() are right. */
void stacks_settle(struct stacks *stacks);

/** Adds all of `from`, which does not keep an order, and settles both. */
void stacks_merge(struct stacks *stacks, struct stacks *from);

/** How many distinct stacks and rows were added. */
static inline size_t stacks_added(const struct stacks *stacks) {
	return stacks->table.count + stacks->calls.stacks + stacks->rows_n;
}

/** Makes rows of what was merged, for stacks without lines or with an order; from here on nothing
 * can be added. */
void stacks_make_rows(struct stacks *stacks);

/** Changes a stack; its ids may be changed in place. False: it is to be left out. */
typedef bool stacks_change(void *context, struct stack_row *stack);

/** Makes calls of all stacks, after `change` was made to each of them unless that is NULL; from
 * here on nothing can be added. */
void stacks_make_calls(struct stacks *stacks, stacks_change *change, void *context);

/**
 * Makes stacks with two counts: those of `before`, which get into it, and those of `after`. Both
 * were made calls.
 */
void stacks_compare(struct stacks *before, const struct stacks *after);

/**
 * What one sample counts, of `total` in all: profilers often count the time or the events between
 * two samples. Known if it was read sample by sample, or else guessed from calls. At least 1.
 */
double stacks_sample(const struct stacks *stacks, uint64_t total);

/** The sum of the counts of calls and rows. False if it does not fit into 64 bits. */
bool stacks_sum(const struct stacks *stacks, uint64_t *sum);

/** Gives the calls ids that compare as the bytes of their names do; stacks_name() knows them. */
void stacks_sort_names(struct stacks *stacks);

/** The name behind an id of a row or a call; stays valid as long as the stacks do. */
struct str stacks_name(const struct stacks *stacks, uint32_t id);

/** Sorts what was merged by its text and writes it, a line a stack. */
void stacks_write(struct stacks *stacks, struct output *out);

void stacks_release(struct stacks *stacks);

#endif
