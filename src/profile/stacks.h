/** Keep a set of stacks with their counts. If a stack is added again, the counts are added up. */
#pragma once

#include "base/buf.h"
#include "base/intern.h"
#include "profile/ids.h"

/** A stack that has not been looked up yet. */
struct stacks_pending {
	uint64_t hash, count;
	size_t size;  // size of the stack's key
	uint32_t *id; // set when the stack is looked up; may be NULL
};

/** An id that stands for no stack. */
#define STACKS_NONE UINT32_MAX

enum { STACKS_PENDING = 32 };

/** A zeroed set is empty. */
struct stacks {
	struct intern table; // keys are the packed ids of stacks; the value of a key is the count
			     // of the stack
	bool overflow;       // a count does not fit into 64 bits
	double squares;      // sum of the squares of all counts that stacks_add() got
	uint64_t deep_ids;   // number of ids in the stacks that stacks_take_deep() accepted
	struct stacks_pending pending[STACKS_PENDING]; // stacks that are not in the table yet
	size_t pending_n;
	struct buf pending_keys; // keys of all pending stacks, one after another
};

/** Add `count` to a stack of `depth` ids, root first. The ids must take less than a gigabyte. A
 * stack may be empty; a count may be 0. Some stacks are looked up later, at the latest by
 * stacks_settle(). */
void stacks_add(struct stacks *stacks, const uint32_t *ids, size_t depth, uint64_t count);

/** Add `count` to a stack as stacks_add() does, but look up the stack at once. Return its id. Ids
 * are 0, 1, 2 and so on, in order of arrival. */
uint32_t stacks_add_now(struct stacks *stacks, const uint32_t *ids, size_t depth, uint64_t count);

/**
 * Return whether a very deep stack may be added. The stack may be added if it is known already, or
 * if deep stacks do not take much memory yet. Without this limit, n stacks could take n² ids: each
 * stack could be one frame deeper than the previous stack.
 */
bool stacks_take_deep(struct stacks *stacks, const uint32_t *ids, size_t depth);

/** Look up all pending stacks. Before this call, do not read `table` or `overflow`. */
void stacks_settle(struct stacks *stacks);

/** A function that changes the ids of a stack. The function returns false to leave out the stack.
 */
typedef bool stacks_change(void *context, struct ids *stack);

/** Pass all stacks of `from` to `change`, and add the changed stacks. Call stacks_settle() on
 * `from` first. Return the new id of each stack, or STACKS_NONE for a stack that is left out. The
 * caller releases the ids with free(). */
uint32_t *stacks_merge(struct stacks *stacks, const struct stacks *from, stacks_change *change,
		       void *context);

/** Return a stack of the settled table. Its ids are in the table or in `room`, and are valid until
 * the next call with the same `room`. */
struct stack_row stacks_get(const struct stacks *stacks, uint32_t i, struct ids *room);

/** Return the count of a stack of the settled table. */
static inline uint64_t stacks_count(const struct stacks *stacks, uint32_t i) {
	return stacks->table.keys[i]->value;
}

void stacks_release(struct stacks *stacks);
