/**
 * Keep the totals of functions, and the counts of calls between functions, from files without
 * stacks, such as callgrind's. The profile holds the self counts of such a file, as stacks of one
 * frame. Stacks with several frames could only be estimated, so a report uses the numbers in this
 * table.
 */
#pragma once

#include "base/intern.h"

/** The total of a function, or the count of all calls from one function to another. */
struct call_table_row {
	// Ids of names. In the row of a function's total, both ids are the function's.
	uint32_t caller, callee;
	uint64_t total;
};

/** A zeroed table is empty. */
struct call_table {
	struct intern pairs; // pairs of a caller and a callee; the value is the index of the row
	struct call_table_row *rows;
	size_t n, capacity;
	bool overflow; // a total does not fit into 63 bits
};

/** Add `total` to the total of a function. */
void call_table_add_total(struct call_table *table, uint32_t name, uint64_t total);

/** Add `total` to the total of the calls from one function to another. Ignore calls of a function
 * to itself, because the total of the function contains them. */
void call_table_add_call(struct call_table *table, uint32_t caller, uint32_t callee,
			 uint64_t total);

/** Return whether a row is the total of a function. */
static inline bool call_table_is_total(const struct call_table_row *row) {
	return row->caller == row->callee;
}

/** Replace each id of a name by `new_names[id]`. */
void call_table_rename(struct call_table *table, const uint32_t *new_names);

/** Add all rows of the table `from`. `new_names` maps each name id of `from` to its id in this
 * table. */
void call_table_merge(struct call_table *table, const struct call_table *from,
		      const uint32_t *new_names);

void call_table_free(struct call_table *table);
