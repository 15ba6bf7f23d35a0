/**
 * Stacks as a tree of calls, in the order in which they come: what a stack shares with the one
 * before it is there already. Sorted stacks give every call once. Others may give a caller several
 * calls of one name, until calls_look_up() has them found again; who walks the tree takes these as
 * one.
 */
#ifndef INFERNO_CALLS_H
#define INFERNO_CALLS_H

#include "profile/ids.h"

/** A frame under those that called it. */
struct call_item {
	uint64_t count;  // of the stack that ends here; of the only, or the later profile
	uint32_t name;   // the id of a frame
	uint32_t parent; // which comes before it
	uint32_t child;  // one of its calls, and
	uint32_t next;   // another one of its caller's: a list, the last first; 0: none
	uint32_t depth;  // 0: the root, which stands under every stack and has no name
	bool is_stack;   // a stack ends here
	bool two_counts; // one with a count of an earlier profile
	bool several;    // it has more than one call
	bool mixed;      // its calls are in no order; set by calls_rename()
};

struct call_slot {
	uint32_t parent, name;
	uint32_t call; // 0: free, since the root is nobody's call
};

/** Zeroed, it holds nothing. */
struct calls {
	struct call_item *items; // the first is the root
	size_t n, capacity;
	size_t stacks;   // how many of them are one
	uint64_t sum;    // of all counts, if it fits
	bool too_large;  // it does not
	bool two_counts; // some stack has a count of an earlier profile
	uint32_t *path;  // the calls of the stack that was added last, from the root on
	size_t path_n, path_capacity;
	uint64_t *before; // by call: its count in the earlier profile; see calls_before()
	size_t before_n, before_capacity;
	struct call_slot *slots; // of calls_look_up(): the calls of those with several
	size_t slots_n, slots_mask;
	uint64_t seed;
};

/**
 * Add a stack, which shares its first `shared` frames with the stack that was added last. False if
 * its count does not fit into 64 bits any more.
 */
bool calls_add(struct calls *calls, const struct stack_row *stack, size_t shared);

/** Add all of `from`; `ids` gives the id that each of its names has here. False if a count does
 * not fit. */
bool calls_append(struct calls *calls, const struct calls *from, const uint32_t *ids);

/**
 * Make the counts those of an earlier profile, and adds the stacks of `after` with theirs. `ids`
 * is as above.
 */
void calls_compare(struct calls *calls, const struct calls *after, const uint32_t *ids);

/** Add to a call's stack what that of another one counts; all counts together fit into 64 bits. */
void calls_add_counts(struct calls *calls, uint32_t into, uint32_t from);

/** Give every name the id `ids[name]` and turns the lists of calls, which sorts them if they came
 * in the order of their ids; else their caller is `mixed`. Nothing can be added then. */
void calls_rename(struct calls *calls, const uint32_t *ids);

/** From here on a call that its caller has already is found: for stacks in no order. */
void calls_look_up(struct calls *calls);

/** What a call's stack counted in the earlier profile. */
static inline uint64_t calls_before(const struct calls *calls, size_t call) {
	return call < calls->before_n ? calls->before[call] : 0;
}

/** The stack that ends in a call; its ids are put into `ids`, which has room for them. */
struct stack_row calls_stack(const struct calls *calls, size_t call, uint32_t *ids);

void calls_release(struct calls *calls);

#endif
