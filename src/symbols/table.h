/**
 * A sorted table of symbols. If an address has several symbols, one is chosen by perf's rule:
 * prefer symbols with a size, then symbols that are not weak, then global symbols, then symbols
 * with fewer underscores at the start of the name, then symbols with a longer name. A symbol
 * without a size ends at the next symbol of its group. The ends of symbols are set before
 * duplicates are dropped. So in a table without sizes, the last of several symbols at one address
 * is kept.
 */
#ifndef INFERNO_SYMBOLS_TABLE_H
#define INFERNO_SYMBOLS_TABLE_H

#include "symbols/demangle.h"

struct table_entry {
	uint64_t start, end;
	const char *name;   // name as in the file, borrowed, NUL-terminated
	uint32_t enclosing; // 1 + index of the nearest earlier entry that ends after this one; 0:
			    // none
	uint8_t rank;       // TABLE_WEAK, TABLE_GLOBAL
	uint8_t kind;       // TABLE_PLT
	uint16_t group;     // a symbol without a size never extends into another group
};

enum { TABLE_WEAK, TABLE_LOCAL, TABLE_GLOBAL };

/** A zeroed table is empty. */
struct table {
	struct table_entry *entries;
	size_t n, capacity;
};

/** Add a symbol. The name of the symbol is borrowed until the table is released. */
void table_add(struct table *table, struct table_entry entry);

/** Sort the table and drop duplicates. Call this once, after the last table_add(). */
void table_finish(struct table *table, struct demangler *demangler);

/** Return the symbol that contains the address; or NULL. */
const struct table_entry *table_find(const struct table *table, uint64_t address);

/** Search all symbols for a name. Return the symbol, or NULL. */
const struct table_entry *table_named(const struct table *table, struct str name);

void table_release(struct table *table);

#endif
