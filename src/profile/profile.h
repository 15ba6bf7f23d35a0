/**
 * Keep a profile: stacks with their counts. Collapsers fill a profile. Exporters, pictures and
 * comparisons read it.
 *
 * The form is the structure in which stacks are stored while the profile is filled: a counted set,
 * a tree of calls, or a timeline.
 */
#pragma once

#include "base/buf.h"
#include "profile/call_table.h"
#include "profile/calls.h"
#include "profile/time_buckets.h"
#include "profile/names.h"
#include "profile/sites.h"
#include "profile/stacks.h"
#include "profile/timeline.h"
#include "profile/values.h"

enum profile_form {
	PROFILE_STACKS, // equal stacks are added up; deep stacks that would take too much memory
			// become calls
	PROFILE_CALLS,  // stacks of profile_add_line() become calls at once, unless sites are kept;
			// other stacks are added up first
	PROFILE_TIMELINE, // each stack is kept separately, in order of arrival
};

/** Notes of the parts of inputs that the profile does not keep. */
struct skipped {
	bool times;           // the times of several inputs, because their clocks may differ
	bool lines;           // source files or lines, because profile_ask_sites() was not called
	struct intern labels; // keys of labels, because profile_ask_sites() was not called
};

struct profile {
	enum profile_form form;
	bool one_count; // if a line of folded text ends in two numbers, the first number belongs to
			// the name
	bool by_sample; // profile_add() was called for each sample; see profile_sample()
	bool overflow;  // a count does not fit into 64 bits
	bool too_large; // the timeline lacks rows, because they would take too much memory
	bool has_lines; // the input has lines or addresses; the profile would keep them after
			// profile_ask_sites()
	bool has_unit;  // profile_count_in() was called
	struct skipped skipped;
	struct buf unit;    // unit of the counts, such as "microseconds"; empty: not known
	struct buf remarks; // remarks on the quality of the data; empty: no remarks
	struct names names;
	struct stacks stacks;
	struct calls calls;
	struct timeline timeline;
	struct time_buckets *time_buckets; // the times of stacks; NULL: not asked for
	struct values *values; // all values of stacks, if an input has several; NULL: not asked for
	struct sites *sites;   // files, lines, modules and addresses of frames; NULL: not asked for
	struct call_table *table; // totals and calls of inputs without stacks; NULL: not asked for
	size_t quick; // profile_add() adds a stack with fewer frames than this without further
		      // checks
};

void profile_init(struct profile *profile, enum profile_form form);

/** Let the profile count the times of stacks in buckets; see profile/time_buckets.h. Call this
 * function before the first stack is added. A timeline keeps no times. */
void profile_ask_times(struct profile *profile);

/** Let the profile keep the exact times of stacks, for profile_cut() and for exporters that write
 * times. If the profile keeps sites, the times belong to the stacks of sites, even after
 * profile_finish(). If `each` is set, each sample has a moment of its own. Otherwise, moments_add()
 * may join successive samples. */
void profile_ask_moments(struct profile *profile, bool each);

/** Let the profile note whether any stack has a time, but keep no times. */
void profile_ask_whether_timed(struct profile *profile);

/** Return whether any stack has a time. If none of the three functions above was called, return
 * false. */
bool profile_is_timed(const struct profile *profile);

/** Drop the times of stacks, and keep no further times. */
void profile_drop_times(struct profile *profile);

/**
 * Return whether the profile needs further times. If it does, call profile_during() or
 * profile_at_no_time() before each stack is added.
 */
static inline bool profile_wants_times(const struct profile *profile) {
	const struct time_buckets *buckets = profile->time_buckets;
	return buckets != NULL && (buckets->is_kept || buckets->moments != NULL || !buckets->any);
}

/** Set the thread of the next stacks, and their start and end times in nanoseconds. */
static inline void profile_during(struct profile *profile, struct str thread, uint64_t from,
				  uint64_t to) {
	time_buckets_set(profile->time_buckets, thread, from, to);
}

/** Remember that the time of the next stacks is not known. */
static inline void profile_at_no_time(struct profile *profile) {
	profile->time_buckets->known = false;
}

/** Let the profile keep all values of stacks, and not only the value that is counted. Call this
 * function before the first stack is added. A timeline has no values. */
void profile_ask_values(struct profile *profile);

/** Return whether the profile keeps all values. If it does, and an input has several values, call
 * profile_next_value() for each value before a stack is added. */
static inline bool profile_wants_values(const struct profile *profile) {
	return profile->values != NULL;
}

/** Set a value of the next stack: the name and the unit of the value, and its count. Call this
 * function for the value that is the count of the stack, too. */
static inline void profile_next_value(struct profile *profile, struct str name, struct str unit,
				      uint64_t count) {
	values_set(profile->values, values_column(profile->values, name, unit), count);
}

/** Let the profile keep files, lines, modules and addresses of frames. Call this function before
 * the first stack is added. A timeline does not keep these details. */
void profile_ask_sites(struct profile *profile);

/** Return whether the profile keeps sites. If it does, and an input has files, lines, modules or
 * addresses, put ids from profile_site() into stacks, in place of ids of names. */
static inline bool profile_wants_sites(const struct profile *profile) {
	return profile->sites != NULL;
}

/** Return the id of a site. Add the site if it is new. The fields of `site` for texts and the
 * module are ids of `profile->sites`. */
static inline uint32_t profile_site(struct profile *profile, const struct site *site) {
	return sites_add(profile->sites, site);
}

/** Let the profile keep totals and calls of functions, for inputs without stacks. Call this
 * function before an input is read. */
void profile_ask_table(struct profile *profile);

/** Return whether the profile keeps totals and calls of functions. If it does not, the reader
 * refuses an input without stacks, or estimates stacks. */
static inline bool profile_wants_table(const struct profile *profile) {
	return profile->table != NULL;
}

/** Return whether an input had totals and calls of functions instead of stacks. */
static inline bool profile_has_table(const struct profile *profile) {
	return profile->table != NULL && profile->table->n > 0;
}

/** Initialise an empty profile with the form and the settings of `other`. */
void profile_init_like(struct profile *profile, const struct profile *other);

/** Return the id of a name from folded text; see names_add_text(). */
static inline uint32_t profile_text_frame(struct profile *profile, struct str name) {
	return names_add_text(&profile->names, name);
}

/** Return the id of a name from a format other than folded text; see names_add(). */
static inline uint32_t profile_frame(struct profile *profile, struct str name) {
	return names_add(&profile->names, name);
}

/** Return the name with this id, which is not the id of a site. The name is valid as long as the
 * profile. */
static inline struct str profile_name(const struct profile *profile, uint32_t id) {
	return names_get(&profile->names, id);
}

/** Return the id of a stack. Add the stack with the count 0 if it is new. Use this function for a
 * stack whose times are added before its count. Return STACKS_NONE if the stack is deep and deep
 * stacks take too much memory. Call this function only if profile_wants_times() returns true. */
uint32_t profile_stack(struct profile *profile, const uint32_t *ids, size_t depth);

/** Add `count` to a stack as profile_add() does, but no time: the times of the stack were added
 * before. */
void profile_add_timed(struct profile *profile, const uint32_t *ids, size_t depth, uint64_t count);

void profile_add_slow(struct profile *profile, const uint32_t *ids, size_t depth, uint64_t count);

/** Add `count` to a stack of `depth` ids, root first. A stack may be empty; a count may be 0. */
static inline void profile_add(struct profile *profile, const uint32_t *ids, size_t depth,
			       uint64_t count) {
	if (depth < profile->quick) {
		stacks_add(&profile->stacks, ids, depth, count);
	} else {
		profile_add_slow(profile, ids, depth, count);
	}
}

/** Return the id of the name of a frame. `id` is the id of a name or of a site. */
static inline uint32_t profile_name_id(const struct profile *profile, uint32_t id) {
	return (id & SITE_FLAG) == 0 ? id : sites_name(profile->sites, id);
}

/** Return the name of a frame. `id` is the id of a name or of a site. */
static inline struct str profile_frame_name(const struct profile *profile, uint32_t id) {
	return profile_name(profile, profile_name_id(profile, id));
}

/** Add a stack in which some ids are not ids of names yet. Then call profile_change_stacks() to
 * replace these ids, before any other function reads the profile. */
void profile_add_unnamed(struct profile *profile, const uint32_t *ids, size_t depth,
			 uint64_t count);

/** Look up the pending stacks, and pass each stack that is not in the calls to `change`. Stacks of
 * the counted set that become equal are added up. Rows of a timeline are never left out. */
void profile_change_stacks(struct profile *profile, stacks_change *change, void *context);

/**
 * Add a stack whose first `shared` frames are the same as those of the stack in the previous call
 * of this function. Use this function for trees, and for text in which stacks seldom repeat,
 * because it does not look up whole stacks. In a profile of the form PROFILE_STACKS, call
 * calls_look_up() first, and add each stack only once. The ids are copied.
 */
void profile_add_line(struct profile *profile, struct stack_row row, size_t shared);

/** Look up all pending stacks. Before this call, do not read `overflow` or call profile_count(). */
void profile_settle(struct profile *profile);

/** Add all stacks of `from`, and look up the pending stacks of both profiles. In a timeline, the
 * rows of `from` come after the existing rows. */
void profile_merge(struct profile *profile, struct profile *from);

/** Set the unit of the counts. An empty text means that the unit is not known. If two calls set
 * different units, the unit is not known. */
void profile_count_in(struct profile *profile, struct str unit);

/** Return the number of distinct stacks, or the number of rows of the timeline. */
static inline size_t profile_count(const struct profile *profile) {
	return profile->stacks.table.count + profile->calls.stacks + profile->timeline.n;
}

/** End the filling of the profile: look up pending stacks, replace sites by their names, and change
 * names that have a special meaning in folded text (finish.c). */
void profile_finish(struct profile *profile);

/** A function that changes a stack. The function may change the ids in place. The function returns
 * false to leave out the stack. */
typedef bool profile_change(void *context, struct stack_row *stack);

/** Turn all stacks into calls. Unless `change` is NULL, first pass each stack to `change`. After
 * this function, no stacks can be added. */
void profile_make_calls(struct profile *profile, profile_change *change, void *context);

/** Reverse every stack, so that its leaf becomes the root. Remove the blanks at both ends of the
 * stack's text. Call profile_make_calls() first. If the reversed stacks would take too much memory,
 * because they are deep and share few frames, drop all calls and return false. */
bool profile_reverse(struct profile *profile);

/** Put the calls in the order of their names, if this is possible without sorting all names. Return
 * whether the calls are in order. If calls were moved, profiles can still be merged, but no stacks
 * can be added. */
bool profile_order_calls(struct profile *profile);

/** Prepare the calls for tree_build(): put them in the order of their names, or give the names new
 * ids whose order is the order of the names' bytes. */
void profile_sort_names(struct profile *profile);

/** Put the calls in the list `odd` in the order of their names. Return false if some calls may
 * still be out of order; the caller then sorts all names. After this function, no calls can be
 * added. */
bool calls_put_in_order(struct calls *calls, const struct names *names);

/** Add all calls of another tree, as calls_append() does. Both trees must be in the order in which
 * calls_put_in_order() or calls_preorder() put them. The result is in this order, too. */
bool calls_append_in_order(struct calls *calls, const struct calls *from, const uint32_t *ids,
			   const struct names *names);

/** Turn the calls into a comparison, as calls_compare() does. Both trees must be in the order in
 * which calls_put_in_order() puts them. This function makes no links, which saves a tenth of the
 * time of a comparison. */
void calls_compare_in_order(struct calls *calls, const struct calls *after, const uint32_t *ids,
			    const struct names *names);

/** Put linked calls into preorder and in the order of their names, and release the links. If two
 * callees of one caller have the same name, return false and move no call. After this function, no
 * calls can be added. */
bool calls_preorder(struct calls *calls, const struct names *names);

/** Add the calls of the later profile `after` to the earlier profile `before`, so that each stack
 * has two counts. Call profile_make_calls() on both profiles first. This function may put the calls
 * of both profiles in the order of their names. */
void profile_compare(struct profile *before, struct profile *after);

/** Add a remark on the quality of the data of an input. */
void profile_remark(struct profile *profile, struct str remark);

/**
 * Return the count of one sample, at least 1. This count is often not 1, because profilers count
 * the time or the events between two samples. If profile_add() was called once for each sample,
 * return the mean count of a sample, weighted by the counts. Otherwise, guess the count from the
 * calls. `total` is the sum of all counts.
 */
double profile_sample(const struct profile *profile, uint64_t total);

/** If stacks have two counts, guess the count of one sample of the earlier profile. `total` is the
 * sum of the earlier counts. */
double profile_sample_before(const struct profile *profile, uint64_t total);

/** Set `*sum` to the sum of the counts of calls and timeline. Return false if this sum, a count, or
 * the sum of a column of values does not fit into 64 bits. */
bool profile_sum(const struct profile *profile, uint64_t *sum);

void profile_release(struct profile *profile);
