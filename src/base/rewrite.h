/** Rules that change names. For example, the rule `0x[0-9a-f]+=>0x...` replaces addresses. */
#pragma once

#include "base/diag.h"
#include "base/opt.h"

struct rewrite_rule;

/** A zeroed struct has no rules. */
struct rewrite {
	struct rewrite_rule *rules;
	size_t n, capacity;
	struct buf next; // the result of the current rule
};

/** Read the rules of --rules from the file at `path`, one on each line, and then the rules of
 * --rename. `path` may be NULL. Return 0, or -1 after diag_error(). Call rewrite_release() in both
 * cases. */
int rewrite_init(struct rewrite *rewrite, const char *path, const struct opt_list *renames,
		 struct diag *diag);

/** Return the part of a name to which rules are applied. This part is the whole name, or the start
 * of a very long name. */
struct str rewrite_head(struct str name);

/** Apply all rules in turn to a name. Return whether the name has changed. If the name has changed,
 * call rewrite_end() next. */
bool rewrite_apply(struct rewrite *rewrite, struct buf *name);

/** Append `rest`, the part of the name to which no rule was applied. Replace ill-formed UTF-8,
 * because a rule may have removed a part of a character. */
void rewrite_end(struct rewrite *rewrite, struct buf *name, struct str rest);

void rewrite_release(struct rewrite *rewrite);
