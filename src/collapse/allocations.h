/**
 * Stacks of allocations in the text of jemalloc and gperftools: addresses, and the objects and
 * bytes that each stack has in use and has allocated. The mappings come last in such files, so the
 * stacks are kept until then.
 */
#ifndef INFERNO_ALLOCATIONS_H
#define INFERNO_ALLOCATIONS_H

#include "base/decimal.h"
#include "collapse/heap_values.h"
#include "collapse/native.h"

enum { ALLOCATION_VALUES = HEAP_PEAK_SPACE }; // without the peak

/** Exact sums, by enum heap_value. */
struct allocation_sums {
	struct decimal of[ALLOCATION_VALUES];
};

/** Four numbers of the input, by enum heap_value. */
struct allocation_counts {
	uint64_t of[ALLOCATION_VALUES];
};

/** Sums by key. A zeroed struct is empty. */
struct allocation_table {
	struct intern keys;
	struct allocation_sums *sums; // by the key's id
	size_t capacity;
};

/** Zero-initialise all but `run`. */
struct allocations {
	struct run *run;
	struct native *native;                 // NULL: none was needed yet
	struct allocation_table stacks;        // by addresses, leaf first
	struct allocation_table folded;        // by frames, root first
	struct allocation_counts noted, total; // of the samples so far; of the header
	bool has_total, has_maps, line_open;   // the last line has no end
	uint64_t *addresses;                   // of the last allocations_take_addresses()
	size_t n, capacity;
	struct ids frames;
};

/** Read the numbers from `O: B [O: B]`, in use and allocated, off the front of a line. Those in use
 * may be negative: they are 0 then, and `negative` has what they lack. Return false if they are
 * not there, or have over 63 bits. */
bool allocations_take_counts(struct str *line, struct allocation_counts *counts,
			     struct allocation_counts *negative);

/** Read addresses, such as ` 0x12 0x34`, to the end of a line. Return false if it has others. */
bool allocations_take_addresses(struct allocations *allocations, struct str line);

/** Add to the stack of these return addresses, leaf first. */
void allocations_add(struct allocations *allocations, const struct allocation_sums *sums);

/** Note the numbers of a sample, to be compared with those of the header. */
void allocations_note(struct allocations *allocations, const struct allocation_counts *counts);

/** Take the line before the list of mappings, or a line of the list. Return whether it is one. */
bool allocations_map_line(struct allocations *allocations, const struct native_options *options,
			  struct str line);

/** Add all stacks to the profile, at the end of an input, and forget them. Report an input that
 * ends early. Return 0, or -1 if the run must end. */
int allocations_finish(struct allocations *allocations, enum heap_value chosen);

void allocations_release(struct allocations *allocations);

#endif
