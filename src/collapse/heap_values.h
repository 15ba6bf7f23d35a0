/**
 * The values of memory profiles: objects and bytes that are in use at the end, were allocated in
 * total, or were in use at the peak. The values have the names that pprof uses.
 */
#pragma once

#include "collapse/collapser.h"

enum heap_value {
	HEAP_INUSE_SPACE,
	HEAP_INUSE_OBJECTS,
	HEAP_ALLOC_SPACE,
	HEAP_ALLOC_OBJECTS,
	HEAP_PEAK_SPACE,
	HEAP_PEAK_OBJECTS,
	HEAP_VALUES,
};

/** The choices of an option that selects a value of memory, in the order of enum heap_value. The
 * second list is for formats that do not know the peak. */
extern const char *const heap_value_names[];
extern const char *const heap_value_names_without_peak[];

/** The row of the option that selects a value of memory. `field` of `owner` is an unsigned. `first`
 * is the default. */
#define HEAP_VALUE_ROW(owner, field, names, first)                                              \
	{                                                                                       \
		OPT_IS_CHOICE(owner, field), .name = "sample-type", .value = "TYPE",            \
					     .initial = (first), .choices = (names),            \
					     .help = "count bytes (space) or objects: those "   \
						     "in use (inuse), all that were allocated " \
						     "(alloc), or those in use at the peak "    \
						     "(peak), if the profile has the peak"      \
	}

/** Rows of the table `values` of a format with this option. */
#define HEAP_VALUE_ITEMS                                                 \
	{"sample-type", "inuse_space", "inuse_space", NULL},             \
		{"sample-type", "inuse_objects", "inuse_objects", NULL}, \
		{"sample-type", "alloc_space", "alloc_space", NULL}, {   \
		"sample-type", "alloc_objects", "alloc_objects", NULL    \
	}
#define HEAP_PEAK_ITEMS                                             \
	{"sample-type", "peak_space", "peak_space", NULL}, {        \
		"sample-type", "peak_objects", "peak_objects", NULL \
	}

/** Add the unit of a value, as words: `bytes in use`. */
void heap_value_unit(enum heap_value value, struct buf *unit);

/** Add a stack, root first, with its counts of the first `n` values, unless all its counts are 0.
 * `chosen` is the value that becomes the count of the stack. */
void heap_value_add(struct run *run, const struct ids *stack, const uint64_t *counts, size_t n,
		    enum heap_value chosen);
