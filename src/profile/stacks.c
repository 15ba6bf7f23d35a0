/* Keep a counted set of stacks. */
#include "profile/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

void ids_release(struct ids *ids) {
	free(ids->items);
	*ids = (struct ids){0};
}

// The compiler turns loops over this number of ids into vector instructions.
enum { AT_ONCE = 8 };

/** Copy ids as numbers of two bytes. Return the bitwise OR of all ids. If the result has more than
 * 16 bits, at least one id did not fit. */
static uint32_t stacks_narrow(uint16_t *restrict to, const uint32_t *restrict ids, size_t n) {
	uint32_t all[AT_ONCE] = {0};
	size_t done = 0;
	for (; done + AT_ONCE <= n; done += AT_ONCE) {
		for (size_t i = 0; i < AT_ONCE; i++) {
			to[done + i] = (uint16_t)ids[done + i];
			all[i] |= ids[done + i];
		}
	}
	for (; done < n; done++) {
		to[done] = (uint16_t)ids[done];
		all[0] |= ids[done];
	}
	return all[0] | all[1] | all[2] | all[3] | all[4] | all[5] | all[6] | all[7];
}

/** Copy ids of two bytes as ids of four. */
static void stacks_widen(uint32_t *restrict to, const uint16_t *restrict ids, size_t n) {
	size_t done = 0;
	for (; done + AT_ONCE <= n; done += AT_ONCE) {
		for (size_t i = 0; i < AT_ONCE; i++) {
			to[done + i] = ids[done + i];
		}
	}
	for (; done < n; done++) {
		to[done] = ids[done];
	}
}

/**
 * Pack ids into a key after the pending keys. Return the size of the key. If all ids fit, each has
 * two bytes, which halves the memory of most profiles. If an id does not fit, each id has four
 * bytes, and a byte of 0 after the ids makes the size odd.
 */
static size_t stacks_pack(struct stacks *stacks, const uint32_t *ids, size_t depth) {
	char *room = buf_room(&stacks->pending_keys, (depth + 1) * sizeof(*ids));
	if (stacks_narrow((void *)room, ids, depth) <= UINT16_MAX) {
		return depth * sizeof(uint16_t);
	}
	memcpy(room, ids, depth * sizeof(*ids));
	room[depth * sizeof(*ids)] = '\0';
	return depth * sizeof(*ids) + 1;
}

/** Return the distance from a pending key of `size` bytes to the next key, which is aligned. */
static size_t stacks_stride(size_t size) {
	return (size + sizeof(uint32_t) - 1) & ~(sizeof(uint32_t) - 1);
}

void stacks_settle(struct stacks *stacks) {
	const char *key = stacks->pending_keys.p;
	// keys are far apart in memory, so prefetch the keys of all pending stacks
	for (size_t i = 0; i < stacks->pending_n; i++) {
		intern_guess(&stacks->table, stacks->pending[i].hash);
	}
	for (size_t i = 0; i < stacks->pending_n; i++) {
		struct stacks_pending stack = stacks->pending[i];
		struct intern_key *found =
			intern_get_hashed(&stacks->table, key, stack.size, stack.hash);
		stacks->overflow |= !num_add(found->value, stack.count, &found->value);
		if (stack.id != NULL) {
			*stack.id = found->id;
		}
		key += stacks_stride(stack.size);
	}
	stacks->pending_n = stacks->pending_keys.n = 0;
}

/**
 * Add a stack. Set `*id` to the id of the stack, at the latest in stacks_settle(). `id` may be
 * NULL.
 */
static inline void stacks_add_for(struct stacks *stacks, const uint32_t *ids, size_t depth,
				  uint64_t count, uint32_t *id) {
	if (stacks->table.count == 0) { // the table gets its seed for the hash with the first key
		uint32_t first = stacks_add_now(stacks, ids, depth, count);
		if (id != NULL) {
			*id = first;
		}
		return;
	}
	stacks->squares += (double)count * (double)count;
	if (stacks->pending_n == STACKS_PENDING) {
		stacks_settle(stacks);
	}
	size_t size = stacks_pack(stacks, ids, depth);
	uint64_t hash = hash_bytes(stacks->pending_keys.p + stacks->pending_keys.n, size,
				   stacks->table.seed);
	intern_prefetch_slot(&stacks->table, hash);
	stacks->pending[stacks->pending_n++] = (struct stacks_pending){hash, count, size, id};
	stacks->pending_keys.n += stacks_stride(size);
}

void stacks_add(struct stacks *stacks, const uint32_t *ids, size_t depth, uint64_t count) {
	stacks_add_for(stacks, ids, depth, count, NULL);
}

uint32_t stacks_add_now(struct stacks *stacks, const uint32_t *ids, size_t depth, uint64_t count) {
	size_t size = stacks_pack(stacks, ids, depth);
	struct intern_key *key =
		intern_get(&stacks->table, stacks->pending_keys.p + stacks->pending_keys.n, size);
	stacks->squares += (double)count * (double)count;
	stacks->overflow |= !num_add(key->value, count, &key->value);
	return key->id;
}

bool stacks_take_deep(struct stacks *stacks, const uint32_t *ids, size_t depth) {
	enum { IDS_MOST = 4 << 20 };
	if (depth <= IDS_MOST) {
		size_t size = stacks_pack(stacks, ids, depth);
		const char *key = stacks->pending_keys.p + stacks->pending_keys.n;
		if (intern_find(&stacks->table, key, size) != NULL) {
			return true;
		}
	}
	bool fits = stacks->deep_ids + depth <= IDS_MOST;
	stacks->deep_ids += fits ? depth : 0;
	return fits;
}

uint32_t *stacks_merge(struct stacks *stacks, const struct stacks *from, stacks_change *change,
		       void *context) {
	// keep the sum of the squares of single counts: stacks_add() would add squares of sums
	double squares = stacks->squares + from->squares;
	uint32_t *new_stacks = mem_new(from->table.count, sizeof(*new_stacks));
	struct ids stack = {0}, room = {0};
	for (uint32_t i = 0; i < from->table.count; i++) {
		struct stack_row row = stacks_get(from, i, &room);
		stack.n = 0;
		ids_add(&stack, row.ids, row.depth);
		if (change(context, &stack)) {
			stacks_add_for(stacks, stack.items, stack.n, row.count, &new_stacks[i]);
		} else {
			new_stacks[i] = STACKS_NONE;
		}
	}
	stacks_settle(stacks);
	stacks->overflow |= from->overflow;
	stacks->squares = squares;
	ids_release(&stack);
	ids_release(&room);
	return new_stacks;
}

struct stack_row stacks_get(const struct stacks *stacks, uint32_t i, struct ids *room) {
	struct intern_key *key = stacks->table.keys[i];
	bool is_narrow = key->len % 2 == 0;
	struct stack_row row = {.ids = (void *)key->bytes, .count = key->value, .id = i};
	row.depth = key->len / (uint32_t)(is_narrow ? sizeof(uint16_t) : sizeof(*row.ids));
	if (is_narrow) {
		room->items = mem_grow(room->items, &room->capacity, row.depth, sizeof(*row.ids));
		stacks_widen(room->items, (const void *)key->bytes, row.depth);
		row.ids = room->items;
	}
	return row;
}

void stacks_release(struct stacks *stacks) {
	intern_release(&stacks->table);
	buf_release(&stacks->pending_keys);
	*stacks = (struct stacks){0};
}
