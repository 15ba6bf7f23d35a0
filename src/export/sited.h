/** The frames of one profile as a tree, with the known files and lines of frames, for output
 * formats that can hold files and lines. */
#ifndef INFERNO_SITED_H
#define INFERNO_SITED_H

#include "analysis/view.h"

/** A call, which is a node of the tree. Node 0 is the root, so a link of 0 means that no such node
 * exists. */
struct sited_node {
	// numbers of the caller, the first callee, and the caller's next callee
	uint32_t caller, child, next;
	uint32_t frame; // number of its frame; undefined for the root
	uint64_t count; // count of the stack that ends here
};

struct sited {
	const struct view *view;
	const struct sites *sites; // sites; NULL: only names are known
	struct sited_node *nodes;  // callers before their callees, in the order of names
	size_t n, capacity;
	// by number: the site, or if there are no sites, a frame of the view's tree
	struct ids frames;
	uint32_t *numbers; // by site or name: the number plus 1
	size_t stacks;     // number of nodes with a count
	uint32_t *ends;    // by stack of sites: the node in which it ends; NULL: there are no sites
	// exact times, sorted by thread and time; their stacks are those of `ends`; NULL: some are
	// not known
	const struct moments *moments;
};

/** A frame. Unknown fields are empty, or 0. */
struct sited_frame {
	struct str name, file, module, build_id;
	uint64_t address; // address in the file of its module
	uint32_t line, column, start_line;
	bool inlined;
};

/** Make the tree of an arranged view. Numbers of frames are below `frames.n`. */
void sited_init(struct sited *sited, const struct view *view);

/** Set the exact times of all stacks. If only some stacks have times, warn. Return 0, or -1 if the
 * run must end. */
int sited_take_moments(struct sited *sited, struct diag *diag);

void sited_release(struct sited *sited);

struct sited_frame sited_frame(const struct sited *sited, uint32_t number);

#endif
