/**
 * A profile, which the rooms pass to one another. A collapser fills one with stacks and their
 * counts. Folding writes it as text; pictures and comparisons read its calls.
 *
 * The form says how stacks are kept while the profile is filled: as a counted set, a tree of calls,
 * or a timeline.
 */
#ifndef INFERNO_PROFILE_H
#define INFERNO_PROFILE_H

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
	PROFILE_STACKS, // equal stacks are added up; many deep ones become calls
	PROFILE_CALLS, // lines of folded text become calls at once, other stacks are added up first
	PROFILE_TIMELINE, // each stack is kept separately, in order of arrival
};

/** Parts of the input that are not kept. */
struct skipped {
	bool times;           // times of several inputs, whose clocks may differ
	bool lines;           // source files or lines, without profile_ask_sites()
	struct intern labels; // keys of labels, without it
};

struct profile {
	enum profile_form form;
	bool one_count; // in a line of folded text with two counts, the first belongs to the name
	bool by_sample; // profile_add() was called for each sample; see profile_sample()
	bool overflow;  // a count does not fit into 64 bits
	bool too_large; // rows of the timeline were left out, as they take too much memory
	bool has_lines; // the input has lines or addresses, and profile_ask_sites() would keep them
	bool has_unit;  // profile_count_in() was called
	struct skipped skipped;
	struct buf unit;    // of the counts, "microseconds"; empty: not known
	struct buf remarks; // on the quality of the data; empty: nothing is known
	struct names names;
	struct stacks stacks;
	struct calls calls;
	struct timeline timeline;
	struct time_buckets *time_buckets; // the times of stacks; NULL: not asked for
	struct values *values; // all values of stacks that have several; NULL: not asked for
	struct sites *sites;   // files, lines, modules and addresses of frames; NULL: not asked for
	struct call_table *table; // totals and calls of inputs without stacks; NULL: not asked for
	size_t quick; // profile_add() adds stacks below this depth without further checks
};

void profile_init(struct profile *profile, enum profile_form form);

/** Let the profile keep the times of stacks. Call this before the first stack is added, and not for
 * a flame chart, which shows the order in time itself. */
void profile_ask_times(struct profile *profile);

/** Forget the times of stacks. */
void profile_drop_times(struct profile *profile);

/** Return whether the profile keeps times. If so, call profile_during() before a stack is added. */
static inline bool profile_wants_times(const struct profile *profile) {
	return profile->time_buckets != NULL;
}

/** Set the thread and the time of the next stacks, from one time to another, in nanoseconds. */
static inline void profile_during(struct profile *profile, struct str thread, uint64_t from,
				  uint64_t to) {
	time_buckets_set(profile->time_buckets, thread, from, to);
}

/** Note that the time of the next stacks is not known. */
static inline void profile_at_no_time(struct profile *profile) {
	profile->time_buckets->known = false;
}

/** Let the profile keep all values of stacks, and not only their counts. Call this before the first
 * stack is added. A timeline has no values. */
void profile_ask_values(struct profile *profile);

/** Return whether the profile keeps all values. If so, and if an input has several values, call
 * profile_next_value() for each before a stack is added. */
static inline bool profile_wants_values(const struct profile *profile) {
	return profile->values != NULL;
}

/** Set the next stack's count of a value, with the value's name and unit. The value that becomes
 * the stack's count must be set, too. */
static inline void profile_next_value(struct profile *profile, struct str name, struct str unit,
				      uint64_t count) {
	values_set(profile->values, values_column(profile->values, name, unit), count);
}

/** Let the profile keep files, lines, modules and addresses of frames. Call this before the first
 * stack is added. A timeline has none of these. */
void profile_ask_sites(struct profile *profile);

/** Return whether the profile keeps sites. If so, and if an input has files, lines, modules or
 * addresses, use the ids of profile_site() in stacks in place of the ids of names. */
static inline bool profile_wants_sites(const struct profile *profile) {
	return profile->sites != NULL;
}

/** Return the id of a frame with these details, adding it if it is new. Its texts and its module
 * are ids of `profile->sites`. */
static inline uint32_t profile_site(struct profile *profile, const struct site *site) {
	return sites_add(profile->sites, site);
}

/** Ask for the totals and calls of functions if an input has no stacks, before it is read. */
void profile_ask_table(struct profile *profile);

/** Return whether they were asked for. Otherwise such an input is refused, or its stacks are
 * estimated. */
static inline bool profile_wants_table(const struct profile *profile) {
	return profile->table != NULL;
}

/** Return whether an input had totals and calls, and no stacks. */
static inline bool profile_has_table(const struct profile *profile) {
	return profile->table != NULL && profile->table->n > 0;
}

/** Start an empty profile of the same form and settings, to be merged into `other`. */
void profile_init_like(struct profile *profile, const struct profile *other);

/** Return the id of a name from folded text; see names_add_text(). */
static inline uint32_t profile_text_frame(struct profile *profile, struct str name) {
	return names_add_text(&profile->names, name);
}

/** Return the id of a name from any other format; see names_add(). */
static inline uint32_t profile_frame(struct profile *profile, struct str name) {
	return names_add(&profile->names, name);
}

/** Return the name of a frame with this id. It is valid as long as the profile. */
static inline struct str profile_name(const struct profile *profile, uint32_t id) {
	return names_get(&profile->names, id);
}

/** Return the id of a stack whose times are added before its counts, or STACKS_NONE if deep stacks
 * take too much memory. */
uint32_t profile_stack(struct profile *profile, const uint32_t *ids, size_t depth);

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

/** Return the id of a frame's name, before the stack is added. `id` is the id of a name or of a
 * site.
 */
static inline uint32_t profile_name_id(const struct profile *profile, uint32_t id) {
	return (id & SITE_FLAG) == 0 ? id : sites_name(profile->sites, id);
}

/** Return the name of such a frame. */
static inline struct str profile_frame_name(const struct profile *profile, uint32_t id) {
	return profile_name(profile, profile_name_id(profile, id));
}

/** Add a stack in which some ids are not those of names yet. Call profile_change_stacks(), which
 * replaces them, before the profile is used in any other way. */
void profile_add_unnamed(struct profile *profile, const uint32_t *ids, size_t depth,
			 uint64_t count);

/** Change all stacks, except calls, and look up pending ones. Stacks that become equal are added
 * up. */
void profile_change_stacks(struct profile *profile, stacks_change *change, void *context);

/**
 * Add a stack that shares its first `shared` frames with the last stack of this function. Use it
 * for trees, and for text in which stacks seldom repeat, because looking them up would be a waste.
 * In a profile of the form PROFILE_STACKS, call calls_look_up() first, and add each stack only
 * once. The ids are copied.
 */
void profile_add_line(struct profile *profile, struct stack_row row, size_t shared);

/** Look up all pending stacks. Before that, `overflow` and profile_count() are not valid. */
void profile_settle(struct profile *profile);

/** Add all stacks of `from`, and look up the pending stacks of both. In a timeline, the rows of
 * `from` come after the existing ones. */
void profile_merge(struct profile *profile, struct profile *from);

/** Set the unit of the counts; empty: not known. If two calls give different units, the unit is
 * not known. */
void profile_count_in(struct profile *profile, struct str unit);

/** Return the number of stacks: distinct ones, or rows of the timeline. */
static inline size_t profile_count(const struct profile *profile) {
	return profile->stacks.table.count + profile->calls.stacks + profile->timeline.n;
}

/** End the filling: look up pending stacks, replace sites by their names, and change names that
 * mean something else in folded text. */
void profile_finish(struct profile *profile);

/** Change a stack; its ids may be changed in place. Return false to leave it out. */
typedef bool profile_change(void *context, struct stack_row *stack);

/** Turn all stacks into calls. First pass each to `change`, unless that is NULL. No stacks can be
 * added afterwards. */
void profile_make_calls(struct profile *profile, profile_change *change, void *context);

/** Reverse every stack, so that its leaf becomes the root, and trim the blanks at both ends of
 * its text. Call profile_make_calls() first. Return false if the reversed stacks would take too
 * much memory, because they are deep and share few frames. */
bool profile_reverse(struct profile *profile);

/** Put the calls in the order of their names, if this is possible without sorting all names. Return
 * whether they are in order. If calls were moved, nothing can be added afterwards, but profiles
 * can be merged. */
bool profile_order_calls(struct profile *profile);

/** Make ids of calls compare as the bytes of their names do. */
void profile_sort_names(struct profile *profile);

/** Put the `odd` calls in the order of their names. Return false if other calls may be
 * out of order, or if this takes longer than sorting all. Nothing can be added afterwards. */
bool calls_put_in_order(struct calls *calls, const struct names *names);

/** Do what calls_append() does, for calls that calls_put_in_order() or calls_preorder() has put in
 * order. The result is in order, too. */
bool calls_append_in_order(struct calls *calls, const struct calls *from, const uint32_t *ids,
			   const struct names *names);

/** Do what calls_compare() does, for calls that calls_put_in_order() has put in order. That takes a
 * tenth off the time of a comparison, as no links are made. */
void calls_compare_in_order(struct calls *calls, const struct calls *after, const uint32_t *ids,
			    const struct names *names);

/** Put linked calls into preorder and in the order of their names, and unlink them. Return false
 * and change nothing if two calls of one caller have the same name. Nothing can be added
 * afterwards. */
bool calls_preorder(struct calls *calls, const struct names *names);

/** Add the calls of `after` to `before`, so that each stack has two counts: the earlier one is from
 * `before`. Call profile_make_calls() on both profiles first. This function may sort the calls of
 * `after`.
 */
void profile_compare(struct profile *before, struct profile *after);

/** Add a remark on the data of an input. */
void profile_remark(struct profile *profile, struct str remark);

/**
 * Return the count of one sample, at least 1. Profilers often count the time or the events between
 * two samples. The count is known if every sample was added alone; otherwise it is guessed from the
 * calls. `total` is the sum of all counts.
 */
double profile_sample(const struct profile *profile, uint64_t total);

/** Guess the count of one sample of the earlier profile, of stacks with two counts. */
double profile_sample_before(const struct profile *profile, uint64_t total);

/** Add up the counts of calls and timeline. Return false if the sum does not fit into 64 bits. */
bool profile_sum(const struct profile *profile, uint64_t *sum);

void profile_release(struct profile *profile);

#endif
