/** The hash function of all tables: XXH3, inlined. Seeds differ from run to run, so that crafted
 * input cannot cause many collisions. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed) {
	return XXH3_64bits_withSeed(bytes, len, seed);
}

struct hash128 {
	uint64_t low, high;
};

/** Return the hash of a text. `bytes` are the last `len` bytes of the text, and `before` is the
 * hash of all bytes before them. For the first bytes of a text, put the seed into `before.low`. */
static inline struct hash128 hash_more(struct hash128 before, const void *bytes, size_t len) {
	XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, len, before.low);
	// Add the previous high half to the new one. Otherwise, two texts that once had equal low
	// halves would have equal hashes from then on.
	return (struct hash128){hash.low64,
				hash.high64 + before.high * UINT64_C(0x9E3779B97F4A7C15)};
}

/** Return a seed that differs from run to run. */
uint64_t hash_seed(void);
