/** Keep the mappings of a process or of the kernel. Mappings do not overlap. A copy shares the
 * nodes of the original until one of them changes. So a copy, which is made at each fork, takes
 * constant time. A change takes logarithmic time. */
#pragma once

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
	uint32_t id; // id of this state of the mappings; a copy has the same id
};

/** Make `copy` equal to `mappings`. `copy` must be zeroed or have mappings already. */
void mappings_copy(struct mappings *copy, const struct mappings *mappings);

/** Add a mapping. The new mapping replaces the parts of other mappings that it overlaps. */
void mappings_lay_over(struct mappings *mappings, const struct mapping *mapping);

/** Remove the mapping that starts at an address, if there is one. */
void mappings_cut_out(struct mappings *mappings, uint64_t start);

/** Return the first mapping that ends after an address, or NULL. To get the mapping after
 * `mapping`, pass `mapping->end`. */
const struct mapping *mappings_next(const struct mappings *mappings, uint64_t address);

/** Return the mapping that contains the address, or NULL. */
const struct mapping *mappings_find(const struct mappings *mappings, uint64_t address);

void mappings_release(struct mappings *mappings);
