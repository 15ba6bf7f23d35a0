/* Frames whose names come in the end. */
#include "perf/deferred.h"

#include <stdlib.h>

#include "base/num.h"

/** In place of the root of a stack in the times of a profile: the stack's number follows. */
#define DEFERRED_STACK UINT32_MAX

uint32_t deferred_frame(struct deferred *deferred, const struct lookup_place *place) {
	if (deferred->n >= (DEFERRED_STACK & ~DEFERRED_FLAG)) {
		inferno_out_of_memory(); // no number is left
	}
	deferred->places = mem_grow(deferred->places, &deferred->capacity, deferred->n + 1,
				    sizeof(*deferred->places));
	deferred->places[deferred->n] = *place;
	return (uint32_t)deferred->n++ | DEFERRED_FLAG;
}

static uint32_t deferred_profile(struct deferred *deferred, struct profile *profile) {
	size_t i = 0;
	while (i < deferred->profiles_n && deferred->profiles[i] != profile) {
		i++;
	}
	if (i == deferred->profiles_n) {
		deferred->profiles = mem_grow(deferred->profiles, &deferred->profiles_capacity,
					      i + 1, sizeof(struct profile *));
		deferred->profiles[deferred->profiles_n++] = profile;
	}
	return (uint32_t)i;
}

void deferred_add(struct deferred *deferred, struct profile *profile, const uint32_t *ids,
		  size_t depth, uint64_t count) {
	if (!deferred_has(deferred, ids, depth)) {
		profile_add(profile, ids, depth, count);
		return;
	}
	uint32_t number = deferred_profile(deferred, profile);
	if (profile->form == PROFILE_TIMELINE) {
		profile_add(profile, ids, depth, count); // the order matters
		return;
	}
	deferred->key.n = 0;
	ids_push(&deferred->key, number);
	ids_add(&deferred->key, ids, depth);
	struct intern_key *key =
		intern_get(&deferred->stacks, deferred->key.items, deferred->key.n * sizeof(*ids));
	profile->overflow |= !num_add(key->value, count, &key->value);
	if (profile_wants_times(profile)) {
		const uint32_t stack[] = {DEFERRED_STACK, key->id};
		time_buckets_add(profile->time_buckets, stack, 2, count);
	}
}

void deferred_note(struct deferred *deferred, const uint64_t *note, size_t n, uint64_t weight) {
	intern_get(&deferred->notes, note, n * sizeof(*note))->value += weight;
}

/* --- The end -------------------------------------------------------------------------------- */

/** Add the frames of a place to a stack, from the root or, in reverse, from the innermost one. */
static void deferred_push(const struct deferred_names *names, struct meaning meaning, bool reverse,
			  struct ids *stack) {
	const uint32_t *list = names->lists->items + meaning.id;
	if (meaning.kind == MEANS_FRAME) {
		ids_push(stack, meaning.id);
	} else if (meaning.kind == MEANS_FRAMES) {
		for (size_t i = 1; i <= *list; i++) {
			ids_push(stack, list[reverse ? *list + 1 - i : i]);
		}
	}
}

/** Set `stack` to one whose places are replaced. */
static void deferred_name(const struct deferred_names *names, const uint32_t *ids, size_t n,
			  struct ids *stack) {
	bool reverse = false;
	stack->n = 0;
	for (size_t i = 0; i < n; i++) {
		if ((ids[i] & DEFERRED_FLAG) == 0) {
			reverse |= ids[i] == names->turn;
			ids_push(stack, ids[i]);
			continue;
		}
		struct meaning meaning = names->meanings[ids[i] & ~DEFERRED_FLAG];
		if (meaning.mark != 0 && !reverse && stack->n > names->kept) {
			stack->n = names->kept;
		}
		deferred_push(names, meaning, reverse, stack);
		if (meaning.mark != 0 && reverse) {
			return;
		}
	}
}

/** What the times of a profile are made anew with. */
struct deferred_times {
	const struct deferred *deferred;
	const struct deferred_names *names;
};

/** Replace the number of a stack by its frames. */
static bool deferred_time(void *context, struct ids *stack) {
	const struct deferred_times *times = context;
	if (stack->n == 2 && stack->items[0] == DEFERRED_STACK) {
		const struct intern_key *key = times->deferred->stacks.keys[stack->items[1]];
		const uint32_t *ids = (const void *)key->bytes;
		deferred_name(times->names, ids + 1, key->len / sizeof(*ids) - 1, stack);
	}
	return true;
}

/** Replace places in the rows of a timeline. */
static void deferred_rows(struct timeline *timeline, const struct deferred_names *names,
			  struct ids *stack) {
	for (size_t i = 0; i < timeline->n; i++) {
		struct stack_row *row = &timeline->rows[i];
		deferred_name(names, row->ids, row->depth, stack);
		if (stack->n > row->depth) {
			row->ids = arena_take(&timeline->arena, stack->n * sizeof(*row->ids));
		}
		row->depth = (uint32_t)stack->n;
		memcpy(row->ids, stack->items, stack->n * sizeof(*row->ids));
	}
}

void deferred_finish(struct deferred *deferred, const struct deferred_names *names) {
	struct ids stack = {0};
	for (size_t i = 0; i < deferred->profiles_n; i++) {
		struct profile *profile = deferred->profiles[i];
		if (profile->form == PROFILE_TIMELINE) {
			deferred_rows(&profile->timeline, names, &stack);
		} else if (profile_wants_times(profile)) {
			struct deferred_times times = {deferred, names};
			time_buckets_remake(profile->time_buckets, deferred_time, &times);
		}
	}
	for (uint32_t i = 0; i < deferred->stacks.count; i++) {
		const struct intern_key *key = deferred->stacks.keys[i];
		const uint32_t *ids = (const void *)key->bytes;
		struct profile *profile = deferred->profiles[ids[0]];
		struct time_buckets *buckets = profile->time_buckets;
		profile->time_buckets = NULL; // these times are known
		deferred_name(names, ids + 1, key->len / sizeof(*ids) - 1, &stack);
		profile_add(profile, stack.items, stack.n, key->value);
		profile->time_buckets = buckets;
	}
	ids_release(&stack);
}

void deferred_release(struct deferred *deferred) {
	free(deferred->places);
	free(deferred->profiles);
	intern_release(&deferred->stacks);
	intern_release(&deferred->notes);
	ids_release(&deferred->key);
}
