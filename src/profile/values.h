/**
 * Keep all values of stacks, if an input has several values, for example objects and bytes. One of
 * the values is the count of the stack. Each value, including the count, is stored as a column,
 * whose index is the id of a stack.
 */
#pragma once

#include "base/buf.h"

/** One value, with its count for each stack. */
struct value_column {
	struct buf name, unit; // for example "alloc_space" and "bytes"
	uint64_t sum;          // sum of all counts
	uint64_t *counts;      // count of each stack; stacks from the id `n` on have the count 0
	size_t n, capacity;
};

/** The count of a stack in a column. */
struct value_next {
	size_t column;
	uint64_t count;
};

/** The settings of the profiler. The profiler took a sample whenever one value had grown by
 * `period`. The start and the duration of the recording are in nanoseconds. */
struct value_period {
	struct buf name, unit; // name and unit of the value that controls sampling
	uint64_t period;       // 0: not known
	uint64_t start, duration;
	bool known; // values_set_period() was called
};

struct values {
	struct value_column *columns; // columns, in the order in which they were added
	size_t n, capacity;
	bool overflow; // a sum does not fit into 64 bits
	bool partial;  // some deep stacks have no id, so only the sums are complete
	struct value_period period;
	struct value_next *next; // counts of the next stack
	size_t next_n, next_capacity;
};

struct values *values_new(void);

/** Return the column of a value, adding it if no column has this name and unit. */
size_t values_column(struct values *values, struct str name, struct str unit);

/** Set the count of the next stack in a column. */
void values_set(struct values *values, size_t column, uint64_t count);

/** Add the counts from values_set() to the stack with this id. If the id is STACKS_NONE, add the
 * counts only to the sums of the columns. */
void values_add(struct values *values, uint32_t stack);

/** Set the settings of the profiler for an input. If the periods of inputs differ, the period is
 * not known. Of several starts, keep the earliest. Add up durations. Copy the texts. */
void values_set_period(struct values *values, const struct value_period *period);

/** Add all values of `from`. `new_stacks` has the new id of each stack of `from`. */
void values_merge(struct values *values, const struct values *from, const uint32_t *new_stacks);

/** Replace each id of a stack by `new_stacks[id]`, which is STACKS_NONE if the stack was left out.
 * Add up stacks with the same new id. */
void values_renumber(struct values *values, const uint32_t *new_stacks);

void values_free(struct values *values);
