/** The only hash function: XXH3, inlined. Each table has its own seed, so that crafted input cannot
 * fill it with collisions. */
#ifndef INFERNO_HASH_H
#define INFERNO_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed) {
	return XXH3_64bits_withSeed(bytes, len, seed);
}

/** Return a seed that differs from run to run. */
uint64_t hash_seed(void);

#endif
