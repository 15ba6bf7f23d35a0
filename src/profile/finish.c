/*
 * Make each name what its text means in folded text: a name with a `;` becomes several frames, and
 * one that reads as a count or a comment is changed. Then a stack and its text are equivalent.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/** Note the clear names for both ends of a stack. */
static void clear_ends(struct names *names, uint32_t *new_ids, struct stack_row row) {
	if (row.depth == 0) {
		return;
	}
	uint32_t root = row.ids[0], leaf = row.ids[row.depth - 1];
	if (names_begins_comment(names_get(names, root))) {
		new_ids[root] = names_clear(names, root);
	}
	if (names_ends_in_count(names_get(names, leaf))) {
		new_ids[leaf] = names_clear(names, leaf);
	}
}

/** Return the new name of each id. The caller releases them with free(). */
static uint32_t *clear_names(struct profile *profile) {
	uint32_t n = names_count(&profile->names), *new_ids = mem_new(n, sizeof(*new_ids));
	for (uint32_t i = 0; i < n; i++) {
		new_ids[i] = i;
	}
	for (uint32_t i = 0; i < profile->stacks.table.count; i++) {
		clear_ends(&profile->names, new_ids, stacks_get(&profile->stacks, i));
	}
	for (size_t i = 0; i < profile->timeline.n; i++) {
		clear_ends(&profile->names, new_ids, profile->timeline.rows[i]);
	}
	return new_ids;
}

/** Set `stack` to the clear names of a row, each split at its semicolons. */
static void split_stack(struct ids *stack, struct names *names, const uint32_t *new_ids,
			struct stack_row row) {
	stack->n = 0;
	for (size_t d = 0; d < row.depth; d++) {
		struct str rest = names_get(names, new_ids[row.ids[d]]);
		for (bool more = true; more;) {
			more = str_find(rest, ';') != STR_NONE;
			struct str name = str_cut(&rest, ';');
			ids_push(stack, intern_get(&names->table, name.p, name.n)->id);
		}
	}
}

/** Split the stacks of the counted set, and add up those that become equal. */
static void split_counted(struct profile *profile, struct ids *ids, const uint32_t *new_ids) {
	struct stacks joined = profile->stacks;
	profile->stacks = (struct stacks){.overflow = joined.overflow};
	for (uint32_t i = 0; i < joined.table.count; i++) {
		struct stack_row row = stacks_get(&joined, i);
		split_stack(ids, &profile->names, new_ids, row);
		stacks_add(&profile->stacks, ids->items, ids->n, row.count);
	}
	profile_settle(profile);
	profile->stacks.squares = joined.squares; // of samples, not of sums
	stacks_release(&joined);
}

static void split_timeline(struct profile *profile, struct ids *ids, const uint32_t *new_ids) {
	struct timeline *timeline = &profile->timeline;
	for (size_t i = 0; i < timeline->n; i++) {
		struct stack_row *row = &timeline->rows[i];
		split_stack(ids, &profile->names, new_ids, *row);
		row->depth = (uint32_t)ids->n;
		row->ids = arena_take(&timeline->arena, ids->n * sizeof(*ids->items));
		if (ids->n > 0) {
			memcpy(row->ids, ids->items, ids->n * sizeof(*ids->items));
		}
	}
}

void profile_finish(struct profile *profile) {
	struct names *names = &profile->names;
	profile_settle(profile);
	if (names->joined || names->unclear) {
		struct ids ids = {0};
		profile_take_apart(profile);
		uint32_t *new_ids = clear_names(profile);
		split_counted(profile, &ids, new_ids);
		split_timeline(profile, &ids, new_ids);
		names->joined = names->unclear = false;
		ids_release(&ids);
		free(new_ids);
	}
}
