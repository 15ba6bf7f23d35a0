/*
 * Reverse stacks, so that the leaf comes first.
 *
 * A reversed stack is the path from a call to the root. This file calls such a path a way. The ways
 * of a recursion of depth n have about n² frames together, so they are not compared frame by frame.
 * Instead, all calls are ranked by the first frame of their ways, then by the first two, four,
 * eight frames, and so on. To compare two calls by 2n frames, compare their ranks by n frames. If
 * these ranks are equal, the next n frames decide: compare the ranks by n frames of the two calls
 * that are n steps closer to the root. After this, stacks are added in sorted order, so
 * only the frames that a stack does not share with the previous stack are added.
 *
 * When the ranks of two neighbours become different, the number of frames that they share is known.
 * This number is n plus the number of frames that the ways of the calls n steps closer to the root
 * share. The latter is the smallest number of shared frames of all neighbours between the ranks of
 * these two calls.
 */
#include <stdlib.h>

#include "profile/profile.h"

struct ways {
	struct calls *calls;
	uint32_t n;
	uint32_t deepest; // number of frames in the longest way
	uint32_t frames;  // number of frames of each way that were compared already
	uint32_t *ranks;  // rank of each call; the root has the rank 0
	uint32_t ranks_n;
	uint32_t *beyond;       // for each call, the call that is `frames` steps closer to the root
	uint32_t *order;        // the calls by rank
	uint32_t *room, *later; // scratch memory for the next order and ranks
	uint32_t *moved; // for each call, the new call in which its reversed stack ends; may be
			 // NULL
	// The smallest numbers of frames that neighbours share, as a binary tree in which node i
	// has the children 2i and 2i+1. Leaf `leaves` + r is for ranks r-1 and r.
	uint32_t *shared, *next_shared;
	uint32_t leaves;
};

/** Return the id of `trimmed`, which is the name `id` without the blanks at one of its ends. */
static uint32_t reverse_trim(struct profile *profile, uint32_t id, struct str trimmed) {
	return trimmed.n == profile_name(profile, id).n ? id : profile_text_frame(profile, trimmed);
}

/** Rank calls by the id of one frame. The old root ends a reversed stack, so remove blanks at the
 * end of its name. */
static void reverse_rank_by_one(struct ways *ways, struct profile *profile) {
	for (uint32_t i = 1; i < ways->n; i++) {
		struct call_item *call = &ways->calls->items[i];
		if (call->depth == 1) {
			struct str name = str_trim_end(profile_name(profile, call->name));
			call->name = reverse_trim(profile, call->name, name) & MOST_CALLS;
		}
		ways->ranks[i] = call->name + UINT32_C(1);
		ways->beyond[i] = ways->calls->links[i].parent;
		ways->order[i] = i;
		ways->deepest = call->depth > ways->deepest ? call->depth : ways->deepest;
	}
	ways->frames = 1;
	ways->ranks_n = names_count(&profile->names) + 1;
	ways->leaves = ways->n > ways->ranks_n ? ways->n : ways->ranks_n;
	ways->shared = mem_new(ways->leaves, 2 * sizeof(*ways->shared));
	ways->next_shared = mem_new(ways->leaves, 2 * sizeof(*ways->shared));
}

/** Sort calls by `numbers`, which are less than `bound`. Calls with equal numbers keep their
 * order. */
static void reverse_sort_by(const uint32_t *numbers, uint32_t bound, const uint32_t *from,
			    uint32_t *to, uint32_t n) {
	uint32_t *starts = mem_new((size_t)bound + 1, sizeof(*starts));
	for (uint32_t i = 0; i < n; i++) {
		starts[numbers[i] + 1]++;
	}
	for (uint32_t i = 0; i < bound; i++) {
		starts[i + 1] += starts[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		to[starts[numbers[from[i]]]++] = from[i];
	}
	free(starts);
}

static uint32_t reverse_less(uint32_t a, uint32_t b) {
	return a < b ? a : b;
}

/** Return the number of frames that two ways share. `from` is the lower and `to` the higher of
 * their ranks. */
static uint32_t reverse_shared(const struct ways *ways, uint32_t from, uint32_t to) {
	uint32_t least = UINT32_MAX;
	size_t a = (size_t)ways->leaves + from + 1, b = (size_t)ways->leaves + to + 1;
	for (; a < b; a /= 2, b /= 2) {
		least = a % 2 == 1 ? reverse_less(least, ways->shared[a++]) : least;
		least = b % 2 == 1 ? reverse_less(least, ways->shared[--b]) : least;
	}
	return least;
}

/** Compute the smallest number below each node of the tree `shared`, starting at the leaves. Ways
 * that differ in the first frame share no frames. */
static void reverse_find_least(struct ways *ways) {
	uint32_t *shared = ways->shared;
	for (size_t i = ways->leaves - 1; i > 0 && ways->frames > 1; i--) {
		shared[i] = reverse_less(shared[2 * i], shared[2 * i + 1]);
	}
}

/** Give new ranks to the calls, which are sorted by twice as many frames as before. */
static void reverse_rank(struct ways *ways) {
	uint32_t rank = 0, first_before = 0, later_before = 0, frames = ways->frames;
	const uint32_t *leaves = ways->shared + ways->leaves;
	uint32_t *next = ways->next_shared + ways->leaves + 1;
	for (uint32_t i = 0; i < ways->n; i++) {
		uint32_t call = ways->order[i], first = ways->ranks[call],
			 later = ways->later[call];
		if (first != first_before) {
			next[rank++] = leaves[first];
		} else if (later != later_before) {
			next[rank++] =
				frames +
				(frames == 1 ? 0 : reverse_shared(ways, later_before, later));
		}
		ways->ranks[call] = rank;
		first_before = first;
		later_before = later;
	}
	ways->ranks_n = rank + 1;
	ways->next_shared = ways->shared;
	ways->shared = next - ways->leaves - 1;
}

/** Rank calls by twice as many frames as before. */
static void reverse_rank_by_twice(struct ways *ways) {
	for (uint32_t i = ways->n; i-- > 0;) { // a caller has a smaller index than its callee
		ways->later[i] = ways->ranks[ways->beyond[i]];
		ways->beyond[i] = ways->beyond[ways->beyond[i]];
	}
	reverse_sort_by(ways->later, ways->ranks_n, ways->order, ways->room, ways->n);
	reverse_sort_by(ways->ranks, ways->ranks_n, ways->room, ways->order, ways->n);
	reverse_find_least(ways);
	reverse_rank(ways);
	ways->frames *= 2;
}

enum { NEAR = 64 }; // number of frames in a short way

/** Set `beyond` to jumps along the ways, so that any call of a long way is reached in fewer than a
 * hundred jumps and steps. */
static void reverse_make_jumps(struct ways *ways) {
	const struct call_item *items = ways->calls->items;
	uint32_t *jumps = ways->beyond;
	for (uint32_t i = 1; i < ways->n && ways->deepest > NEAR; i++) {
		uint32_t step = ways->calls->links[i].parent, jump = jumps[step];
		bool alike = items[step].depth - items[jump].depth ==
			     items[jump].depth - items[jumps[jump]].depth;
		jumps[i] = alike ? jumps[jump] : step;
	}
}

/** Return the call with this depth on a way. */
static uint32_t reverse_at_depth(const struct ways *ways, uint32_t call, uint32_t depth) {
	const struct call_item *items = ways->calls->items;
	while (items[call].depth > depth) {
		uint32_t jump = ways->deepest > NEAR ? ways->beyond[call] : 0;
		call = items[jump].depth >= depth ? jump : ways->calls->links[call].parent;
	}
	return call;
}

/** Add the reversed stack of a call. Its first `shared` frames are the same as in the previous
 * stack. `ids` has room for the ids of the stack. */
static void reverse_add(const struct ways *ways, struct profile *profile, uint32_t call,
			uint32_t shared, uint32_t *ids) {
	const struct call_item *items = ways->calls->items, *stack = &items[call];
	uint32_t at = reverse_at_depth(ways, call, stack->depth - shared);
	for (uint32_t d = shared; d < stack->depth; d++) {
		ids[d] = items[at].name;
		at = ways->calls->links[at].parent;
	}
	if (shared == 0 && stack->depth > 0) {
		ids[0] = reverse_trim(profile, ids[0],
				      str_trim_start(profile_name(profile, ids[0])));
	}
	struct stack_row row = {.ids = ids,
				.depth = stack->depth,
				.count = stack->count,
				.before = calls_before(ways->calls, call),
				.two_counts = stack->two_counts};
	profile->overflow |= !calls_add(&profile->calls, &row, shared);
	if (ways->moved != NULL) {
		ways->moved[call] = calls_last(&profile->calls);
	}
}

/** Return the number of frames that the reversed stack of `call` shares with the last reversed
 * stack. Set `*before` to the rank of `call`. `*shared` is the smallest number of frames that
 * neighbours share since the last reversed stack. */
static uint32_t reverse_visit(const struct ways *ways, uint32_t call, uint32_t *before,
			      uint32_t *shared) {
	uint32_t rank = ways->ranks[call];
	if (rank != *before) {
		*shared = reverse_less(*shared, ways->shared[ways->leaves + rank]);
	}
	*before = rank;
	return reverse_less(*shared, ways->calls->items[call].depth);
}

/** Return whether the reversed stacks have far more frames than those of any real program. */
static bool reverse_is_too_much(const struct ways *ways) {
	enum { MANY = 5000000, TIMES = 64 };
	uint32_t before = 0, shared = 0;
	uint64_t frames = 0;
	for (uint32_t i = 0; i < ways->n; i++) {
		uint32_t call = ways->order[i];
		uint32_t found = reverse_visit(ways, call, &before, &shared);
		if (ways->calls->items[call].is_stack) {
			frames += ways->calls->items[call].depth - found;
			shared = UINT32_MAX;
		}
	}
	return frames > MANY && frames / TIMES > ways->n;
}

/** Add the reversed stacks in sorted order. */
static void reverse_add_ways(const struct ways *ways, struct profile *profile) {
	uint32_t *ids = mem_new(ways->deepest, sizeof(*ids)), before = 0, shared = 0;
	for (uint32_t i = 0; i < ways->n; i++) {
		uint32_t call = ways->order[i];
		uint32_t found = reverse_visit(ways, call, &before, &shared);
		if (ways->calls->items[call].is_stack) {
			reverse_add(ways, profile, call, found, ids);
			shared = UINT32_MAX;
		}
	}
	free(ids);
}

static void reverse_ways_release(struct ways *ways) {
	free(ways->ranks);
	free(ways->beyond);
	free(ways->order);
	free(ways->room);
	free(ways->later);
	free(ways->moved);
	free(ways->shared);
	free(ways->next_shared);
}

bool profile_reverse(struct profile *profile) {
	struct calls calls = profile->calls;
	struct ways ways = {.calls = &calls, .n = (uint32_t)calls.n};
	if (calls.n == 0) {
		return true;
	}
	calls_link(&calls);
	ways.ranks = mem_new(calls.n, sizeof(*ways.ranks));
	ways.beyond = mem_new(calls.n, sizeof(*ways.beyond));
	ways.order = mem_new(calls.n, sizeof(*ways.order));
	ways.room = mem_new(calls.n, sizeof(*ways.room));
	ways.later = mem_new(calls.n, sizeof(*ways.later));
	ways.moved = calls.ends == NULL ? NULL : calls_unmoved(calls.n);
	reverse_rank_by_one(&ways, profile);
	do {
		reverse_rank_by_twice(&ways);
	} while (ways.ranks_n < ways.n && ways.deepest > ways.frames);
	reverse_make_jumps(&ways);
	profile->calls = (struct calls){0};
	bool fits = !(ways.deepest > NEAR && reverse_is_too_much(&ways));
	if (fits) {
		reverse_add_ways(&ways, profile);
	}
	if (fits && ways.moved != NULL) {
		profile->calls.ends = calls.ends;
		profile->calls.ends_n = calls.ends_n;
		calls.ends = NULL;
		calls_move_ends(&profile->calls, ways.moved);
	}
	reverse_ways_release(&ways);
	calls_release(&calls);
	return fits;
}
