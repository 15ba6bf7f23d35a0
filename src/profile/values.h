/**
 * The values of stacks, if an input has several: objects and bytes, samples and nanoseconds. One of
 * the values is the count of the stack. All values, including this one, are stored as columns,
 * indexed by the stack's id.
 */
#ifndef INFERNO_VALUES_H
#define INFERNO_VALUES_H

#include "base/buf.h"

/** A value, with the count of each stack. */
struct value_column {
	struct buf name, unit; // "alloc_space", "bytes"
	uint64_t sum;          // sum of all counts
	uint64_t *counts;      // counts by stack id; stacks from `n` on have the count 0
	size_t n, capacity;
};

/** The count of a stack in a column. */
struct value_next {
	size_t column;
	uint64_t count;
};

/** The settings with which samples were taken. One sample was taken whenever a value had grown by
 * `period`. The start and the duration are in nanoseconds. */
struct value_period {
	struct buf name, unit; // name and unit of that value
	uint64_t period;       // 0: not known
	uint64_t start, duration;
	bool known; // values_set_period() was called
};

struct values {
	struct value_column *columns; // columns, in the order in which they were added
	size_t n, capacity;
	bool overflow; // whether a sum does not fit into 64 bits
	bool partial;  // some deep stacks have no id: only the sums are complete
	struct value_period period;
	struct value_next *next; // counts of the next stack
	size_t next_n, next_capacity;
};

struct values *values_new(void);

/** Return the column of a value, adding it if no column has this name and unit. */
size_t values_column(struct values *values, struct str name, struct str unit);

/** Set the next stack's count in a column. */
void values_set(struct values *values, size_t column, uint64_t count);

/** Add the counts that were set since the last call to the stack with this id. If the id is
 * STACKS_NONE, add them only to the sums of the columns. */
void values_add(struct values *values, uint32_t stack);

/** Set how the samples of an input were taken. If the periods of inputs differ, the period is not
 * known. The earliest start is used, and durations are added up. The texts are copied. */
void values_set_period(struct values *values, const struct value_period *period);

/** Add all values of `from`. `new_stacks` has the new id of each stack of `from`. */
void values_merge(struct values *values, const struct values *from, const uint32_t *new_stacks);

/** Replace the ids of stacks by their new ids, which are STACKS_NONE for left-out stacks. Add up
 * stacks with the same id. */
void values_renumber(struct values *values, const uint32_t *new_stacks);

void values_free(struct values *values);

#endif
