/**
 * Stacks as a tree of calls, in order of arrival. The first frames of a stack that equal the first
 * frames of the previous stack are not added again. If stacks come in sorted order, each call is
 * added once. If stacks are not sorted, a caller may get several callees with the same name, unless
 * calls_look_up() was called. Code that walks the tree must treat such callees as one call.
 *
 * Calls are kept in preorder, so the depths of the calls define their callers. Links between calls
 * are made only to look up calls, to sort calls, or to find the callers of a call. Drawing sorted
 * text needs no links.
 */
#ifndef INFERNO_CALLS_H
#define INFERNO_CALLS_H

#include "profile/ids.h"

/** The largest index of a call, id of a name, and depth. */
enum { MOST_CALLS = INT32_MAX };

/** The index that means no call. */
#define CALLS_NONE UINT32_MAX

/** A frame with its callers. */
struct call_item {
	uint64_t count;     // count of the stack that ends here; in a comparison, its count in the
			    // later profile
	uint32_t name : 31; // the id of a frame
	uint32_t is_stack : 1;   // a stack ends here
	uint32_t depth : 31;     // 0: the root, which is part of every stack and has no name
	uint32_t two_counts : 1; // the stack that ends here also has a count in an earlier profile
};

/** The links of a call to its neighbours in the tree. */
struct call_link {
	uint32_t parent; // the caller, which has a smaller index
	uint32_t child;  // first call in the list of its callees; 0: it has no callees
	uint32_t next;   // next call in the list of its caller's callees, in which the newest call
			 // comes first; 0: this is the last call
	bool several;    // the call has more than one callee
	bool mixed;      // the callees of the call are not sorted; set by calls_rename()
};

struct call_slot {
	uint32_t parent, name;
	uint32_t call; // 0: the slot is free, since nothing calls the root
};

/** A zeroed struct has no calls. */
struct calls {
	struct call_item *items; // the first call is the root
	size_t n, capacity;
	struct call_link *links; // links by call; NULL: the calls are in preorder; see calls_link()
	size_t links_capacity;
	size_t in_order; // if this is `n`, the callees of each caller are in the order of their
			 // names, except for the calls in `odd`
	struct ids odd;
	size_t stacks;   // number of items in which a stack ends
	uint64_t sum;    // sum of all counts, if it fits into 64 bits
	bool too_large;  // the sum does not fit
	bool two_counts; // some stack has a count in an earlier profile
	uint32_t *path;  // calls of the last stack, root first
	size_t path_n, path_capacity;
	uint64_t *before; // by call: count of its stack in the earlier profile; see calls_before()
	size_t before_n, before_capacity;
	uint32_t *ends; // by stack id: the call in which it ends, CALLS_NONE if the stack was left
			// out; NULL: not needed. Kept up to date when calls move.
	size_t ends_n;
	// for calls_look_up(): table of calls whose callers have several callees
	struct call_slot *slots;
	size_t slots_n, slots_mask;
	uint64_t seed;
};

/** Make the links between calls. Later calls get links, too. */
void calls_link(struct calls *calls);

/** Add a stack whose first `shared` frames are the same as those of the previous stack. Return
 * false if the sum of its counts does not fit into 64 bits. */
bool calls_add(struct calls *calls, const struct stack_row *stack, size_t shared);

/** The tail of a stack: its last frames. The first frames of the stack are in the tree of calls
 * already. */
struct call_tail {
	uint32_t call;        // the last call of the first frames; 0: the root
	size_t found;         // number of frames of `row` that are calls already
	struct stack_row row; // the other frames, at least one; calls_add_tails() replaces their
			      // ids by calls
};

enum { MOST_TAILS = 64 };

/** Add the tails of up to MOST_TAILS stacks. This function looks up each frame, so calls_look_up()
 * must have been called. Return false if a count no longer fits into 64 bits. */
bool calls_add_tails(struct calls *calls, struct call_tail *tails, size_t n);

/** Add all calls of `from`. `ids` has the new id of each name of `from`. If both trees have ends of
 * stacks, append the ends of `from` to the existing ends. Return false if a count does not fit. */
bool calls_append(struct calls *calls, const struct calls *from, const uint32_t *ids);

/** Replace every call by a chain of calls whose names are the ids in `names[name]`. If `names` is
 * NULL, keep every call. Join calls and stacks that become equal. Return false if a count does not
 * fit. */
bool calls_split(struct calls *calls, const struct ids *names);

/** Turn the calls into a comparison: the present counts become the counts of the earlier profile,
 * and the counts of `after` become the counts of the later profile. `ids` has the new id of each
 * name of `after`. */
void calls_compare(struct calls *calls, const struct calls *after, const uint32_t *ids);

/** Add the counts of the stack that ends in one call to the counts of the stack that ends in
 * another call. The sum of all counts must fit into 64 bits. */
void calls_add_counts(struct calls *calls, uint32_t into, uint32_t from);

/**
 * Give every name the id `ids[name]`. If the calls have links, or if some calls did not come in the
 * order of their ids, link all calls and reverse the lists of callees. Reversing a list sorts the
 * callees if they were added in the order of their ids. If the callees of a caller were added in
 * another order, the caller is marked as `mixed`. No calls can be added afterwards.
 */
void calls_rename(struct calls *calls, const uint32_t *ids);

/** Replace all calls by `n` other calls, which are in preorder and in the order of names. Take
 * ownership of `items` and `before`. `before` is NULL or has `n` items. No calls can be added
 * afterwards. */
void calls_replace(struct calls *calls, struct call_item *items, uint64_t *before, size_t n);

/** From now on, look up each call before adding it, so that a caller never gets the same callee
 * twice. Call this for stacks that are not sorted. */
void calls_look_up(struct calls *calls);

/** Return the call in which the last added stack ends. */
static inline uint32_t calls_last(const struct calls *calls) {
	return calls->path[calls->path_n - 1];
}

/** Return an array for the new numbers of `n` calls, filled with CALLS_NONE. The caller releases
 * the array with free(). */
uint32_t *calls_unmoved(size_t n);

/** Replace the calls in which stacks end by their new numbers. */
void calls_move_ends(struct calls *calls, const uint32_t *new_calls);

/** Release the table that calls_look_up() made. */
void calls_drop_table(struct calls *calls);

/** Return the count of a call's stack in the earlier profile. */
static inline uint64_t calls_before(const struct calls *calls, size_t call) {
	return call < calls->before_n ? calls->before[call] : 0;
}

/** Write the ids of the stack that ends in a call to `ids`, which must have room for them. Return
 * the stack. Call calls_link() before. */
struct stack_row calls_stack(const struct calls *calls, size_t call, uint32_t *ids);

void calls_release(struct calls *calls);

#endif
