/** Regular expressions that the user writes: extended regular expressions, as for 'grep -E'. */
#ifndef INFERNO_REGEXP_H
#define INFERNO_REGEXP_H

#include <regex.h>
#include <stdbool.h>

#include "base/buf.h"

struct regexp {
	regex_t compiled;
};

/** Return whether `text` is too large with all repetitions written out, as in `(a{1000}){1000}`.
 * regcomp() would need gigabytes of memory for such a text. */
bool regexp_is_large(const char *text);

/** Compile `text`. Return false, with the reason in `why`, which may be NULL, if the text is not
 * a regular expression, or is too large. `flags` are passed to regcomp(). The caller releases
 * the result with regexp_release(). */
bool regexp_init(struct regexp *regexp, const char *text, int flags, struct buf *why);

/**
 * Check that the value of an option is a regular expression. Return NULL, or a description of the
 * expected value.
 */
const char *regexp_check(const char *text);

/** Return whether the expression matches a part of `text`. `found`, `n` and `flags` are passed to
 * regexec(). If memory runs out, the process ends. */
bool regexp_matches(const struct regexp *regexp, const char *text, size_t n, regmatch_t *found,
		    int flags);

void regexp_release(struct regexp *regexp);

#endif
