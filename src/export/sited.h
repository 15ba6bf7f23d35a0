/** Make a tree of the frames of one profile. Output formats with files and lines use this tree,
 * because its frames have files and lines if these are known. */
#pragma once

#include "analysis/view.h"

/** A call, which is a node of the tree. Node 0 is the root, so in a link, 0 stands for no node. */
struct sited_node {
	// indices of the caller, of the first callee, and of the caller's next callee
	uint32_t caller, child, next;
	uint32_t frame; // number of the node's frame; undefined for the root
	uint64_t count; // count of the stack that ends in this node
};

struct sited {
	const struct view *view;
	const struct sites *sites; // NULL: only names are known
	struct sited_node *nodes;  // nodes, in the order of names; a caller comes before its
				   // callees
	size_t n, capacity;
	// for each number of a frame, its site; if there are no sites, a frame of the view's tree
	struct ids frames;
	uint32_t *numbers; // for each site or name, 1 + its number
	size_t stacks;     // number of nodes with a count
	uint32_t *ends;    // for each stack of sites, the node in which it ends; NULL: there are no
			   // sites
	// exact times, sorted by time in each thread; stacks are indices into `ends`; NULL: some
	// times are not known
	const struct moments *moments;
};

/** A frame. A field that is not known is empty or 0. */
struct sited_frame {
	struct str name, file, module, build_id;
	uint64_t address; // address in the file of the module
	uint32_t line, column, start_line;
	bool inlined;
};

/** Make the tree of an arranged view. */
void sited_init(struct sited *sited, const struct view *view);

/** Set `moments` if the exact times of all stacks are known. If times are known but cannot be used,
 * warn. Return 0, or -1 if the run must end. */
int sited_take_moments(struct sited *sited, struct diag *diag);

void sited_release(struct sited *sited);

struct sited_frame sited_frame(const struct sited *sited, uint32_t number);
