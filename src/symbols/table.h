/**
 * Keep a sorted table of symbols. If an address has several symbols, one is kept by perf's rule:
 * prefer symbols with a size, then symbols that are not weak, then global symbols, then names with
 * fewer underscores at the start, then longer names. A symbol without a size ends at the next
 * symbol of its group. Ends are set before duplicates are dropped. So if no symbol has a size, only
 * the last symbol at an address gets a size, and it is kept.
 */
#pragma once

#include "symbols/demangle.h"

struct table_entry {
	uint64_t start, end;
	const char *name;   // name as in the file; borrowed; NUL-terminated
	uint32_t enclosing; // 1 + index of the nearest earlier entry that ends after this entry; 0:
			    // none
	uint8_t rank;       // TABLE_WEAK, TABLE_LOCAL or TABLE_GLOBAL
	uint8_t kind;       // TABLE_PLT, or 0
	uint16_t group;     // number of a group; a symbol without a size ends before symbols of
			    // another group
};

enum { TABLE_WEAK, TABLE_LOCAL, TABLE_GLOBAL };

/** A zeroed table is empty. */
struct table {
	struct table_entry *entries;
	size_t n, capacity;
};

/** Add a symbol. The table borrows the name of the symbol. */
void table_add(struct table *table, struct table_entry entry);

/** Sort the table, set the ends of symbols without a size, and drop duplicates. Call this function
 * once, after the last table_add(). */
void table_finish(struct table *table, struct demangler *demangler);

/** Return the symbol that contains the address, or NULL. */
const struct table_entry *table_find(const struct table *table, uint64_t address);

/** Search all symbols for a name. Return the symbol, or NULL. */
const struct table_entry *table_named(const struct table *table, struct str name);

void table_release(struct table *table);
