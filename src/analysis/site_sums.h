/** Sums over the sites of a profile: by module, and by source line. */
#ifndef INFERNO_SITE_SUMS_H
#define INFERNO_SITE_SUMS_H

#include "analysis/functions.h"

/** A stack of sites without the frames that options have removed, root first. */
struct site_stack {
	const uint32_t *ids; // of sites
	size_t n;
	uint64_t count;
};

/** Pass each stack of sites that is in the tree of a view to `visit`. Return the sum of the counts
 * of these stacks; the sum of the view may be larger. The profile must have sites, and the view
 * must not be reversed. */
uint64_t site_sums_visit(const struct view *view,
			 void (*visit)(void *context, const struct site_stack *stack),
			 void *context);

enum site_sums_by { BY_MODULE, BY_LINE };

/** The sums of a module or a line. */
struct site_sum {
	uint32_t module; // module in the sites; 0: not known. BY_LINE: set only if the line is not
			 // known
	uint32_t file;   // source file, a text of the sites
	uint32_t line;   // line; 0: not known
	uint32_t name;   // BY_LINE, of a line, or without a module: the id of the function's name,
			 // such as [waiting: lock]; else SITE_NO_NAME
	uint64_t self;   // count of stacks whose last frame is there
	uint64_t total;  // count of stacks with such a frame, each counted once
};

/** A zeroed struct is empty. */
struct site_sums {
	struct site_sum *items;
	size_t n, capacity;
	bool any_line; // whether any line is known
};

/** Add up the sites of a view. Frames without a line are added up by module. The part of the view's
 * count that belongs to no site is added to the unknown module. If `only` is the id of a name, add
 * up only the sites with this name. If `only` is SITE_NO_NAME, add up all sites. */
void site_sums_collect(struct site_sums *sums, const struct view *view, enum site_sums_by by,
		       uint32_t only);

void site_sums_release(struct site_sums *sums);

#endif
