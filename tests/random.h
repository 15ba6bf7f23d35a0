/** Random numbers that depend only on the state. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *random) {
	random->state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = random->state;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/** Return a random number below the limit, or 0 if the limit is 0. */
static inline size_t random_below(struct random *random, size_t limit) {
	return limit == 0 ? 0 : (size_t)(random_next(random) % limit);
}
