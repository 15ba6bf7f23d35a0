/** Sums over the sites of a profile: by module, and by source line. */
#ifndef INFERNO_SITE_SUMS_H
#define INFERNO_SITE_SUMS_H

#include "analysis/functions.h"

/** A stack of sites, with the frames that options left in it, root first. */
struct site_stack {
	const uint32_t *ids; // of sites
	size_t n;
	uint64_t count;
};

/** Pass each stack of sites that is in the tree of a view to `visit`. Return the sum of their
 * counts; that of the view may be larger. The profile has sites, and the view is not reversed. */
uint64_t site_sums_visit(const struct view *view,
			 void (*visit)(void *context, const struct site_stack *stack),
			 void *context);

enum site_sums_by { BY_MODULE, BY_LINE };

/** What a module or a line counts. */
struct site_sum {
	uint32_t module; // of sites; 0: not known. BY_LINE: only if the line is not known
	uint32_t file;   // a text of the sites
	uint32_t line;   // 0: not known
	uint32_t name;   // BY_LINE, of a line, or without a module: the id of the function's name,
			 // such as [waiting: lock]; else SITE_NO_NAME
	uint64_t self;   // of stacks whose last frame is there
	uint64_t total;  // of stacks with such a frame, each counted once
};

/** Zeroed, it is empty. */
struct site_sums {
	struct site_sum *items;
	size_t n, capacity;
	bool any_line; // some line is known
};

/** Add up the sites of a view. Frames without a line are added up by module. The view may also
 * count what is in no site: it goes to the module that is not known. `only` is the id of a name
 * whose sites are added up alone, or SITE_NO_NAME for all. */
void site_sums_collect(struct site_sums *sums, const struct view *view, enum site_sums_by by,
		       uint32_t only);

void site_sums_release(struct site_sums *sums);

#endif
