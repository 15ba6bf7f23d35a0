/*
 * Stacks from the leaf to the root.
 *
 * A reversed stack is the way from a call to the root. Stacks of a deep recursion have the square
 * of its depth in frames, so ways are not compared frame by frame: all calls are ranked by the
 * first frame of their ways, then by the first two, four, eight and so on. Two ways compare in
 * 2n frames as the ranks of the first n do, then as those of the n frames from there on, which are
 * the ranks of the calls n steps further. Sorted, a stack has to make only those frames that it
 * does not share with the one before it.
 */
#include <stdlib.h>

#include "profile/profile.h"

/** Calls, compared by so many frames of their ways to the root. */
struct level {
	uint32_t *ranks;  // by call; the root's is 0
	uint32_t *beyond; // by call: the one that comes after these frames
	uint32_t ranks_n;
};

enum { MOST_LEVELS = 32 }; // depths have so many bits

struct ways {
	const struct calls *calls;
	uint32_t n;                       // of the calls
	uint32_t deepest;                 // how many frames the longest way has
	struct level levels[MOST_LEVELS]; // of 1, 2, 4 ... frames
	size_t levels_n;
	uint32_t *order;        // the calls by their rank of the last level
	uint32_t *room, *later; // for as many
};

static struct level *new_level(struct ways *ways) {
	struct level *level = &ways->levels[ways->levels_n++];
	level->ranks = mem_new(ways->n, sizeof(*level->ranks));
	level->beyond = mem_new(ways->n, sizeof(*level->beyond));
	return level;
}

/** Return the id of a name without blanks at an end. */
static uint32_t trim(struct profile *profile, uint32_t id, struct str trimmed) {
	return trimmed.n == profile_name(profile, id).n ? id : profile_text_frame(profile, trimmed);
}

/** Rank calls by one frame, by its id. What was the root of a stack becomes the leaf, after which
 * no blank stands. */
static void rank_by_one(struct ways *ways, struct profile *profile) {
	struct level *level = new_level(ways);
	for (uint32_t i = 1; i < ways->n; i++) {
		const struct call_item *call = &ways->calls->items[i];
		uint32_t id = call->name;
		if (call->depth == 1) {
			id = trim(profile, id, str_trim_end(profile_name(profile, id)));
		}
		level->ranks[i] = id + 1;
		level->beyond[i] = ways->calls->links[i].parent;
		ways->order[i] = i;
		ways->deepest = call->depth > ways->deepest ? call->depth : ways->deepest;
	}
	level->ranks_n = names_count(&profile->names) + 1;
}

/** Sort calls by a number that each has, which is less than `bound`. Equal ones keep their order.
 */
static void sort_by(const uint32_t *numbers, uint32_t bound, const uint32_t *from, uint32_t *to,
		    uint32_t n) {
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

/** Rank calls by twice as many frames as the last level does. */
static void rank_by_twice(struct ways *ways) {
	const struct level *half = &ways->levels[ways->levels_n - 1];
	struct level *level = new_level(ways);
	uint32_t *later = ways->later, rank = 0, before = 0;
	for (uint32_t i = 0; i < ways->n; i++) {
		later[i] = half->ranks[half->beyond[i]];
		level->beyond[i] = half->beyond[half->beyond[i]];
	}
	sort_by(later, half->ranks_n, ways->order, ways->room, ways->n);
	sort_by(half->ranks, half->ranks_n, ways->room, ways->order, ways->n);
	for (uint32_t i = 0; i < ways->n; i++) {
		uint32_t call = ways->order[i];
		rank += half->ranks[call] != half->ranks[before] || later[call] != later[before];
		level->ranks[call] = rank;
		before = call;
	}
	level->ranks_n = rank + 1;
}

/** Return how many frames the ways of two calls share, and move `*call` after them. */
static uint32_t shared_frames(const struct ways *ways, uint32_t *call, uint32_t other) {
	uint32_t depth = ways->calls->items[*call].depth;
	for (size_t l = ways->levels_n; l-- > 0;) {
		const struct level *level = &ways->levels[l];
		if (level->ranks[*call] == level->ranks[other]) {
			*call = level->beyond[*call];
			other = level->beyond[other];
		}
	}
	return depth - ways->calls->items[*call].depth;
}

/** Add the stacks in the order of their ways. */
static void add_ways(const struct ways *ways, struct profile *profile) {
	uint32_t *ids = mem_new(ways->deepest, sizeof(*ids)), before = 0;
	for (uint32_t i = 0; i < ways->n; i++) {
		uint32_t call = ways->order[i], at = call;
		const struct call_item *stack = &ways->calls->items[call];
		if (!stack->is_stack) {
			continue;
		}
		uint32_t shared = shared_frames(ways, &at, before);
		for (uint32_t d = shared; d < stack->depth; d++) {
			ids[d] = ways->levels[0].ranks[at] - 1;
			at = ways->levels[0].beyond[at];
		}
		if (shared == 0 && stack->depth > 0) {
			ids[0] = trim(profile, ids[0],
				      str_trim_start(profile_name(profile, ids[0])));
		}
		struct stack_row row = {.ids = ids,
					.depth = stack->depth,
					.count = stack->count,
					.before = calls_before(ways->calls, call),
					.two_counts = stack->two_counts};
		profile->overflow |= !calls_add(&profile->calls, &row, shared);
		before = call;
	}
	free(ids);
}

/** Reverse a stack whose times are known. */
static bool reverse_timed(void *context, struct ids *stack) {
	struct profile *profile = context;
	for (size_t a = 0, b = stack->n; a + 1 < b; a++) {
		uint32_t id = stack->items[--b];
		stack->items[b] = stack->items[a];
		stack->items[a] = id;
	}
	if (stack->n > 0) {
		uint32_t *root = &stack->items[0], *leaf = &stack->items[stack->n - 1];
		*leaf = trim(profile, *leaf, str_trim_end(profile_name(profile, *leaf)));
		*root = trim(profile, *root, str_trim_start(profile_name(profile, *root)));
	}
	return true;
}

static void ways_release(struct ways *ways) {
	for (size_t l = 0; l < ways->levels_n; l++) {
		free(ways->levels[l].ranks);
		free(ways->levels[l].beyond);
	}
	free(ways->order);
	free(ways->room);
	free(ways->later);
}

void profile_reverse(struct profile *profile) {
	struct calls calls = profile->calls;
	struct ways ways = {.calls = &calls, .n = (uint32_t)calls.n};
	if (calls.n == 0) {
		return;
	}
	calls_link(&calls);
	ways.order = mem_new(calls.n, sizeof(*ways.order));
	ways.room = mem_new(calls.n, sizeof(*ways.room));
	ways.later = mem_new(calls.n, sizeof(*ways.later));
	rank_by_one(&ways, profile);
	do {
		rank_by_twice(&ways);
	} while (ways.levels[ways.levels_n - 1].ranks_n < ways.n &&
		 ways.deepest >> ways.levels_n > 0);
	profile->calls = (struct calls){0};
	add_ways(&ways, profile);
	if (profile->moments != NULL) {
		moments_remake(profile->moments, reverse_timed, profile);
	}
	ways_release(&ways);
	calls_release(&calls);
}
