/**
 * Store stacks as a tree of calls, in order of arrival. Frames that a stack shares with the
 * previous stack are not added again. So if stacks come in sorted order, each call is added once.
 * If stacks are not sorted, a caller may get several callees with the same name, unless
 * calls_look_up() was called. Code that reads the tree must treat such callees as one call.
 *
 * Calls without links are in preorder, so the depths of the calls define their callers.
 * calls_link() makes links, and other functions call it if they need links. To draw sorted text, no
 * links are needed.
 */
#pragma once

#include "profile/ids.h"

/** The limit for indices of calls, ids of names, and depths. */
enum { MOST_CALLS = INT32_MAX };

/** An index that stands for no call. */
#define CALLS_NONE UINT32_MAX

/** A call: a frame together with its callers. */
struct call_item {
	uint64_t count;     // count of the stack that ends in this call; in a comparison, the count
			    // in the later profile
	uint32_t name : 31; // id of the name of the frame
	uint32_t is_stack : 1;   // a stack ends in this call
	uint32_t depth : 31;     // 0: the root, which is part of every stack and has no name
	uint32_t two_counts : 1; // the stack that ends in this call also has a count in an earlier
				 // profile
};

/** The links of a call to its neighbours in the tree. */
struct call_link {
	uint32_t parent; // the caller, which has a smaller index
	uint32_t child;  // first call in the list of the call's callees; 0: the call has no callees
	uint32_t next;   // next call in the list of the caller's callees; the newest callee is the
			 // first; 0: end of the list
	bool several;    // the call has more than one callee
	bool mixed;      // the callees of the call are not sorted; set by calls_rename()
};

struct call_slot {
	uint32_t parent, name;
	uint32_t call; // 0: the slot is free; the root, whose index is 0, is never in the table
};

/** A zeroed struct has no calls. */
struct calls {
	struct call_item *items; // the calls; the first call is the root
	size_t n, capacity;
	struct call_link *links; // link of each call; NULL: no links, because the calls are in
				 // preorder
	size_t links_capacity;
	size_t in_order; // if `in_order` equals `n`, the callees of each caller are in the order of
			 // their names, except the calls in `odd`
	struct ids odd;
	size_t stacks;   // number of items in which a stack ends
	uint64_t sum;    // sum of all counts, if it fits into 64 bits
	bool too_large;  // the sum does not fit into 64 bits
	bool two_counts; // some stack has a count in an earlier profile
	uint32_t *path;  // calls of the last stack, root first
	size_t path_n, path_capacity;
	uint64_t *before; // for each call, the count of its stack in the earlier profile; see
			  // calls_before()
	size_t before_n, before_capacity;
	uint32_t *ends; // for each id of a stack, the call in which the stack ends, or CALLS_NONE
			// if the stack was left out; updated when calls move; NULL: not needed
	size_t ends_n;
	// table of the calls whose callers have several callees, for calls_look_up()
	struct call_slot *slots;
	size_t slots_n, slots_mask;
	uint64_t seed;
};

/** Make the links between calls. Calls that are added later get links, too. */
void calls_link(struct calls *calls);

/** Add a stack whose first `shared` frames are the same as those of the previous stack. Set
 * `too_large` if the sum of all counts does not fit into 64 bits. Return false if the count was not
 * added, because the count of the empty stack would not fit. */
bool calls_add(struct calls *calls, const struct stack_row *stack, size_t shared);

/** The last frames of a stack. The first frames of the stack are already in the tree of calls. */
struct call_tail {
	uint32_t call;        // the call of the last frame that is in the tree; 0: the root
	size_t found;         // number of frames of `row` that are calls already
	struct stack_row row; // the last frames, at least one; calls_add_tails() replaces their ids
			      // by indices of calls
};

enum { MOST_TAILS = 64 };

/** Add the tails of up to MOST_TAILS stacks. Call calls_look_up() first, because this function
 * looks up each frame. Set `too_large` as calls_add() does. Return false if a count was not
 * added. */
bool calls_add_tails(struct calls *calls, struct call_tail *tails, size_t n);

/** Add all calls of `from`. `ids` has the new id of each name of `from`. If both trees have `ends`,
 * append the ends of `from` to the existing ends. Return false if a count does not fit into 64
 * bits. */
bool calls_append(struct calls *calls, const struct calls *from, const uint32_t *ids);

/** Replace each call by a chain of calls. The ids in `names[name]` are the names of these calls. If
 * `names` is NULL, keep each call. Join calls and stacks that become equal. Return false if a count
 * does not fit into 64 bits. */
bool calls_split(struct calls *calls, const struct ids *names);

/** Turn the calls into a comparison: the counts of `calls` are the counts of the earlier profile,
 * and the counts of `after` are the counts of the later profile. `ids` has the new id of each name
 * of `after`. */
void calls_compare(struct calls *calls, const struct calls *after, const uint32_t *ids);

/** Add the counts of the stack that ends in the call `from` to the counts of the stack that ends in
 * the call `into`. The sum of all counts must fit into 64 bits. */
void calls_add_counts(struct calls *calls, uint32_t into, uint32_t from);

/**
 * Replace each id of a name by `ids[name]`. If the calls have links, or if some callees were not
 * added in the order of their ids, link all calls and reverse the lists of callees. A reversed list
 * is sorted if its callees were added in the order of their ids. Otherwise, mark the caller as
 * `mixed`. After this function, no calls can be added.
 */
void calls_rename(struct calls *calls, const uint32_t *ids);

/** Replace all calls by `n` other calls, which are in preorder and in the order of names. Take
 * ownership of `items` and `before`. `before` is NULL or has `n` items. After this function, no
 * calls can be added. */
void calls_replace(struct calls *calls, struct call_item *items, uint64_t *before, size_t n);

/** From now on, look up each call before adding it, so that a caller never gets the same callee
 * twice. Call this function if stacks are not sorted. */
void calls_look_up(struct calls *calls);

/** Return the call in which the last added stack ends. */
static inline uint32_t calls_last(const struct calls *calls) {
	return calls->path[calls->path_n - 1];
}

/** Return an array for the new indices of `n` calls, filled with CALLS_NONE. The caller releases
 * the array with free(). */
uint32_t *calls_unmoved(size_t n);

/** Replace the indices of the calls in which stacks end by their new indices. */
void calls_move_ends(struct calls *calls, const uint32_t *new_calls);

/** Release the table that calls_look_up() made. */
void calls_drop_table(struct calls *calls);

/** Return the count of a call's stack in the earlier profile, or 0 if there is none. */
static inline uint64_t calls_before(const struct calls *calls, size_t call) {
	return call < calls->before_n ? calls->before[call] : 0;
}

/** Write the ids of the stack that ends in a call to `ids`, which must have room for them. Return
 * the stack. Call calls_link() first. */
struct stack_row calls_stack(const struct calls *calls, size_t call, uint32_t *ids);

void calls_release(struct calls *calls);
