/** The counts of each function, before and after. */
#ifndef INFERNO_FUNCTIONS_H
#define INFERNO_FUNCTIONS_H

#include "analysis/view.h"

struct function {
	struct str name;     // borrowed from the profile
	struct change self;  // of stacks that end in it
	struct change total; // of stacks with it, each counted once, whatever its recursion
	size_t rank;         // set by functions_rank(): 1 for the highest self count
};

/** A zeroed one is empty. */
struct functions {
	struct function *items;
	size_t n;
};

/** Add up the frames of a view that was arranged, by name. Of one profile, the counts are those
 * after. */
void functions_collect(struct functions *functions, const struct view *view);

/** Do the same for a column of the profile's values. The functions are those of the view, in the
 * same order. */
void functions_collect_column(struct functions *functions, const struct view *view,
			      const struct value_column *column);

/** Add up what a function counts for each of its callers, by name. If the function calls itself,
 * only its outermost frames count, so the sum is its total. */
void functions_collect_callers(struct functions *callers, const struct view *view, struct str name);

/** Add up stacks by their first frames. */
void functions_collect_first(struct functions *functions, const struct view *view);

/** Add up the totals of the functions that a function calls, by name. If it calls itself, so do its
 * inner frames, and a stack counts once for each callee. */
void functions_collect_callees(struct functions *callees, const struct view *view, struct str name);

/** Return the functions by their self counts after, the highest first, and equal ones by name. The
 * caller releases the result with free(). */
const struct function **functions_by_self(const struct functions *functions);

/** Number the functions by their self counts after, the highest first, and equal ones by name.
 * Return them in this order; the caller releases the result with free(). */
const struct function **functions_rank(struct functions *functions);

/** Give functions the ranks that they have in `from`, which has all of them, in the same order. */
void functions_take_ranks(struct functions *functions, const struct functions *from);

/** Return the self counts of functions by the id of their names, which takes less time than all
 * sums: those of a tree, or if it is NULL, of the calls of a profile. `reversed` says that the
 * frames on the root are the leaves of the stacks. The caller releases them with free(). */
struct change *functions_self(const struct profile *profile, const struct tree *tree,
			      bool reversed);

/**
 * Add up the counts of the stacks of two profiles that have a wanted function. `wanted` has an item
 * for the id of each name. With `self`, take only stacks that end in one. Return false if no frame
 * is wanted.
 */
bool functions_sum(const struct view *view, const bool *wanted, bool self, struct change *sum);

void functions_release(struct functions *functions);

#endif
