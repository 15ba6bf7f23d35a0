/** The mappings of a process or of the kernel, without overlaps. Copies share their parts until one
 * changes: a fork costs nothing, and a change after it the logarithm of the number of mappings. */
#ifndef INFERNO_PERFDATA_MAPPINGS_H
#define INFERNO_PERFDATA_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

struct image;

struct mapping {
	uint64_t start, end;
	uint64_t offset; // file offset of `start`
	struct image *image;
	bool executable;
};

struct mapping_node;

/** Zeroed ones are empty. */
struct mappings {
	struct mapping_node *root;
	uint32_t id; // id of this state; copies keep it
};

/** Make `copy`, which was initialized, equal to `mappings`. */
void mappings_copy(struct mappings *copy, const struct mappings *mappings);

/** Add a mapping over others. Keep the parts of them that it does not cover. */
void mappings_lay_over(struct mappings *mappings, const struct mapping *mapping);

/** Remove the mapping that starts at an address, if there is one. */
void mappings_cut_out(struct mappings *mappings, uint64_t start);

/** Return the first mapping that ends after an address; NULL if none does. So the mapping that
 * follows another is mappings_next(mappings, other->end). */
const struct mapping *mappings_next(const struct mappings *mappings, uint64_t address);

/** Return the mapping that holds the address; NULL if none does. */
const struct mapping *mappings_find(const struct mappings *mappings, uint64_t address);

void mappings_release(struct mappings *mappings);

#endif
