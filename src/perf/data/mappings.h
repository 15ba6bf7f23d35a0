/** The mappings of a process or of the kernel, without overlaps. Two copies share their nodes until
 * one of the copies changes. So copying the mappings at a fork takes constant time. A change after
 * the fork takes logarithmic time in the number of mappings. */
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

/** A zeroed struct has no mappings. */
struct mappings {
	struct mapping_node *root;
	uint32_t id; // id of this state; copies keep it
};

/** Make `copy` equal to `mappings`. `copy` must be zeroed or have mappings already. */
void mappings_copy(struct mappings *copy, const struct mappings *mappings);

/** Add a mapping. Where the new mapping overlaps other mappings, it replaces them. */
void mappings_lay_over(struct mappings *mappings, const struct mapping *mapping);

/** Remove the mapping that starts at an address, if there is one. */
void mappings_cut_out(struct mappings *mappings, uint64_t start);

/** Return the first mapping that ends after an address; or NULL. mappings_next(mappings,
 * mapping->end) returns the mapping that comes after `mapping`. */
const struct mapping *mappings_next(const struct mappings *mappings, uint64_t address);

/** Return the mapping that contains the address, or NULL. */
const struct mapping *mappings_find(const struct mappings *mappings, uint64_t address);

void mappings_release(struct mappings *mappings);

#endif
