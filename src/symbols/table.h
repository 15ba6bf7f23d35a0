/**
 * A sorted table of symbols, and perf's rule on which of several at one address is the name: the
 * one with a size, not weak, global, with fewer leading underscores, longer. Ends of symbols
 * without a size are found before duplicates go, so that in tables without sizes the last wins.
 */
#ifndef INFERNO_SYMBOLS_TABLE_H
#define INFERNO_SYMBOLS_TABLE_H

#include "symbols/demangle.h"

struct table_entry {
	uint64_t start, end;
	const char *name;   // borrowed, NUL-terminated, as in the file
	uint32_t enclosing; // 1 + index of the entry that goes on after this one's end; 0: none
	uint8_t rank;       // TABLE_WEAK, TABLE_GLOBAL
	uint8_t kind;       // TABLE_PLT
	uint16_t group;     // symbols without a size never reach into another group
};

enum { TABLE_WEAK, TABLE_LOCAL, TABLE_GLOBAL };

/** A zeroed table is an empty one. */
struct table {
	struct table_entry *entries;
	size_t n, capacity;
};

/** Add a symbol. Its name is borrowed for as long as the table lives. */
void table_add(struct table *table, struct table_entry entry);

/** Sort the table and drop duplicates. Once, after the last table_add(). */
void table_finish(struct table *table, struct demangler *demangler);

/** Find the symbol that holds the address; NULL if none does. */
const struct table_entry *table_find(const struct table *table, uint64_t address);

/** Find a symbol by its name; NULL if there is none. Take a look at all of them. */
const struct table_entry *table_named(const struct table *table, struct str name);

void table_release(struct table *table);

#endif
