/* Fill a profile, and convert it from one form to the next. */
#include "profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

enum { DEEP = 256 }; // deeper stacks may take much memory

void profile_init(struct profile *profile, enum profile_form form) {
	*profile = (struct profile){.form = form, .quick = form == PROFILE_TIMELINE ? 0 : DEEP + 1};
}

void profile_ask_whether_timed(struct profile *profile) {
	if (profile->time_buckets == NULL) {
		profile->time_buckets = time_buckets_new();
		profile->time_buckets->is_kept = false;
		profile->quick = 0;
	}
}

void profile_ask_times(struct profile *profile) {
	profile_ask_whether_timed(profile);
	profile->time_buckets->is_kept = true;
}

void profile_ask_moments(struct profile *profile, bool each) {
	profile_ask_whether_timed(profile);
	struct time_buckets *buckets = profile->time_buckets;
	if (buckets->moments == NULL) {
		buckets->moments = mem_new(1, sizeof(*buckets->moments));
	}
	buckets->moments->each |= each;
}

bool profile_is_timed(const struct profile *profile) {
	return profile->time_buckets != NULL && profile->time_buckets->any;
}

void profile_drop_times(struct profile *profile) {
	time_buckets_free(profile->time_buckets);
	profile->time_buckets = NULL;
}

void profile_ask_values(struct profile *profile) {
	if (profile->form != PROFILE_TIMELINE) {
		profile->values = values_new();
		profile->quick = 0;
	}
}

void profile_ask_sites(struct profile *profile) {
	if (profile->form != PROFILE_TIMELINE) {
		profile->sites = sites_new();
	}
}

void profile_ask_table(struct profile *profile) {
	profile->table = mem_new(1, sizeof(*profile->table));
}

void profile_init_like(struct profile *profile, const struct profile *other) {
	profile_init(profile, other->form);
	profile->one_count = other->one_count;
	profile->names.keeps_counts = other->names.keeps_counts;
	if (other->time_buckets != NULL) {
		profile_ask_whether_timed(profile);
		profile->time_buckets->is_kept = other->time_buckets->is_kept;
		if (other->time_buckets->moments != NULL) {
			profile_ask_moments(profile, other->time_buckets->moments->each);
		}
	}
	if (other->values != NULL) {
		profile_ask_values(profile);
	}
	if (other->sites != NULL) {
		profile_ask_sites(profile);
	}
	if (other->table != NULL) {
		profile_ask_table(profile);
	}
}

/** Add a stack to the calls. Frames that the stack shares with other stacks take no further memory.
 * Replace sites by names, because calls cannot have sites. */
static void profile_add_to_calls(struct profile *profile, struct stack_row row) {
	struct calls *calls = &profile->calls;
	struct ids copy = {0};
	size_t shared = 0;
	ids_add(&copy, row.ids, row.depth);
	if (profile->sites != NULL) {
		(void)sites_project(profile->sites, &copy);
	}
	calls_look_up(calls);
	while (shared < copy.n && shared + 1 < calls->path_n &&
	       calls->items[calls->path[shared + 1]].name == copy.items[shared]) {
		shared++;
	}
	row.ids = copy.items;
	row.depth = (uint32_t)copy.n;
	profile->overflow |= !calls_add(calls, &row, shared);
	ids_release(&copy);
}

/** Append a row to the timeline, with a copy of `ids`. If the rows take too much memory, set
 * `too_large` instead: a small trace with deep stacks could otherwise use up all memory. */
static void profile_add_row(struct profile *profile, const uint32_t *ids, struct stack_row row) {
	const struct timeline *timeline = &profile->timeline;
	if (timeline->most != 0 && timeline_size(timeline) > timeline->most) {
		profile->too_large = true;
		return;
	}
	uint32_t *copy = timeline_add(&profile->timeline, row);
	if (row.depth > 0) {
		memcpy(copy, ids, row.depth * sizeof(*ids));
	}
}

/** Add a stack to the counted set. If the profile keeps values, note the values of the stack.
 * Unless `buckets` is NULL, note the stack's time there. */
static void profile_add_counted(struct profile *profile, const uint32_t *ids, size_t depth,
				uint64_t count, struct time_buckets *buckets) {
	if (buckets == NULL && profile->values == NULL) {
		stacks_add(&profile->stacks, ids, depth, count);
		return;
	}
	uint32_t stack = stacks_add_now(&profile->stacks, ids, depth, count);
	if (buckets != NULL) {
		time_buckets_add(buckets, stack, count);
	}
	if (profile->values != NULL) {
		values_add(profile->values, stack);
	}
}

static void profile_add_any(struct profile *profile, const uint32_t *ids, size_t depth,
			    uint64_t count, struct time_buckets *buckets) {
	if (profile->form == PROFILE_TIMELINE) {
		profile_add_row(profile, ids,
				(struct stack_row){.depth = (uint32_t)depth, .count = count});
	} else if (depth <= DEEP || stacks_take_deep(&profile->stacks, ids, depth)) {
		profile_add_counted(profile, ids, depth, count, buckets);
	} else {
		profile->stacks.squares += (double)count * (double)count;
		struct ids copy = {0};
		ids_add(&copy, ids, depth);
		profile_add_to_calls(
			profile, (struct stack_row){copy.items, (uint32_t)depth, .count = count});
		ids_release(&copy);
		if (profile->time_buckets != NULL) {
			profile->time_buckets->too_many = true;
		}
		if (profile->values != NULL) {
			values_add(profile->values, STACKS_NONE);
		}
	}
}

void profile_add_slow(struct profile *profile, const uint32_t *ids, size_t depth, uint64_t count) {
	profile_add_any(profile, ids, depth, count,
			profile_wants_times(profile) ? profile->time_buckets : NULL);
}

void profile_add_timed(struct profile *profile, const uint32_t *ids, size_t depth, uint64_t count) {
	profile_add_any(profile, ids, depth, count, NULL);
}

uint32_t profile_stack(struct profile *profile, const uint32_t *ids, size_t depth) {
	bool fits = depth <= DEEP || stacks_take_deep(&profile->stacks, ids, depth);
	profile->time_buckets->too_many |= !fits;
	return fits ? stacks_add_now(&profile->stacks, ids, depth, 0) : STACKS_NONE;
}

void profile_add_unnamed(struct profile *profile, const uint32_t *ids, size_t depth,
			 uint64_t count) {
	if (profile->form == PROFILE_TIMELINE) {
		profile_add(profile, ids, depth, count);
		return;
	}
	// keep the stack in the set, because calls cannot hold ids with flags
	profile_add_counted(profile, ids, depth, count, profile->time_buckets);
}

void profile_change_stacks(struct profile *profile, stacks_change *change, void *context) {
	struct timeline *timeline = &profile->timeline;
	profile_settle(profile);
	struct stacks old = profile->stacks;
	struct ids stack = {0};
	profile->stacks = (struct stacks){0};
	uint32_t *new_stacks = stacks_merge(&profile->stacks, &old, change, context);
	struct time_buckets *buckets = profile->time_buckets;
	bool of_sites = profile->sites != NULL && profile->sites->finished;
	if (buckets != NULL) {
		time_buckets_renumber(buckets, new_stacks);
	}
	if (buckets != NULL && buckets->moments != NULL && !of_sites) {
		moments_renumber(buckets->moments, new_stacks);
	}
	if (profile->values != NULL) {
		values_renumber(profile->values, new_stacks);
	}
	if (profile->sites != NULL) {
		sites_renumber(profile->sites, new_stacks);
	}
	free(new_stacks);
	profile->overflow |= profile->stacks.overflow;
	stacks_release(&old);
	for (size_t i = 0; i < timeline->n; i++) {
		struct stack_row *row = &timeline->rows[i];
		stack.n = 0;
		ids_add(&stack, row->ids, row->depth);
		(void)change(context, &stack);
		if (stack.n > row->depth) {
			row->ids = arena_take(&timeline->arena, stack.n * sizeof(*row->ids));
		}
		row->depth = (uint32_t)stack.n;
		if (stack.n > 0) {
			memcpy(row->ids, stack.items, stack.n * sizeof(*row->ids));
		}
	}
	ids_release(&stack);
}

/** Add a stack with sites to the counted set. If the stack is too deep for the set or has two
 * counts, add it to the calls, which cannot have sites. */
static void profile_add_line_of_sites(struct profile *profile, struct stack_row row) {
	if (!row.two_counts &&
	    (row.depth <= DEEP || stacks_take_deep(&profile->stacks, row.ids, row.depth))) {
		(void)stacks_add_now(&profile->stacks, row.ids, row.depth, row.count);
	} else {
		profile_add_to_calls(profile, row);
	}
}

void profile_add_line(struct profile *profile, struct stack_row row, size_t shared) {
	if (profile->form == PROFILE_TIMELINE) {
		profile_add_row(profile, row.ids, row);
	} else if (profile->sites != NULL) {
		profile_add_line_of_sites(profile, row);
	} else {
		profile->overflow |= !calls_add(&profile->calls, &row, shared);
	}
}

void profile_settle(struct profile *profile) {
	stacks_settle(&profile->stacks);
	profile->overflow |= profile->stacks.overflow;
}

/** Return whether the calls are in the order of their names, have no links, and have one count
 * each. */
static bool profile_is_in_order(const struct calls *calls) {
	return calls->n > 0 && calls->in_order == calls->n && calls->odd.n == 0 &&
	       calls->links == NULL && !calls->two_counts;
}

/** Add the calls of another profile. `new_ids` has the id in this profile for each name of the
 * other profile. */
static void profile_merge_calls(struct profile *profile, struct calls *calls,
				const uint32_t *new_ids) {
	struct calls *own = &profile->calls;
	if (calls->n == 0) {
		return;
	}
	if (profile_is_in_order(own) && profile_is_in_order(calls)) {
		profile->overflow |= !calls_append_in_order(own, calls, new_ids, &profile->names);
		return;
	}
	if (profile->form == PROFILE_CALLS) {
		profile->overflow |= !calls_append(&profile->calls, calls, new_ids);
		return;
	}
	struct ids stack = {0};
	calls_link(calls);
	for (size_t i = 0; i < calls->n; i++) {
		if (calls->items[i].is_stack) { // a stack must be counted only once
			size_t depth = calls->items[i].depth;
			MEM_GROW(stack.items, stack.capacity, depth);
			calls_stack(calls, i, stack.items);
			for (size_t d = 0; d < depth; d++) {
				stack.items[d] = new_ids[stack.items[d]];
			}
			profile_add_to_calls(profile,
					     (struct stack_row){stack.items, (uint32_t)depth,
								.count = calls->items[i].count});
		}
	}
	ids_release(&stack);
}

/** The new ids of the names and the sites of a profile that is merged into another profile. */
struct profile_ids {
	uint32_t *names, *sites;
};

/** Replace the ids in a stack by their new ids. */
static bool profile_rename_stack(void *context, struct ids *stack) {
	const struct profile_ids *new_ids = context;
	for (size_t d = 0; d < stack->n; d++) {
		uint32_t id = stack->items[d];
		stack->items[d] = (id & SITE_FLAG) == 0 ? new_ids->names[id]
							: new_ids->sites[id & ~SITE_FLAG];
	}
	return true;
}

void profile_merge(struct profile *profile, struct profile *from) {
	profile_settle(from);
	uint32_t *ids = names_merge(&profile->names, &from->names);
	struct profile_ids new_ids = {ids, NULL};
	if (profile->sites != NULL && from->sites != NULL) {
		new_ids.sites = sites_merge(profile->sites, from->sites, ids);
	}
	uint32_t *new_stacks =
		stacks_merge(&profile->stacks, &from->stacks, profile_rename_stack, &new_ids);
	profile_merge_calls(profile, &from->calls, ids);
	for (size_t i = 0; i < from->timeline.n; i++) {
		struct stack_row row = from->timeline.rows[i];
		uint32_t *row_ids = timeline_add(&profile->timeline, row);
		for (size_t d = 0; d < row.depth; d++) {
			row_ids[d] = ids[row.ids[d]];
		}
	}
	if (profile->time_buckets != NULL && from->time_buckets != NULL) {
		time_buckets_merge(profile->time_buckets, from->time_buckets, new_stacks);
	}
	if (profile->values != NULL && from->values != NULL) {
		values_merge(profile->values, from->values, new_stacks);
	}
	if (profile->table != NULL && from->table != NULL) {
		call_table_merge(profile->table, from->table, ids);
		profile->overflow |= profile->table->overflow;
	}
	profile_remark(profile, buf_str(&from->remarks));
	profile->overflow |= from->overflow;
	profile->has_lines |= from->has_lines;
	profile->skipped.lines |= from->skipped.lines;
	for (uint32_t i = 0; i < from->skipped.labels.count; i++) {
		struct str key = intern_str(from->skipped.labels.keys[i]);
		intern_get(&profile->skipped.labels, key.p, key.n);
	}
	profile->too_large |= from->too_large;
	profile_settle(profile);
	free(new_ids.sites);
	free(new_stacks);
	free(ids);
}

/** Turn the calls into rows of the timeline. */
static void profile_take_apart(struct profile *profile) {
	struct calls *calls = &profile->calls;
	calls_link(calls);
	for (size_t i = 0; i < calls->n; i++) {
		if (calls->items[i].is_stack) {
			struct stack_row row = {.depth = calls->items[i].depth};
			uint32_t *ids = timeline_add(&profile->timeline, row);
			row = calls_stack(calls, i, ids);
			row.id = calls->ends == NULL ? STACKS_NONE : (uint32_t)i;
			profile->timeline.rows[profile->timeline.n - 1] = row;
		}
	}
	calls_release(calls);
}

/** Add the rows of the timeline to the calls. Sort the rows first, so that each row shares as many
 * frames as possible with the previous row. Unless `moved` is NULL, store in `moved` the call in
 * which each row ends. */
static void profile_add_rows_to_calls(struct profile *profile, uint32_t *moved) {
	size_t n = profile->timeline.n;
	const struct stack_row *rows = profile->timeline.rows;
	struct sort_item *items = mem_new(n, sizeof(*items));
	for (size_t i = 0; i < n; i++) {
		items[i].bytes = (const char *)rows[i].ids;
		items[i].len = rows[i].depth * (uint32_t)sizeof(uint32_t);
		items[i].id = (uint32_t)i;
	}
	sort_bytes(items, n);
	if (n > 0 && profile->calls.n > 0) {
		calls_look_up(&profile->calls);
	}
	for (size_t i = 0; i < n; i++) {
		size_t shared = sort_common(items, i) / sizeof(uint32_t);
		sort_prefetch(items, n, i);
		const struct stack_row *row = &rows[items[i].id];
		profile->overflow |= !calls_add(&profile->calls, row, shared);
		if (moved != NULL && row->id != STACKS_NONE) {
			moved[row->id] = calls_last(&profile->calls);
		}
	}
	free(items);
}

/** Return whether separate stacks would take many times the memory of the calls. For example, this
 * is so after a deep recursion. */
static bool profile_is_deep(const struct calls *calls) {
	enum { MANY = 64 };
	uint64_t frames = 0;
	for (size_t i = 0; i < calls->n; i++) {
		frames += calls->items[i].is_stack ? calls->items[i].depth : 0;
	}
	return frames / MANY > calls->n;
}

static struct str profile_ids_bytes(const struct stack_row *row) {
	return row->depth == 0 ? STR("")
			       : (struct str){(const char *)row->ids,
					      (size_t)row->depth * sizeof(*row->ids)};
}

/** Change the stacks of the calls one by one, so that only two stacks are in memory at a time. If
 * `moved` is not NULL and the calls have `ends`, store in `moved` the new call in which each stack
 * ends. */
static void profile_change_deep_calls(struct profile *profile, profile_change *change,
				      void *context, uint32_t *moved) {
	struct calls old = profile->calls;
	struct ids rooms[2] = {{0}, {0}};
	struct stack_row previous = {0};
	size_t turn = 0;
	profile->calls = (struct calls){0};
	calls_look_up(&profile->calls);
	calls_link(&old);
	for (size_t i = 0; i < old.n; i++) {
		struct ids *room = &rooms[turn];
		if (!old.items[i].is_stack) {
			continue;
		}
		MEM_GROW(room->items, room->capacity, old.items[i].depth);
		struct stack_row row = calls_stack(&old, i, room->items);
		if (change(context, &row)) {
			size_t shared = str_common_prefix(profile_ids_bytes(&row),
							  profile_ids_bytes(&previous));
			profile->overflow |=
				!calls_add(&profile->calls, &row, shared / sizeof(*row.ids));
			if (moved != NULL && old.ends != NULL) {
				moved[i] = calls_last(&profile->calls);
			}
			previous = row;
			turn = 1 - turn;
		}
	}
	ids_release(&rooms[0]);
	ids_release(&rooms[1]);
	calls_release(&old);
}

/** Pass each row of the timeline to `change`, and drop the rows for which it returns false. */
static void profile_change_rows(struct timeline *timeline, profile_change *change, void *context) {
	size_t kept = 0;
	for (size_t i = 0; i < timeline->n; i++) {
		struct stack_row row = timeline->rows[i];
		if (change(context, &row)) {
			timeline->rows[kept++] = row;
		}
	}
	timeline->n = kept;
}

/** Make a row of the timeline from each counted stack. */
static void profile_add_stack_rows(struct profile *profile) {
	struct timeline *timeline = &profile->timeline;
	struct ids room = {0};
	for (uint32_t i = 0; i < profile->stacks.table.count; i++) {
		struct stack_row row = stacks_get(&profile->stacks, i, &room);
		if (row.ids == room.items && row.depth > 0) {
			row.ids = arena_take(&timeline->arena, row.depth * sizeof(*row.ids));
			memcpy(row.ids, room.items, row.depth * sizeof(*row.ids));
		}
		timeline_lend(timeline, row);
	}
	ids_release(&room);
}

/** Change the stacks, and turn them into calls. Unless `moved` is NULL, store in `moved` the call
 * in which each stack ends. If the stacks are calls already, store the new call of each old
 * call. */
static void profile_rework(struct profile *profile, profile_change *change, void *context,
			   uint32_t *moved) {
	struct timeline *timeline = &profile->timeline;
	if (change != NULL && profile_is_deep(&profile->calls)) {
		profile_change_deep_calls(profile, change, context, moved);
	} else if (change != NULL) {
		profile_take_apart(profile);
	}
	profile_add_stack_rows(profile);
	if (change != NULL) {
		profile_change_rows(timeline, change, context);
	}
	profile_add_rows_to_calls(profile, moved);
	timeline_release(timeline);
}

/** Return whether stacks have further data besides counts, such as times. For such data, each stack
 * must keep the call in which it ends. */
static bool profile_has_columns(const struct profile *profile) {
	return profile->time_buckets != NULL || profile->sites != NULL ||
	       (profile->values != NULL && profile->values->n > 0);
}

void profile_make_calls(struct profile *profile, profile_change *change, void *context) {
	profile_finish(profile);
	struct calls *calls = &profile->calls;
	bool again = calls->ends != NULL;
	if (!profile_has_columns(profile) || (again && change == NULL)) {
		profile_rework(profile, change, context, NULL);
	} else {
		size_t n = again ? calls->ends_n : profile->stacks.table.count;
		uint32_t *ends = NULL;
		if (again) { // the calls cannot be joined as they are
			ends = mem_new(n, sizeof(*ends));
			memcpy(ends, calls->ends, n * sizeof(*ends));
		}
		uint32_t *moved = calls_unmoved(again ? calls->n : n);
		profile_rework(profile, change, context, moved);
		calls->ends = again ? ends : moved;
		calls->ends_n = n;
		if (again) {
			calls_move_ends(calls, moved);
			free(moved);
		}
	}
	double squares = profile->stacks.squares;
	stacks_release(&profile->stacks);
	profile->stacks.squares = squares;
}

bool profile_order_calls(struct profile *profile) {
	struct calls *calls = &profile->calls;
	return calls_put_in_order(calls, &profile->names) ||
	       (calls->links != NULL && calls_preorder(calls, &profile->names));
}

void profile_sort_names(struct profile *profile) {
	if (profile_order_calls(profile)) {
		return; // the caller does not need ordered ids
	}
	uint32_t *new_ids = names_sort(&profile->names);
	calls_rename(&profile->calls, new_ids);
	if (profile->sites != NULL) {
		sites_rename(profile->sites, new_ids);
	}
	if (profile->table != NULL) {
		call_table_rename(profile->table, new_ids);
	}
	free(new_ids);
}

/** Replace the times of `before` by the times of both profiles; see time_buckets_compare(). If one
 * profile has no times, drop the times of `before`. */
static void profile_compare_times(struct profile *before, struct profile *after) {
	struct time_buckets *both = NULL;
	if (before->time_buckets != NULL && before->calls.ends != NULL &&
	    after->time_buckets != NULL && after->calls.ends != NULL) {
		both = time_buckets_compare(before->time_buckets, (uint32_t)before->calls.ends_n,
					    after->time_buckets, (uint32_t)after->calls.ends_n);
	}
	profile_drop_times(before);
	before->time_buckets = both;
}

void profile_compare(struct profile *before, struct profile *after) {
	profile_compare_times(before, after);
	bool in_order = before->time_buckets == NULL && profile_order_calls(before) &&
			profile_order_calls(after) && profile_is_in_order(&before->calls) &&
			profile_is_in_order(&after->calls);
	uint32_t *ids = names_merge(&before->names, &after->names);
	if (in_order) {
		calls_compare_in_order(&before->calls, &after->calls, ids, &before->names);
	} else {
		calls_compare(&before->calls, &after->calls, ids);
	}
	before->overflow |= after->overflow;
	profile_count_in(before, buf_str(&after->unit));
	free(ids);
}

static uint64_t profile_common_divisor(uint64_t a, uint64_t b) {
	while (b != 0) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/** Return the count at the index `place` of the sorted counts. Find the digits of this count one by
 * one, without sorting. This takes the same time for any order of the counts. */
static uint64_t profile_count_at(const uint64_t *counts, size_t n, size_t place) {
	enum { DIGIT = 16, DIGITS = 1 << DIGIT }; // number of bits in a digit
	size_t *times = mem_new(DIGITS, sizeof(*times));
	uint64_t found = 0, mask = 0;
	for (unsigned shift = 64; shift > 0;) {
		shift -= DIGIT;
		memset(times, 0, DIGITS * sizeof(*times));
		for (size_t i = 0; i < n; i++) {
			times[counts[i] >> shift & (DIGITS - 1)] += (counts[i] & mask) == found;
		}
		uint64_t digit = 0;
		for (; place >= times[digit]; digit++) {
			place -= times[digit];
		}
		found |= digit << shift;
		mask |= (uint64_t)(DIGITS - 1) << shift;
	}
	free(times);
	return found;
}

/**
 * Guess the count of one sample. If all samples have the same count, the counts of all stacks are
 * multiples of it. A common divisor of many or of large counts is hardly chance, so return the
 * common divisor. Otherwise, if the counts are too large to be numbers of samples, return the lower
 * quartile of the counts, because a stack with a small count was probably sampled once. In all
 * other cases, return 1.
 */
static double profile_guess_sample(const struct calls *calls, bool before, uint64_t total) {
	enum { MANY = 20 };
	const uint64_t too_many = 10000000; // more than a day at 100 Hz
	bool too_large = total > too_many;
	uint64_t *counts = mem_new(calls->n, sizeof(*counts)), divisor = 0;
	size_t n = 0;
	for (size_t i = 0; i < calls->n; i++) {
		uint64_t count = before ? calls_before(calls, i) : calls->items[i].count;
		if (count > 0) {
			counts[n++] = count;
			divisor = profile_common_divisor(divisor, count);
		}
	}
	double guess = divisor > 1 && (n >= MANY || too_large) ? (double)divisor : 1;
	if (guess == 1 && too_large && n > 0) {
		guess = (double)profile_count_at(counts, n, n / 4);
	}
	free(counts);
	return guess;
}

double profile_sample(const struct profile *profile, uint64_t total) {
	if (profile->by_sample && total > 0) {
		return fmax(1, profile->stacks.squares / (double)total);
	}
	return profile_guess_sample(&profile->calls, false, total);
}

double profile_sample_before(const struct profile *profile, uint64_t total) {
	return profile_guess_sample(&profile->calls, true, total);
}

bool profile_sum(const struct profile *profile, uint64_t *sum) {
	bool fits = !profile->overflow && !profile->calls.too_large &&
		    (profile->values == NULL || !profile->values->overflow);
	*sum = profile->calls.sum;
	for (size_t i = 0; i < profile->timeline.n && fits; i++) {
		fits = num_add(*sum, profile->timeline.rows[i].count, sum);
	}
	return fits;
}

void profile_count_in(struct profile *profile, struct str unit) {
	bool differs = profile->has_unit && !str_eq(buf_str(&profile->unit), unit);
	profile->has_unit = true;
	buf_set_str(&profile->unit, differs ? STR("") : unit);
}

void profile_remark(struct profile *profile, struct str remark) {
	if (profile->remarks.n > 0 && remark.n > 0) {
		buf_add_text(&profile->remarks, " - ");
	}
	buf_add_str(&profile->remarks, remark);
}

void profile_release(struct profile *profile) {
	buf_release(&profile->unit);
	buf_release(&profile->remarks);
	names_release(&profile->names);
	stacks_release(&profile->stacks);
	calls_release(&profile->calls);
	timeline_release(&profile->timeline);
	time_buckets_free(profile->time_buckets);
	values_free(profile->values);
	sites_free(profile->sites);
	call_table_free(profile->table);
	intern_release(&profile->skipped.labels);
	*profile = (struct profile){0};
}
