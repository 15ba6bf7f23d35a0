/** Read and check the conditions of --fail-if, such as `total(REGEX) > +5%`. */
#pragma once

#include "base/diag.h"
#include "base/regexp.h"
#include "profile/change.h"

struct condition {
	const char *text; // NULL: there is no condition
	bool total; // true: the condition is on totals (of stacks with a matching function); false:
		    // on self counts (of stacks that end in such a function)
	struct regexp pattern; // pattern for names of functions
	bool more;             // true: the condition holds above the limit; false: below the limit
	bool or_equal;         // the condition holds at the limit, too
	bool is_change;  // true: the limit has a sign, and is for the change; false: the limit is
			 // for the later count
	bool is_percent; // the limit is in per cent: for a change, of the earlier count; for a
			 // count, of all counts
	double limit;
};

/** The result of checking a condition. */
struct verdict {
	bool holds;
	bool noise; // the condition would hold, but the change may be noise
	double value;
};

/** Parse a condition, which borrows `text`. Return 0, or -1 after diag_error(). */
int condition_parse(struct condition *condition, const char *text, struct diag *diag);

/** Return whether the pattern matches the name of a function. The name ends in a NUL. */
bool condition_matches(const struct condition *condition, const char *name);

/** Check a condition. `counts` is the sum of the counts of all functions that match. */
struct verdict condition_check(const struct condition *condition, struct change counts,
			       const struct scale *scale);

void condition_release(struct condition *condition);
