/** Rules that change names, such as `0x[0-9a-f]+ => 0x...`. */
#ifndef INFERNO_REWRITE_H
#define INFERNO_REWRITE_H

#include "base/diag.h"
#include "base/opt.h"

struct rewrite_rule;

/** A zeroed one has no rules. */
struct rewrite {
	struct rewrite_rule *rules;
	size_t n, capacity;
	struct buf next; // the name after a rule
};

/** Read the rules of a file, one on each line, which may be NULL, and then those of --rename.
 * Return 0, or -1 after diag_error(). Call rewrite_release() in both cases. */
int rewrite_init(struct rewrite *rewrite, const char *path, const struct opt_list *renames,
		 struct diag *diag);

/** Return the part of a name that is matched: all of it, if it is not of an absurd length. */
struct str rewrite_head(struct str name);

/** Apply all rules in turn to a name. Return whether it has changed; then call rewrite_end(). */
bool rewrite_apply(struct rewrite *rewrite, struct buf *name);

/** Add the part that was not matched, and repair ill-formed UTF-8: a rule may cut a character in
 * two. */
void rewrite_end(struct rewrite *rewrite, struct buf *name, struct str rest);

void rewrite_release(struct rewrite *rewrite);

#endif
