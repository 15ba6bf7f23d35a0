/*
 * Keep mappings in a tree, sorted by address. Each node has a random priority, and a parent has a
 * higher priority than its children (a treap). So no order of records makes the tree deep. A node
 * may be part of many trees. Before a change, the nodes on the path from the root to the changed
 * mapping are copied if other trees use them, too.
 */
#include "perf/data/mappings.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

struct mapping_node {
	struct mapping mapping;
	struct mapping_node *left, *right;
	uint32_t users; // number of parents and roots that use this node
	uint32_t priority;
};

/* --- Nodes ---------------------------------------------------------------------------------- */

static struct mapping_node *mappings_node_new(const struct mapping *mapping) {
	struct mapping_node *node = mem_new(1, sizeof(*node));
	node->mapping = *mapping;
	node->users = 1;
	node->priority = (uint32_t)hash_bytes(&node, sizeof(node), 0);
	return node;
}

static struct mapping_node *mappings_node_share(struct mapping_node *node) {
	if (node != NULL) {
		node->users++;
	}
	return node;
}

static void mappings_node_leave(struct mapping_node *node) {
	if (node != NULL && --node->users == 0) {
		mappings_node_leave(node->left);
		mappings_node_leave(node->right);
		free(node);
	}
}

/** Return a node that only the caller's tree uses. If other trees use `node`, too, return a
 * copy. */
static struct mapping_node *mappings_node_own(struct mapping_node *node) {
	if (node->users == 1) {
		return node;
	}
	struct mapping_node *own = mem_new(1, sizeof(*own));
	*own = *node;
	own->users = 1;
	mappings_node_share(own->left);
	mappings_node_share(own->right);
	node->users--;
	return own;
}

/** Split a tree in two: the mappings that start before an address, and all other mappings. */
static void mappings_node_split(struct mapping_node *node, uint64_t address,
				struct mapping_node **before, struct mapping_node **after) {
	if (node == NULL) {
		*before = *after = NULL;
		return;
	}
	node = mappings_node_own(node);
	if (node->mapping.start < address) {
		mappings_node_split(node->right, address, &node->right, after);
		*before = node;
	} else {
		mappings_node_split(node->left, address, before, &node->left);
		*after = node;
	}
}

/** Join two trees. All mappings of `before` are at lower addresses than the mappings of `after`. */
static struct mapping_node *mappings_node_join(struct mapping_node *before,
					       struct mapping_node *after) {
	if (before == NULL || after == NULL) {
		return before == NULL ? after : before;
	}
	if (before->priority > after->priority) {
		before = mappings_node_own(before);
		before->right = mappings_node_join(before->right, after);
		return before;
	}
	after = mappings_node_own(after);
	after->left = mappings_node_join(before, after->left);
	return after;
}

/* --- Mappings ------------------------------------------------------------------------------- */

void mappings_copy(struct mappings *copy, const struct mappings *mappings) {
	struct mapping_node *old = copy->root;
	*copy = (struct mappings){mappings_node_share(mappings->root), mappings->id};
	mappings_node_leave(old);
}

/** Replace all mappings that start in [start, end) by the `n` mappings `by`. */
static void mappings_replace(struct mappings *mappings, uint64_t start, uint64_t end,
			     const struct mapping *by, size_t n) {
	struct mapping_node *before, *rest, *gone, *after;
	mappings_node_split(mappings->root, start, &before, &rest);
	mappings_node_split(rest, end, &gone, &after);
	mappings_node_leave(gone);
	for (size_t i = 0; i < n; i++) {
		before = mappings_node_join(before, mappings_node_new(&by[i]));
	}
	mappings->root = mappings_node_join(before, after);
}

/** Return the part of a mapping from `start` to `end`. */
static struct mapping mappings_part_of(const struct mapping *mapping, uint64_t start,
				       uint64_t end) {
	struct mapping part = *mapping;
	part.offset += start - mapping->start;
	part.start = start;
	part.end = end;
	return part;
}

/** Split the mapping that contains an address in two. The second part starts at the address. */
static void mappings_cut_at(struct mappings *mappings, uint64_t address) {
	const struct mapping *found = mappings_find(mappings, address);
	if (found != NULL && found->start < address) {
		const struct mapping parts[] = {mappings_part_of(found, found->start, address),
						mappings_part_of(found, address, found->end)};
		mappings_replace(mappings, parts[0].start, parts[1].end, parts, 2);
	}
}

void mappings_lay_over(struct mappings *mappings, const struct mapping *mapping) {
	mappings_cut_at(mappings, mapping->start);
	mappings_cut_at(mappings, mapping->end);
	mappings_replace(mappings, mapping->start, mapping->end, mapping, 1);
}

void mappings_cut_out(struct mappings *mappings, uint64_t start) {
	const struct mapping *found = mappings_find(mappings, start);
	if (found != NULL && found->start == start) {
		mappings_replace(mappings, start, found->end, NULL, 0);
	}
}

const struct mapping *mappings_next(const struct mappings *mappings, uint64_t address) {
	const struct mapping *next = NULL;
	for (const struct mapping_node *node = mappings->root; node != NULL;) {
		bool ends = node->mapping.end <= address;
		next = ends ? next : &node->mapping;
		node = ends ? node->right : node->left;
	}
	return next;
}

const struct mapping *mappings_find(const struct mappings *mappings, uint64_t address) {
	const struct mapping *next = mappings_next(mappings, address);
	return next != NULL && next->start <= address ? next : NULL;
}

void mappings_release(struct mappings *mappings) {
	mappings_node_leave(mappings->root);
	mappings->root = NULL;
}
