/** The frames of one profile as a tree, with files and lines where they are known, for output
 * formats that keep them. */
#ifndef INFERNO_SITED_H
#define INFERNO_SITED_H

#include "analysis/view.h"

/** A call. 0 in place of a number: there is none, as the first node is the root. */
struct sited_node {
	uint32_t caller, child, next; // the caller, its first callee, its caller's next callee
	uint32_t frame;               // the number of its frame; of the root, undefined
	uint64_t count;               // of the stack that ends here
};

struct sited {
	const struct view *view;
	const struct sites *sites; // NULL: only names are known
	struct sited_node *nodes;  // callers before their callees, in the order of names
	size_t n, capacity;
	struct ids frames; // by number: the site, or without sites, a frame of the view's tree
	uint32_t *numbers; // by site or name: the number plus 1
	size_t stacks;     // nodes that count something
};

/** A frame. What is not known is empty, or 0. */
struct sited_frame {
	struct str name, file, module, build_id;
	uint64_t address; // in the file of its module
	uint32_t line, column, start_line;
	bool inlined;
};

/** Make the tree of a view that was arranged. Only numbers below `frames.n` are frames. */
void sited_init(struct sited *sited, const struct view *view);
void sited_release(struct sited *sited);

struct sited_frame sited_frame(const struct sited *sited, uint32_t number);

#endif
