/** What each function counted before and after. */
#ifndef INFERNO_FUNCTIONS_H
#define INFERNO_FUNCTIONS_H

#include "profile/tree.h"

struct function {
	struct str name;     // the stacks'
	struct change self;  // where it is the last frame of a stack
	struct change total; // where it is in a stack, once for each stack
};

/** A zeroed one is empty. */
struct functions {
	struct function *items;
	size_t n;
};

/** Add up the frames of a tree with two counts, by name. */
void functions_collect(struct functions *functions, const struct tree *tree,
		       const struct profile *profile);

/**
 * Add up what the stacks count in which some function, or with `self` the last one, is `wanted`, by
 * the id of its name. False if no frame has such a name.
 */
bool functions_sum(const struct tree *tree, const bool *wanted, bool self, struct change *sum);

void functions_release(struct functions *functions);

#endif
