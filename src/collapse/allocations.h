/**
 * Stacks of allocations in the text of jemalloc and gperftools: addresses, and the objects and
 * bytes that each stack has in use and has allocated. The mappings come at the end of the file, so
 * the stacks have to be kept until then.
 */
#pragma once

#include "base/decimal.h"
#include "collapse/heap_values.h"
#include "collapse/native.h"

enum { ALLOCATION_VALUES = HEAP_PEAK_SPACE }; // number of values without those at the peak

/** The options of formats with such stacks, and the rows of these options. */
struct allocations_options {
	struct native_options native;
	unsigned value; // a value of enum heap_value
};

extern const struct opt allocations_rows[];

/** The table `values` of these formats. */
extern const struct collapser_value allocations_values[];

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

/** The first member of the state of a format with such stacks. */
struct allocations {
	STATE_HEAD(struct allocations_options);
	struct native *native;          // NULL before the first call of allocations_map_line()
	struct allocation_table stacks; // sums by stacks of addresses, leaf first
	struct allocation_table folded; // sums by stacks of frames, root first
	// `noted`: sums of the samples so far; `total`: sums in the header.
	struct allocation_counts noted, total;
	bool has_header, has_total, has_maps; // `has_header`: the first line was read
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

/** Add numbers to the sums of the stack whose return addresses, leaf first, were read last. Count a
 * sample. */
void allocations_add(struct allocations *allocations, const struct allocation_sums *sums);

/** Remember the numbers of a sample, to compare their sums with the header at the end. */
void allocations_note(struct allocations *allocations, const struct allocation_counts *counts);

/** Read the title of the list of mappings, or a line of the list. Return false for any other line.
 */
bool allocations_map_line(struct allocations *allocations, struct str line);

/** Return the factor by which to multiply the sampled objects and bytes of a stack, to estimate all
 * its allocations. `rate` is the mean number of bytes between two samples. An allocation of S bytes
 * is sampled with the probability 1 - e^(-S / rate). Use the mean size of the stack's samples as S.
 * If nothing was sampled, or if the rate is 0 or 1, return 1. */
double allocations_factor(const struct allocation_counts *counts, enum heap_value objects,
			  enum heap_value space, uint64_t rate);

/** Read the lines of a block. At the end of an input, add all stacks to the profile, and clear the
 * sums. Report an input that ends early. `state` is the state of the format. Return 0, or -1 if the
 * run must end. */
int allocations_block(void *state, const struct block *block,
		      int (*add_line)(void *state, struct str line, uint64_t number));

/** The functions `find_unit` and `release` of these formats. */
void allocations_find_unit(const void *state, struct buf *unit);
void allocations_release(void *state);
