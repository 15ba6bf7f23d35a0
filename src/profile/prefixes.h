/**
 * Starts of folded stacks that have been read, to continue a stack after the longest one that is
 * known. Only starts of whole pieces are kept: of 64 bytes, 128, 192 ... So most of a stack is
 * hashed in large pieces, and only the frames after the last known piece are looked up by name.
 *
 * A start is recognised by its hash alone. 96 bits of it are kept: among a billion starts, the
 * chance that any two have the same ones is below 2^-36. The seed is random, so the author of an
 * input cannot choose starts with the same hash.
 */
#ifndef INFERNO_PREFIXES_H
#define INFERNO_PREFIXES_H

#include "base/hash.h"
#include "base/str.h"

enum { PREFIX_PIECE = 64 };

struct prefix_slot {
	uint64_t low;
	uint32_t high; // part of it
	uint32_t call; // 0: free
};

/** A zeroed struct knows no starts. */
struct prefixes {
	struct prefix_slot *slots;
	size_t n, mask;
	uint64_t seed;
	struct hash128 *hashes; // hashes of starts that may be looked up
	size_t hashes_n, hashes_capacity;
	size_t reach; // how many of a stack's longest starts to prefetch
};

/** Hash the starts of a stack of 1, 2, 3 ... pieces, and append the hashes. Prefetch what looking
 * up the longest will read. Return how many there are. */
size_t prefixes_hash(struct prefixes *prefixes, struct str stack);

/** Find the longest known of `n` starts of a stack, whose hashes begin at index `first`. Return the
 * number of its pieces, and set `*call` to the last call that is complete there; 0 and the root if
 * none is known. */
size_t prefixes_find(struct prefixes *prefixes, size_t first, size_t n, uint32_t *call);

/** Remember in which call a start ends. */
void prefixes_add(struct prefixes *prefixes, struct hash128 hash, uint32_t call);

void prefixes_release(struct prefixes *prefixes);

#endif
