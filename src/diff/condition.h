/** A condition of --fail-if: `total(REGEX) > +5%`. */
#ifndef INFERNO_CONDITION_H
#define INFERNO_CONDITION_H

#include <regex.h>

#include "base/diag.h"
#include "profile/change.h"

struct condition {
	const char *text; // as given; NULL: there is none
	bool total;       // what counts: stacks with such a function, or else those that end in one
	regex_t pattern;  // the functions
	bool more;        // holds above the limit, or else below
	bool or_equal;
	bool is_change;  // the limit has a sign: it is for the change, or else for what there is
			 // after
	bool is_percent; // of what it was before, or else of all
	double limit;
};

/** What a condition says of its counts. */
struct verdict {
	bool holds;
	bool noise; // it would hold, but for the change being noise
	double value;
};

/** Read a condition; `text` is the caller's and lives as long. Return 0, or -1 after
 * diag_error().
 */
int condition_parse(struct condition *condition, const char *text, struct diag *diag);

/** Whether a function is one that the condition is about. The name ends in a NUL. */
bool condition_matches(const struct condition *condition, const char *name);

/** Judge what was counted. */
struct verdict condition_judge(const struct condition *condition, struct change counts,
			       const struct yardstick *yardstick);

void condition_release(struct condition *condition);

#endif
