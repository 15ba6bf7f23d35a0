/**
 * The values of stacks, where an input has several: objects and bytes, samples and nanoseconds. One
 * of them is the count of a stack. All of them, that one included, are columns here, keyed by the
 * stack's id.
 */
#ifndef INFERNO_VALUES_H
#define INFERNO_VALUES_H

#include "base/buf.h"

/** A value, with the count of each stack. */
struct value_column {
	struct buf name, unit; // "alloc_space", "bytes"
	uint64_t sum;          // of all counts
	uint64_t *counts;      // by stack id; a stack from `n` on counts 0
	size_t n, capacity;
};

/** The count of a stack in a column. */
struct value_next {
	size_t column;
	uint64_t count;
};

/** How samples were taken: one after so much of a value; and when, in nanoseconds. */
struct value_period {
	struct buf name, unit; // of that value
	uint64_t period;       // 0: not known
	uint64_t start, duration;
	bool known; // values_set_period() was called
};

struct values {
	struct value_column *columns; // in the order in which they were added
	size_t n, capacity;
	bool overflow; // a sum does not fit into 64 bits
	bool partial;  // some deep stacks have no id: only the sums are complete
	struct value_period period;
	struct value_next *next; // what the next stack counts
	size_t next_n, next_capacity;
};

struct values *values_new(void);

/** Return the column of a value, adding it if no column has this name and unit. */
size_t values_column(struct values *values, struct str name, struct str unit);

/** Set the next stack's count in a column. */
void values_set(struct values *values, size_t column, uint64_t count);

/** Add the counts that were set since the last call to a stack. Without an id, STACKS_NONE, only
 * the sums are added. */
void values_add(struct values *values, uint32_t stack);

/** Say how the samples of an input were taken. If another input differs, the period is not known;
 * the first start counts, and all durations. The texts are copied. */
void values_set_period(struct values *values, const struct value_period *period);

/** Add all of `from`. `new_stacks` gives the id here of each of its stacks. */
void values_merge(struct values *values, const struct values *from, const uint32_t *new_stacks);

/** Give every stack its new id, or STACKS_NONE if it was left out. Stacks with the same id are
 * added up. */
void values_renumber(struct values *values, const uint32_t *new_stacks);

void values_free(struct values *values);

#endif
