/**
 * Remember the starts of folded stacks that were read before. For a new stack, find the longest
 * known start: only the frames after this start are then looked up by name. A start consists of
 * whole pieces of 64 bytes, so most of a stack is hashed in large pieces.
 *
 * A start is recognised only by 96 bits of its hash. Among a billion starts, the probability that
 * two starts have the same bits is below 2^-36. The seed is random, so the author of an input
 * cannot choose starts with the same hash.
 */
#pragma once

#include "base/hash.h"
#include "base/str.h"

enum { PREFIX_PIECE = 64 };

struct prefix_slot {
	uint64_t low;
	uint32_t high; // a part of the hash
	uint32_t call; // call of the last complete frame; 0: the slot is free
};

/** A zeroed struct has no starts. */
struct prefixes {
	struct prefix_slot *slots;
	size_t n, mask;
	uint64_t seed;
	struct hash128 *hashes; // hashes of the starts that prefixes_find() may look up
	size_t hashes_n, hashes_capacity;
	size_t reach; // number of the longest starts of a stack to prefetch
};

/** Hash the starts of 1, 2, 3 and more pieces of a stack, and append the hashes to `hashes`.
 * Prefetch the memory that a lookup of the longest starts will read. Return the number of
 * hashes. */
size_t prefixes_hash(struct prefixes *prefixes, struct str stack);

/** Find the longest known start among `n` starts of a stack. The hashes of the starts are in
 * `prefixes`, from index `first` on. Return the number of pieces of this start. Set `*call` to the
 * call of the last frame that is complete in this start. If no start is known, return 0 and set
 * `*call` to the root. */
size_t prefixes_find(struct prefixes *prefixes, size_t first, size_t n, uint32_t *call);

/** Remember a start by its hash, with the call of its last complete frame. */
void prefixes_add(struct prefixes *prefixes, struct hash128 hash, uint32_t call);

void prefixes_release(struct prefixes *prefixes);
