/**
 * A sorted table of symbols, with perf's rule for the name of an address that has several: prefer
 * symbols with a size, then those that are not weak, global, with fewer leading underscores,
 * longer. Ends of symbols without a size are found before duplicates are dropped, so that in tables
 * without sizes the last one wins.
 */
#ifndef INFERNO_SYMBOLS_TABLE_H
#define INFERNO_SYMBOLS_TABLE_H

#include "symbols/demangle.h"

struct table_entry {
	uint64_t start, end;
	const char *name;   // borrowed, NUL-terminated, as in the file
	uint32_t enclosing; // 1 + index of the nearest entry before it that ends later; 0: none
	uint8_t rank;       // TABLE_WEAK, TABLE_GLOBAL
	uint8_t kind;       // TABLE_PLT
	uint16_t group;     // symbols without a size never extend into another group
};

enum { TABLE_WEAK, TABLE_LOCAL, TABLE_GLOBAL };

/** A zeroed table is an empty one. */
struct table {
	struct table_entry *entries;
	size_t n, capacity;
};

/** Add a symbol. Its name is borrowed until the table is released. */
void table_add(struct table *table, struct table_entry entry);

/** Sort the table and drop duplicates. Call this once, after the last table_add(). */
void table_finish(struct table *table, struct demangler *demangler);

/** Find the symbol that holds the address; NULL if none does. */
const struct table_entry *table_find(const struct table *table, uint64_t address);

/** Find a symbol by its name, among all of them; NULL if there is none. */
const struct table_entry *table_named(const struct table *table, struct str name);

void table_release(struct table *table);

#endif
