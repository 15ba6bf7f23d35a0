/**
 * Stacks of allocations in the text of jemalloc and gperftools: addresses, and the objects and
 * bytes that each stack has in use and has allocated. The mappings come at the end of the file, so
 * the stacks have to be kept until then.
 */
#ifndef INFERNO_ALLOCATIONS_H
#define INFERNO_ALLOCATIONS_H

#include "base/decimal.h"
#include "collapse/heap_values.h"
#include "collapse/native.h"

enum { ALLOCATION_VALUES = HEAP_PEAK_SPACE }; // number of values without those at the peak

/** Exact sums, indexed by enum heap_value. */
struct allocation_sums {
	struct decimal of[ALLOCATION_VALUES];
};

/** Four numbers of the input, indexed by enum heap_value. */
struct allocation_counts {
	uint64_t of[ALLOCATION_VALUES];
};

/** Sums by key. A zeroed struct is empty. */
struct allocation_table {
	struct intern keys;
	struct allocation_sums *sums; // indexed by the key's id
	size_t capacity;
};

/** Initialise all members except `run` with zeros. */
struct allocations {
	struct run *run;
	struct native *native;          // NULL: no address was looked up yet
	struct allocation_table stacks; // sums by stacks of addresses, leaf first
	struct allocation_table folded; // sums by stacks of frames, root first
	// `noted`: sums of the samples so far; `total`: sums in the header.
	struct allocation_counts noted, total;
	bool has_total, has_maps, line_open; // `line_open`: the last line has no line end yet
	uint64_t *addresses; // addresses of the last call of allocations_take_addresses()
	size_t n, capacity;
	struct ids frames;
};

/** Cut the numbers `OBJECTS: BYTES [OBJECTS: BYTES]` off the front of a line. The first pair counts
 * memory in use, and the second pair all allocated memory. If a number in use is negative, store 0
 * as the number, and its absolute value in `negative`. Return false if a number is missing or has
 * more than 63 bits. */
bool allocations_take_counts(struct str *line, struct allocation_counts *counts,
			     struct allocation_counts *negative);

/** Read addresses, such as ` 0x12 0x34`, to the end of a line. Return false if the line contains
 * anything else. */
bool allocations_take_addresses(struct allocations *allocations, struct str line);

/** Add numbers to the stack with these return addresses, leaf first. */
void allocations_add(struct allocations *allocations, const struct allocation_sums *sums);

/** Note the numbers of a sample, to compare their sums with the header at the end. */
void allocations_note(struct allocations *allocations, const struct allocation_counts *counts);

/** Read the title of the list of mappings, or a line of the list. Return false for any other line.
 */
bool allocations_map_line(struct allocations *allocations, const struct native_options *options,
			  struct str line);

/** At the end of an input, add all stacks to the profile, and clear the sums. Report an input
 * that ends early. Return 0, or -1 if the run must end. */
int allocations_finish(struct allocations *allocations, enum heap_value chosen);

void allocations_release(struct allocations *allocations);

#endif
