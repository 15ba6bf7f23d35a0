/** Regular expressions that the user writes. Their syntax is the extended syntax, as for 'grep
 * -E'. */
#pragma once

#include <regex.h>
#include <stdbool.h>

#include "base/buf.h"

struct regexp {
	regex_t compiled;
};

/** Return whether `text` is nested too deeply, or too large when all its repetitions are written
 * out. For example, regcomp() would need gigabytes of memory for `(a{1000}){1000}`. */
bool regexp_is_large(const char *text);

/** Compile `text`. If the text is not a regular expression, or is too large, return false and add
 * the reason to `why`, unless `why` is NULL. `flags` are passed to regcomp(). The caller releases
 * the result with regexp_release(). */
bool regexp_init(struct regexp *regexp, const char *text, int flags, struct buf *why);

/**
 * Check that the value of an option is a regular expression. Return NULL, or a description of the
 * expected value.
 */
const char *regexp_check(const char *text);

/** Return whether the expression matches a part of `text`. `found`, `n` and `flags` are passed to
 * regexec(). If memory runs out, call inferno_out_of_memory(). */
bool regexp_matches(const struct regexp *regexp, const char *text, size_t n, regmatch_t *found,
		    int flags);

void regexp_release(struct regexp *regexp);
