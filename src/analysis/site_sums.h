/** Add up the sites of a profile by module or by source line. */
#pragma once

#include "analysis/functions.h"

/** A stack of sites without the frames that options have removed, root first. */
struct site_stack {
	const uint32_t *ids; // ids of sites
	size_t n;
	uint64_t count;
};

/** Pass each stack of sites that is in the tree of a view to `visit`. Return the sum of the counts
 * of these stacks, which may be smaller than the sum of the view. The profile must have sites, and
 * the view must not be reversed. */
uint64_t site_sums_visit(const struct view *view,
			 void (*visit)(void *context, const struct site_stack *stack),
			 void *context);

enum site_sums_by { BY_MODULE, BY_LINE };

/** The sums of a module or a line. */
struct site_sum {
	uint32_t module; // module of the sites; 0: not known; BY_LINE: set only if the line is not
			 // known
	uint32_t file;   // source file, a text of sites_text()
	uint32_t line;   // 0: not known
	uint32_t name;   // id of the function's name, for a line, and if the module is not known;
			 // otherwise SITE_NO_NAME
	uint64_t self;   // count of the stacks whose last frame is in the module or line
	uint64_t total;  // count of the stacks with a frame in the module or line; each stack
			 // counts once
};

/** A zeroed struct is empty. */
struct site_sums {
	struct site_sum *items;
	size_t n, capacity;
	bool any_line; // some line is known
};

/** Add up the sites of a view. Frames without a line are added up by module. The part of the view's
 * count that belongs to no site is added to the unknown module. If `only` is the id of a name, add
 * up only the sites with this name. If `only` is SITE_NO_NAME, add up all sites. */
void site_sums_collect(struct site_sums *sums, const struct view *view, enum site_sums_by by,
		       uint32_t only);

void site_sums_release(struct site_sums *sums);
