/** A condition of --fail-if: `total(REGEX) > +5%`. */
#ifndef INFERNO_CONDITION_H
#define INFERNO_CONDITION_H

#include "base/diag.h"
#include "base/regexp.h"
#include "profile/change.h"

struct condition {
	const char *text; // text of the condition; NULL: there is none
	bool total; // true: for totals (stacks with a matching function); false: for self counts
		    // (stacks that end in one)
	struct regexp pattern; // pattern of functions' names
	bool more;             // true: it holds above the limit; false: below it
	bool or_equal;         // whether it also holds at the limit
	bool is_change;  // true: the limit has a sign, and is for the change; false: for the count
			 // after
	bool is_percent; // whether the limit is in per cent: of the count before if it is for the
			 // change, otherwise of all counts
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

/** Return whether the pattern matches the name of a function, which ends in a NUL. */
bool condition_matches(const struct condition *condition, const char *name);

/** Check the counts of the functions that match. */
struct verdict condition_check(const struct condition *condition, struct change counts,
			       const struct scale *scale);

void condition_release(struct condition *condition);

#endif
