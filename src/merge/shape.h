/** Change stacks one by one: drop stacks, drop some of their frames, or rename frames. */
#pragma once

#include "base/diag.h"
#include "base/opt.h"

/** The options that change stacks. Regular expressions are POSIX extended regular expressions, and
 * match a part of a frame's name after the rules were applied. */
struct shape_options {
	const struct opt_list *renames; // rules, as "REGEX => REPLACEMENT"
	const char *rules; // a file with a rule on each line, before `renames`; or NULL
	// Keep a stack if each of these expressions matches at least one of its frames.
	const struct opt_list *focus;
	const struct opt_list *ignore; // leave out stacks with a frame that matches
	// Cut off the callers of such a frame; leave out stacks without such a frame.
	const struct opt_list *root;
	const struct opt_list *trim; // cut off the callees of such a frame
	const struct opt_list *hide; // leave out such frames
	bool fold_recursion;         // leave out frames that equal their caller
	char separator;              // separates the frames of the result
};

struct shape;

/** Return a new shape, or NULL after diag_error() for a bad option. The caller releases the result
 * with shape_free(). */
struct shape *shape_new(const struct shape_options *options, struct diag *diag);

/** A stack as shape_stack() changed it. The texts are valid until the next call of shape_stack().
 */
struct shaped {
	struct str stack;
	struct str before; // the result of the previous call that returned true
	size_t common;     // number of bytes that `stack` and `before` share
};

/** Change a stack, which shares `common` bytes with the stack of the previous call. Return false if
 * the stack is left out. */
bool shape_stack(struct shape *shape, struct str stack, size_t common, struct shaped *shaped);

void shape_free(struct shape *shape);
