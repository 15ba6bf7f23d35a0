/** A condition of --fail-if: `total(REGEX) > +5%`. */
#ifndef INFERNO_CONDITION_H
#define INFERNO_CONDITION_H

#include "base/diag.h"
#include "base/regexp.h"
#include "profile/change.h"

struct condition {
	const char *text; // as given; NULL: there is none
	bool total; // for totals (stacks with a matching function); false: for self counts (stacks
		    // that end in one)
	struct regexp pattern; // of the functions' names
	bool more;             // it holds above the limit; false: below
	bool or_equal;         // it also holds at the limit
	bool is_change;  // the limit has a sign, and is for the change; false: for the count after
	bool is_percent; // in per cent: of the count before, if the condition is on the change;
			 // else of all counts
	double limit;
};

/** Whether a condition holds for its counts. */
struct verdict {
	bool holds;
	bool noise; // it would hold, but the change may be noise
	double value;
};

/** Parse a condition, which borrows `text`. Return 0, or -1 after diag_error(). */
int condition_parse(struct condition *condition, const char *text, struct diag *diag);

/** Return whether the pattern matches the name of a function, which ends in a NUL. */
bool condition_matches(const struct condition *condition, const char *name);

/** Judge the counts of the functions that match. */
struct verdict condition_check(const struct condition *condition, struct change counts,
			       const struct scale *scale);

void condition_release(struct condition *condition);

#endif
