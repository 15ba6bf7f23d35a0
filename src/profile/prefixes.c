/* Store known starts of folded stacks in a table with open addressing. */
#include "profile/prefixes.h"

#include <stdlib.h>

#include "base/mem.h"

enum { FIRST_SLOTS = 1024 };

/** Find the start of a stack by its hash, `low` and `high`. Return the slot of the start. If the
 * start is not known, return the free slot for it. */
static struct prefix_slot *prefixes_find_slot(const struct prefixes *prefixes, uint64_t low,
					      uint32_t high) {
	size_t i = (size_t)low & prefixes->mask;
	struct prefix_slot *slot = &prefixes->slots[i];
	while (slot->call != 0 && (slot->low != low || slot->high != high)) {
		i = (i + 1) & prefixes->mask;
		slot = &prefixes->slots[i];
	}
	return slot;
}

static void prefixes_grow(struct prefixes *prefixes) {
	struct prefix_slot *old = prefixes->slots;
	size_t old_n = old == NULL ? 0 : prefixes->mask + 1;
	size_t n = old == NULL ? FIRST_SLOTS : mem_times(old_n, 2);
	prefixes->slots = mem_new(n, sizeof(*prefixes->slots));
	prefixes->mask = n - 1;
	for (size_t i = 0; i < old_n; i++) {
		if (old[i].call != 0) {
			*prefixes_find_slot(prefixes, old[i].low, old[i].high) = old[i];
		}
	}
	free(old);
}

size_t prefixes_hash(struct prefixes *prefixes, struct str stack) {
	size_t n = stack.n / PREFIX_PIECE;
	if (prefixes->slots == NULL) {
		prefixes->seed = hash_seed();
		prefixes_grow(prefixes);
	}
	MEM_GROW(prefixes->hashes, prefixes->hashes_capacity, prefixes->hashes_n + n);
	struct hash128 hash = {prefixes->seed, 0};
	for (size_t i = 0; i < n; i++) {
		hash = hash_more(hash, stack.p + i * PREFIX_PIECE, PREFIX_PIECE);
		prefixes->hashes[prefixes->hashes_n++] = hash;
		if (i + prefixes->reach >= n) {
			__builtin_prefetch(&prefixes->slots[hash.low & prefixes->mask]);
		}
	}
	return n;
}

size_t prefixes_find(struct prefixes *prefixes, size_t first, size_t n, uint32_t *call) {
	enum { KEEP = 7, OF = 8 };
	size_t known = n;
	for (*call = 0; known > 0; known--) {
		const struct hash128 *hash = &prefixes->hashes[first + known - 1];
		*call = prefixes_find_slot(prefixes, hash->low, (uint32_t)hash->high)->call;
		if (*call != 0) {
			break;
		}
	}
	// Prefetch twice the moving average of the number of starts that were looked up.
	prefixes->reach = (prefixes->reach * KEEP + 2 * (n - known + 1) + OF - 1) / OF;
	return known;
}

void prefixes_add(struct prefixes *prefixes, struct hash128 hash, uint32_t call) {
	struct prefix_slot *slot = prefixes_find_slot(prefixes, hash.low, (uint32_t)hash.high);
	if (slot->call == 0) {
		*slot = (struct prefix_slot){hash.low, (uint32_t)hash.high, call};
		if (++prefixes->n > prefixes->mask / 4 * 3) {
			prefixes_grow(prefixes);
		}
	}
}

void prefixes_release(struct prefixes *prefixes) {
	free(prefixes->slots);
	free(prefixes->hashes);
	*prefixes = (struct prefixes){0};
}
