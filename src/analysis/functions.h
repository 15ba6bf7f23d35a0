/** Compute the counts of each function in the earlier and the later profile. */
#pragma once

#include "analysis/view.h"

struct function {
	struct str name;    // name, borrowed from the profile
	struct change self; // count of the stacks that end in the function
	// count of the stacks that contain the function; each stack counts once, even with
	// recursion
	struct change total;
	size_t rank; // set by functions_rank(): 1 for the highest self count
};

/** A zeroed struct is empty. */
struct functions {
	struct function *items;
	size_t n;
};

/** Add up the frames of an arranged view by name. For one profile, set only the counts of the later
 * profile. */
void functions_collect(struct functions *functions, const struct view *view);

/** Add up a column of the profile's values for each function. The result has the same functions as
 * functions_collect(), in the same order. */
void functions_collect_column(struct functions *functions, const struct view *view,
			      const struct value_column *column);

/** Add up the total of a function for each of its callers. `name` is the name of the function. If
 * the function calls itself, use only its outermost frames, so that each stack counts once. */
void functions_collect_callers(struct functions *callers, const struct view *view, struct str name);

/** Add up the counts of stacks by their first frames. */
void functions_collect_first(struct functions *functions, const struct view *view);

/** Add up the totals of the callees of a function. `name` is the name of the function. If the
 * function calls itself, include the callees of its inner frames. Count each stack only once for
 * each callee. */
void functions_collect_callees(struct functions *callees, const struct view *view, struct str name);

/** Return the functions in the order of their self counts in the later profile, the highest first.
 * Functions with equal counts are in the order of their names. The caller releases the result with
 * free(). */
const struct function **functions_by_self(const struct functions *functions);

/** Number the functions in the order of their self counts in the later profile, the highest first.
 * Functions with equal counts are in the order of their names. Return the functions in this order.
 * The caller releases the result with free(). */
const struct function **functions_rank(struct functions *functions);

/** Set the ranks of functions to the ranks of the same functions in `from`. `from` has all these
 * functions in the same order, and perhaps more functions. */
void functions_take_ranks(struct functions *functions, const struct functions *from);

/** Return the self counts of functions, indexed by the ids of their names. This takes less time
 * than functions_collect(). Read the counts from `tree` or, if `tree` is NULL, from the calls of
 * the profile. `reversed` says that the callees of the root are the leaves of the stacks. The
 * caller releases the result with free(). */
struct change *functions_self(const struct profile *profile, const struct tree *tree,
			      bool reversed);

/**
 * For each of two profiles, add up the counts of the stacks that contain a wanted function. For
 * each id of a name, `wanted` says whether the function is wanted. If `self` is set, add up only
 * stacks that end in a wanted function. Return false if the profiles have no frame of a wanted
 * function.
 */
bool functions_sum(const struct view *view, const bool *wanted, bool self, struct change *sum);

void functions_release(struct functions *functions);
