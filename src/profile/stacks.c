/* A counted set of stacks. */
#include "profile/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

void ids_release(struct ids *ids) {
	free(ids->items);
	*ids = (struct ids){0};
}

void stacks_settle(struct stacks *stacks) {
	const uint32_t *ids = stacks->pending_ids.items; // NULL if no stack has a frame
	for (size_t i = 0; i < stacks->pending_n;
	     i++) { // far apart in memory, so prefetch them together
		intern_guess(&stacks->table, stacks->pending[i].hash);
	}
	for (size_t i = 0; i < stacks->pending_n; i++) {
		struct stacks_pending stack = stacks->pending[i];
		struct intern_key *key = intern_get_hashed(&stacks->table, ids,
							   stack.depth * sizeof(*ids), stack.hash);
		stacks->overflow |= !num_add(key->value, stack.count, &key->value);
		if (stack.id != NULL) {
			*stack.id = key->id;
		}
		ids = stack.depth == 0 ? ids : ids + stack.depth;
	}
	stacks->pending_n = stacks->pending_ids.n = 0;
}

/** Add a stack. Set `*id` to its id, at the latest when all are settled, unless it is NULL. */
static inline void stacks_add_for(struct stacks *stacks, const uint32_t *ids, size_t depth,
				  uint64_t count, uint32_t *id) {
	stacks->squares += (double)count * (double)count;
	if (stacks->table.count == 0) { // there is no seed to hash with yet
		intern_get(&stacks->table, ids, depth * sizeof(*ids))->value = count;
		if (id != NULL) {
			*id = 0;
		}
		return;
	}
	if (stacks->pending_n == STACKS_PENDING) {
		stacks_settle(stacks);
	}
	uint64_t hash = hash_bytes(ids, depth * sizeof(*ids), stacks->table.seed);
	intern_prefetch_slot(&stacks->table, hash);
	stacks->pending[stacks->pending_n++] = (struct stacks_pending){hash, count, depth, id};
	ids_add(&stacks->pending_ids, ids, depth);
}

void stacks_add(struct stacks *stacks, const uint32_t *ids, size_t depth, uint64_t count) {
	stacks_add_for(stacks, ids, depth, count, NULL);
}

uint32_t stacks_add_now(struct stacks *stacks, const uint32_t *ids, size_t depth, uint64_t count) {
	struct intern_key *key = intern_get(&stacks->table, ids, depth * sizeof(*ids));
	stacks->squares += (double)count * (double)count;
	stacks->overflow |= !num_add(key->value, count, &key->value);
	return key->id;
}

bool stacks_take_deep(struct stacks *stacks, const uint32_t *ids, size_t depth) {
	enum { IDS_MOST = 4 << 20 };
	if (depth <= IDS_MOST && intern_find(&stacks->table, ids, depth * sizeof(*ids)) != NULL) {
		return true;
	}
	bool fits = stacks->deep_ids + depth <= IDS_MOST;
	stacks->deep_ids += fits ? depth : 0;
	return fits;
}

uint32_t *stacks_merge(struct stacks *stacks, const struct stacks *from, stacks_change *change,
		       void *context) {
	double squares = stacks->squares + from->squares; // squares of single samples, not of sums
	uint32_t *new_stacks = mem_new(from->table.count, sizeof(*new_stacks));
	struct ids stack = {0};
	for (uint32_t i = 0; i < from->table.count; i++) {
		struct stack_row row = stacks_get(from, i);
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
	return new_stacks;
}

void stacks_release(struct stacks *stacks) {
	intern_release(&stacks->table);
	ids_release(&stacks->pending_ids);
	*stacks = (struct stacks){0};
}
