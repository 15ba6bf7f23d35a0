/*
 * Change names so that a stack and its line of folded text are equivalent. Split a name with a `;`
 * into several frames, because `;` separates frames. Change a name that would be read as a count or
 * as a comment.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/** The name of a root starts a line of folded text. If this name would be read as a comment, set
 * its new id to the id of a changed name. */
static void finish_clear_root(struct names *names, uint32_t *new_ids, uint32_t root) {
	if (names_begins_comment(names_get(names, root))) {
		new_ids[root] = names_clear(names, root);
	}
}

static void finish_clear_leaf(struct names *names, uint32_t *new_ids, uint32_t leaf) {
	if (!names->keeps_counts && names_ends_in_count(names_get(names, leaf))) {
		new_ids[leaf] = names_clear(names, leaf);
	}
}

static void finish_clear_ends(struct names *names, uint32_t *new_ids, struct stack_row row) {
	if (row.depth > 0) {
		finish_clear_root(names, new_ids, row.ids[0]);
		finish_clear_leaf(names, new_ids, row.ids[row.depth - 1]);
	}
}

/** Return the id of the new name for each id of a name. The caller releases the array with
 * free(). */
static uint32_t *finish_clear_names(struct profile *profile) {
	struct names *names = &profile->names;
	uint32_t n = names_count(names), *new_ids = mem_new(n, sizeof(*new_ids));
	for (uint32_t i = 0; i < n; i++) {
		new_ids[i] = i;
	}
	struct ids room = {0};
	for (uint32_t i = 0; i < profile->stacks.table.count; i++) {
		finish_clear_ends(names, new_ids, stacks_get(&profile->stacks, i, &room));
	}
	ids_release(&room);
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

/** Return the frames of each name. The frames are the parts between the semicolons of the changed
 * name. The caller releases the frames with finish_release_frames(). */
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

/** The names that replace the names of a stack. */
struct split {
	const struct ids *frames; // frames of each name; the index is the id
	struct ids copy;
};

/** Replace the names of a stack by their frames. */
static bool finish_split_stack(void *context, struct ids *stack) {
	struct split *split = context;
	struct ids old = *stack;
	*stack = split->copy;
	stack->n = 0;
	for (size_t d = 0; d < old.n; d++) {
		const struct ids *frames = &split->frames[old.items[d]];
		ids_add(stack, frames->items, frames->n);
	}
	split->copy = old;
	return true;
}

/** Move the stacks, which contain ids of sites, into `profile->sites`. Then fill the profile with
 * the same stacks as names. */
static void finish_take_sites(struct profile *profile) {
	struct time_buckets *buckets = profile->time_buckets;
	uint32_t *ids = sites_take(profile->sites, &profile->stacks, profile->values);
	if (buckets != NULL && buckets->moments != NULL) {
		moments_renumber(buckets->moments, ids);
	}
	free(ids);
	profile_change_stacks(profile, sites_project, profile->sites);
}

/** Give a new name to each site, and to each function in the table of calls. The old name is split
 * into frames. The new name is the innermost of these frames. */
static void finish_rename(struct profile *profile, const struct ids *frames, uint32_t n) {
	uint32_t *new_names = mem_new(n, sizeof(*new_names));
	for (uint32_t i = 0; i < n; i++) {
		new_names[i] = frames[i].items[frames[i].n - 1];
	}
	if (profile->sites != NULL) {
		sites_rename(profile->sites, new_names);
	}
	if (profile->table != NULL) {
		call_table_rename(profile->table, new_names);
	}
	free(new_names);
}

void profile_finish(struct profile *profile) {
	struct names *names = &profile->names;
	profile_settle(profile);
	if (profile->sites != NULL && !profile->sites->finished) {
		finish_take_sites(profile);
	}
	if (names->joined || names->unclear) {
		uint32_t n = names_count(names);
		struct ids *frames = finish_split_names(profile, n);
		struct split split = {.frames = frames};
		profile_change_stacks(profile, finish_split_stack, &split);
		if (profile->sites != NULL || profile->table != NULL) {
			finish_rename(profile, frames, n);
		}
		if (profile->calls.n > 0) {
			profile->overflow |= !calls_split(&profile->calls, frames);
		}
		names->joined = names->unclear = false;
		ids_release(&split.copy);
		finish_release_frames(frames, n);
	}
}
