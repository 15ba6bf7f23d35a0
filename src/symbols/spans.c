/* Search ranges of addresses that are valid from a certain time on, with a segment tree. */
#include "symbols/spans.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"

/** The largest number of nodes that cover a range: two for each level of the tree. */
enum { LISTED_MOST = 128 };

void spans_add(struct spans *spans, uint64_t start, uint64_t end, uint64_t time, uint32_t item) {
	if (spans->n >= UINT32_MAX / LISTED_MOST) {
		return;
	}
	*MEM_APPEND(spans->items, spans->n, spans->capacity) =
		(struct span){start, end, time, item};
}

static int spans_compare_times(const void *a, const void *b) {
	const struct span *left = a, *right = b;
	int order = (left->time > right->time) - (left->time < right->time);
	return order != 0 ? order : (left->item > right->item) - (left->item < right->item);
}

static int spans_compare_edges(const void *a, const void *b) {
	const uint64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

/** Return the index of the last edge at or before an address. The first edge must be at or before
 * the address. */
static size_t spans_edge_at(const struct spans *spans, uint64_t address) {
	return search_up_to(spans->edges, spans->edges_n, sizeof(*spans->edges), address) - 1;
}

static void spans_find_edges(struct spans *spans) {
	spans->edges = mem_new(2 * spans->n, sizeof(*spans->edges));
	for (size_t i = 0; i < spans->n; i++) {
		spans->edges[2 * i] = spans->items[i].start;
		spans->edges[2 * i + 1] = spans->items[i].end;
	}
	qsort(spans->edges, 2 * spans->n, sizeof(*spans->edges), spans_compare_edges);
	for (size_t i = 0; i < 2 * spans->n; i++) {
		if (i == 0 || spans->edges[i] != spans->edges[spans->edges_n - 1]) {
			spans->edges[spans->edges_n++] = spans->edges[i];
		}
	}
}

/** Put into `nodes` the nodes that together cover exactly a range. Return their number. */
static size_t spans_nodes_of(const struct spans *spans, const struct span *span, size_t *nodes) {
	size_t n = 0, low = spans->edges_n + spans_edge_at(spans, span->start),
	       high = spans->edges_n + spans_edge_at(spans, span->end);
	for (; low < high; low /= 2, high /= 2) {
		if (low % 2 == 1) {
			nodes[n++] = low++;
		}
		if (high % 2 == 1) {
			nodes[n++] = --high;
		}
	}
	return n;
}

void spans_finish(struct spans *spans) {
	size_t nodes[LISTED_MOST];
	if (spans->n == 0) {
		return;
	}
	qsort(spans->items, spans->n, sizeof(*spans->items), spans_compare_times);
	spans_find_edges(spans);
	// Count the items of node n in first[n + 2]. After the sums, first[n + 1] is the place for
	// the next item of node n. When all items are stored, first[n + 1] is the end of the list
	// of node n.
	size_t tree = 2 * spans->edges_n;
	spans->first = mem_new(tree + 2, sizeof(*spans->first));
	for (size_t i = 0; i < spans->n; i++) {
		for (size_t n = spans_nodes_of(spans, &spans->items[i], nodes); n > 0; n--) {
			spans->first[nodes[n - 1] + 2]++;
		}
	}
	for (size_t i = 1; i < tree + 2; i++) {
		spans->first[i] += spans->first[i - 1];
	}
	spans->lists = mem_new(spans->first[tree + 1], sizeof(*spans->lists));
	for (size_t i = 0; i < spans->n; i++) {
		for (size_t n = spans_nodes_of(spans, &spans->items[i], nodes); n > 0; n--) {
			spans->lists[spans->first[nodes[n - 1] + 1]++] = (uint32_t)i;
		}
	}
}

/** Find the newest range in the list of a node that is not newer than `time`. Return 1 + its index,
 * or 0 if there is no such range. */
static size_t spans_newest_at(const struct spans *spans, size_t node, uint64_t time) {
	size_t first = spans->first[node], low = first, high = spans->first[node + 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (spans->items[spans->lists[middle]].time <= time) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low == first ? 0 : 1 + (size_t)spans->lists[low - 1];
}

size_t spans_find(const struct spans *spans, uint64_t address, uint64_t time) {
	size_t newest = 0;
	if (spans->n == 0 || address < spans->edges[0]) {
		return SPANS_NONE;
	}
	for (size_t node = spans->edges_n + spans_edge_at(spans, address); node > 0; node /= 2) {
		size_t at = spans_newest_at(spans, node, time);
		newest = at > newest ? at : newest;
	}
	return newest == 0 ? SPANS_NONE : spans->items[newest - 1].item;
}

void spans_release(struct spans *spans) {
	free(spans->items);
	free(spans->edges);
	free(spans->first);
	free(spans->lists);
	*spans = (struct spans){0};
}
