/*
 * Make each name what its text means in folded text: a name with a `;` becomes several frames, and
 * one that reads as a count or a comment is changed. Then a stack and its text are equivalent.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/** Note the clear name of a stack's root, if it would be read differently there. */
static void finish_clear_root(struct names *names, uint32_t *new_ids, uint32_t root) {
	if (names_begins_comment(names_get(names, root))) {
		new_ids[root] = names_clear(names, root);
	}
}

static void finish_clear_leaf(struct names *names, uint32_t *new_ids, uint32_t leaf) {
	if (names_ends_in_count(names_get(names, leaf))) {
		new_ids[leaf] = names_clear(names, leaf);
	}
}

static void finish_clear_ends(struct names *names, uint32_t *new_ids, struct stack_row row) {
	if (row.depth > 0) {
		finish_clear_root(names, new_ids, row.ids[0]);
		finish_clear_leaf(names, new_ids, row.ids[row.depth - 1]);
	}
}

/** Return the new name of each id. The caller releases them with free(). */
static uint32_t *finish_clear_names(struct profile *profile) {
	struct names *names = &profile->names;
	uint32_t n = names_count(names), *new_ids = mem_new(n, sizeof(*new_ids));
	for (uint32_t i = 0; i < n; i++) {
		new_ids[i] = i;
	}
	for (uint32_t i = 0; i < profile->stacks.table.count; i++) {
		finish_clear_ends(names, new_ids, stacks_get(&profile->stacks, i));
	}
	for (size_t i = 0; i < profile->timeline.n; i++) {
		finish_clear_ends(names, new_ids, profile->timeline.rows[i]);
	}
	for (size_t i = 1; i < profile->calls.n; i++) {
		const struct call_item *call = &profile->calls.items[i];
		if (call->depth == 1) {
			finish_clear_root(names, new_ids, call->name);
		}
		if (call->is_stack) {
			finish_clear_leaf(names, new_ids, call->name);
		}
	}
	return new_ids;
}

/** Return the frames of each name: the clear name, split at its semicolons. The caller releases
 * them with finish_release_frames(). */
static struct ids *finish_split_names(struct profile *profile, uint32_t n) {
	struct names *names = &profile->names;
	struct ids *frames = mem_new(n, sizeof(*frames));
	uint32_t *new_ids = finish_clear_names(profile);
	for (uint32_t i = 0; i < n; i++) {
		struct str rest = names_get(names, new_ids[i]);
		for (bool more = true; more;) {
			more = str_find(rest, ';') != STR_NONE;
			struct str name = str_cut(&rest, ';');
			ids_push(&frames[i], intern_get(&names->table, name.p, name.n)->id);
		}
	}
	free(new_ids);
	return frames;
}

static void finish_release_frames(struct ids *frames, uint32_t n) {
	for (uint32_t i = 0; i < n; i++) {
		ids_release(&frames[i]);
	}
	free(frames);
}

/** Set `stack` to the frames of a row's names. */
static void finish_split_stack(struct ids *stack, const struct ids *frames, struct stack_row row) {
	stack->n = 0;
	for (size_t d = 0; d < row.depth; d++) {
		ids_add(stack, frames[row.ids[d]].items, frames[row.ids[d]].n);
	}
}

/** Split the stacks of the counted set, and add up those that become equal. */
static void finish_split_counted(struct profile *profile, struct ids *ids,
				 const struct ids *frames) {
	struct stacks joined = profile->stacks;
	profile->stacks = (struct stacks){.overflow = joined.overflow};
	for (uint32_t i = 0; i < joined.table.count; i++) {
		struct stack_row row = stacks_get(&joined, i);
		finish_split_stack(ids, frames, row);
		stacks_add(&profile->stacks, ids->items, ids->n, row.count);
	}
	profile_settle(profile);
	profile->stacks.squares = joined.squares; // of samples, not of sums
	stacks_release(&joined);
}

static void finish_split_timeline(struct profile *profile, struct ids *ids,
				  const struct ids *frames) {
	struct timeline *timeline = &profile->timeline;
	for (size_t i = 0; i < timeline->n; i++) {
		struct stack_row *row = &timeline->rows[i];
		finish_split_stack(ids, frames, *row);
		row->depth = (uint32_t)ids->n;
		row->ids = arena_take(&timeline->arena, ids->n * sizeof(*ids->items));
		if (ids->n > 0) {
			memcpy(row->ids, ids->items, ids->n * sizeof(*ids->items));
		}
	}
}

/** What the names of a stack become. */
struct split {
	const struct ids *frames; // by id
	struct ids copy;
};

/** Split a stack whose times are known. */
static bool finish_split_timed(void *context, struct ids *stack) {
	struct split *split = context;
	split->copy.n = 0;
	ids_add(&split->copy, stack->items, stack->n);
	finish_split_stack(
		stack, split->frames,
		(struct stack_row){.ids = split->copy.items, .depth = (uint32_t)stack->n});
	return true;
}

static void finish_split_time_buckets(struct time_buckets *buckets, const struct ids *frames) {
	struct split split = {.frames = frames};
	time_buckets_remake(buckets, finish_split_timed, &split);
	ids_release(&split.copy);
}

void profile_finish(struct profile *profile) {
	struct names *names = &profile->names;
	profile_settle(profile);
	if (names->joined || names->unclear) {
		uint32_t n = names_count(names);
		struct ids ids = {0}, *frames = finish_split_names(profile, n);
		finish_split_counted(profile, &ids, frames);
		finish_split_timeline(profile, &ids, frames);
		if (profile->calls.n > 0) {
			profile->overflow |= !calls_split(&profile->calls, frames);
		}
		if (profile->time_buckets != NULL) {
			finish_split_time_buckets(profile->time_buckets, frames);
		}
		names->joined = names->unclear = false;
		ids_release(&ids);
		finish_release_frames(frames, n);
	}
}
