/* Sort symbols by address, and keep one symbol for each address. */
#include "symbols/table.h"

#include <stdlib.h>

#include "base/search.h"
#include "symbols/ranges.h"

void table_add(struct table *table, struct table_entry entry) {
	*MEM_APPEND(table->entries, table->n, table->capacity) = entry;
}

/** Sort entries by one byte of their starts. Entries with the same byte keep their order. */
static void table_sort_by_byte(const struct table_entry *from, struct table_entry *to, size_t n,
			       unsigned shift, const size_t *counts) {
	size_t at[256], sum = 0;
	for (size_t i = 0; i < 256; i++) {
		at[i] = sum;
		sum += counts[i];
	}
	for (size_t i = 0; i < n; i++) {
		to[at[(from[i].start >> shift) & 0xff]++] = from[i];
	}
}

static bool table_is_sorted(const struct table *table) {
	for (size_t i = 1; i < table->n; i++) {
		if (table->entries[i - 1].start > table->entries[i].start) {
			return false;
		}
	}
	return true;
}

/** Sort entries by their starts. Symbols with the same address keep the order of the file. */
static void table_sort_entries(struct table *table) {
	if (table_is_sorted(table)) {
		return;
	}
	struct table_entry *other = mem_new(table->capacity, sizeof(*other));
	for (unsigned shift = 0; shift < 64; shift += 8) {
		size_t counts[256] = {0};
		for (size_t i = 0; i < table->n; i++) {
			counts[(table->entries[i].start >> shift) & 0xff]++;
		}
		if (counts[(table->entries[0].start >> shift) & 0xff] == table->n) {
			continue;
		}
		table_sort_by_byte(table->entries, other, table->n, shift, counts);
		struct table_entry *sorted = other;
		other = table->entries;
		table->entries = sorted;
	}
	free(other);
}

static uint64_t table_page_after(uint64_t address) {
	const uint64_t page = 4096;
	uint64_t rounded = (address + page - 1) & ~(page - 1);
	return rounded + page < address ? UINT64_MAX : rounded + page;
}

/** Set the end of each symbol without a size: the start of the next symbol or, for the last symbol
 * of a group, a page boundary after it. */
static void table_find_ends(struct table *table) {
	for (size_t i = 0; i < table->n; i++) {
		struct table_entry *entry = &table->entries[i];
		if (entry->end != entry->start) {
			continue;
		}
		bool last = i + 1 == table->n || entry[1].group != entry->group;
		entry->end = last ? table_page_after(entry->start) : entry[1].start;
	}
}

static size_t table_underscores(const char *name) {
	return strspn(name, "_");
}

/** Return a positive number if the name `a` is better, a negative number if `b` is better, or 0 if
 * neither is better. */
static int table_compare_names(const char *a, const char *b, struct demangler *demangler) {
	struct str left = demangle(demangler, str_of(a)), right = demangle(demangler, str_of(b));
	size_t left_bars = table_underscores(left.p), right_bars = table_underscores(right.p);
	if (left_bars != right_bars) {
		return left_bars < right_bars ? 1 : -1;
	}
	return (left.n > right.n) - (left.n < right.n);
}

/** Return whether `a` is the better of two symbols at one address (table.h). */
static bool table_is_better(const struct table_entry *a, const struct table_entry *b,
			    struct demangler *demangler) {
	bool a_sized = a->end > a->start, b_sized = b->end > b->start;
	if (a_sized != b_sized) {
		return a_sized;
	}
	if (a->rank != b->rank) {
		return a->rank > b->rank;
	}
	int order = table_compare_names(a->name, b->name, demangler);
	// If neither name is better, prefer a name that is not one of the kernel's older aliases of
	// system calls.
	return order != 0
		       ? order > 0
		       : strncmp(a->name, "SyS", 3) != 0 && strncmp(a->name, "compat_SyS", 10) != 0;
}

static void table_drop_duplicates(struct table *table, struct demangler *demangler) {
	size_t kept = 0;
	for (size_t i = 0; i < table->n; i++) {
		struct table_entry *entry = &table->entries[i];
		struct table_entry *before = kept == 0 ? NULL : &table->entries[kept - 1];
		if (before == NULL || before->start != entry->start) {
			table->entries[kept++] = *entry;
		} else if (!table_is_better(before, entry, demangler)) {
			*before = *entry;
		}
	}
	table->n = kept;
}

/** Link each symbol to the nearest earlier symbol that ends after this symbol. */
static void table_link_enclosing(struct table *table) {
	for (size_t i = 1; i < table->n; i++) {
		uint32_t at = (uint32_t)i;
		while (at != 0 && table->entries[at - 1].end <= table->entries[i].end) {
			at = table->entries[at - 1].enclosing;
		}
		table->entries[i].enclosing = at;
	}
}

void table_finish(struct table *table, struct demangler *demangler) {
	if (table->n == 0) {
		return;
	}
	if (table->n >= UINT32_MAX) {
		table->n = UINT32_MAX - 1;
	}
	table_sort_entries(table);
	table_find_ends(table);
	table_drop_duplicates(table, demangler);
	table_link_enclosing(table);
}

const struct table_entry *table_find(const struct table *table, uint64_t address) {
	size_t ended = 0,
	       low = search_up_to(table->entries, table->n, sizeof(*table->entries), address);
	while (low > 0 && table->entries[low - 1].end <= address) {
		low = ++ended > RANGES_ENDED_MOST ? 0 : table->entries[low - 1].enclosing;
	}
	return low == 0 ? NULL : &table->entries[low - 1];
}

const struct table_entry *table_named(const struct table *table, struct str name) {
	for (size_t i = 0; i < table->n; i++) {
		const char *text = table->entries[i].name;
		if (strncmp(text, name.p, name.n) == 0 && text[name.n] == '\0') {
			return &table->entries[i];
		}
	}
	return NULL;
}

void table_release(struct table *table) {
	free(table->entries);
	*table = (struct table){0};
}
