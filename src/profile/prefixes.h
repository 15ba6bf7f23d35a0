/**
 * The starts of folded stacks that were read before. For a new stack, the longest known start is
 * found, and only the frames after this start are looked up by name. Only starts of whole pieces
 * are kept: starts of 64, 128, 192 and more bytes. So most of a stack is hashed in large pieces.
 *
 * A start is recognised only by its hash, of which 96 bits are kept. Among a billion starts, the
 * probability that two have the same bits is below 2^-36. The seed is random, so the author of an
 * input cannot choose starts with the same hash.
 */
#ifndef INFERNO_PREFIXES_H
#define INFERNO_PREFIXES_H

#include "base/hash.h"
#include "base/str.h"

enum { PREFIX_PIECE = 64 };

struct prefix_slot {
	uint64_t low;
	uint32_t high; // a part of the hash
	uint32_t call; // 0: free
};

/** A zeroed struct has no starts. */
struct prefixes {
	struct prefix_slot *slots;
	size_t n, mask;
	uint64_t seed;
	struct hash128 *hashes; // hashes of the starts that prefixes_find() may look up
	size_t hashes_n, hashes_capacity;
	size_t reach; // how many of a stack's longest starts to prefetch
};

/** Hash the starts of a stack of 1, 2, 3 ... pieces, and append the hashes. Prefetch the memory
 * that a lookup of the longest starts will read. Return the number of hashes. */
size_t prefixes_hash(struct prefixes *prefixes, struct str stack);

/** Find the longest known start among `n` starts of a stack. The hashes of the starts are in
 * `prefixes`, from index `first` on. Return the number of pieces of this start, and set `*call` to
 * the call of the last frame that is complete in this start. If no start is known, return 0 and set
 * `*call` to the root. */
size_t prefixes_find(struct prefixes *prefixes, size_t first, size_t n, uint32_t *call);

/** Remember in which call a start ends. */
void prefixes_add(struct prefixes *prefixes, struct hash128 hash, uint32_t call);

void prefixes_release(struct prefixes *prefixes);

#endif
