/* Keep the totals of functions, and the counts of calls between functions. */
#include "profile/call_table.h"

#include <stdlib.h>

static void call_table_add(struct call_table *table, struct call_table_row row) {
	const uint32_t pair[] = {row.caller, row.callee};
	uint32_t id = intern_get(&table->pairs, pair, sizeof(pair))->id;
	if (id == table->n) {
		*MEM_APPEND(table->rows, table->n, table->capacity) = row;
		return;
	}
	uint64_t *total = &table->rows[id].total;
	bool fits = row.total <= INT64_MAX && *total <= INT64_MAX - row.total;
	table->overflow |= !fits;
	*total += fits ? row.total : 0;
}

void call_table_add_total(struct call_table *table, uint32_t name, uint64_t total) {
	call_table_add(table, (struct call_table_row){name, name, total});
}

void call_table_add_call(struct call_table *table, uint32_t caller, uint32_t callee,
			 uint64_t total) {
	if (caller != callee) {
		call_table_add(table, (struct call_table_row){caller, callee, total});
	}
}

void call_table_merge(struct call_table *table, const struct call_table *from,
		      const uint32_t *new_names) {
	for (size_t i = 0; i < from->n; i++) {
		struct call_table_row row = from->rows[i];
		bool is_total = call_table_is_total(&row);
		row.caller = new_names[row.caller];
		row.callee = new_names[row.callee];
		if (is_total || !call_table_is_total(&row)) { // leave out a call if its caller and
							      // callee now have the same name
			call_table_add(table, row);
		}
	}
	table->overflow |= from->overflow;
}

/** Release everything that the table owns, but not the table itself. */
static void call_table_release(struct call_table *table) {
	intern_release(&table->pairs);
	free(table->rows);
}

void call_table_rename(struct call_table *table, const uint32_t *new_names) {
	struct call_table old = *table;
	*table = (struct call_table){0};
	call_table_merge(table, &old, new_names);
	call_table_release(&old);
}

void call_table_free(struct call_table *table) {
	if (table != NULL) {
		call_table_release(table);
	}
	free(table);
}
