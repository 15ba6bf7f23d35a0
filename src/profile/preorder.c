/*
 * Put linked calls into preorder and into the order of names, without links.
 *
 * Unsorted calls are far apart in memory. If links were followed from call to call, each step would
 * wait for memory. Instead, the new index of each call is computed in several passes over arrays.
 * In these passes, few steps depend on the previous step, so their waits overlap.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/** A call whose caller has several callees. */
struct sibling {
	uint32_t caller, call, name;
};

struct laying {
	struct calls *calls;
	const struct names *names;
	struct sibling *siblings;
	size_t n;
	struct sort_item *list; // scratch memory to sort the callees of one caller
	size_t list_capacity;
	uint32_t *sizes;  // for each call, the number of its descendants plus one
	uint32_t *places; // for each call, first its distance from its caller, and later its new
			  // index
};

/** Sort siblings by one digit of their callers' indices. Siblings with equal digits keep their
 * order. */
static void preorder_sort_by_digit(struct sibling *to, const struct sibling *from, size_t n,
				   unsigned shift) {
	enum { VALUES = 2048 };
	size_t places[VALUES] = {0}, place = 0;
	for (size_t i = 0; i < n; i++) {
		places[from[i].caller >> shift & (VALUES - 1)]++;
	}
	for (size_t i = 0; i < VALUES; i++) {
		size_t count = places[i];
		places[i] = place;
		place += count;
	}
	for (size_t i = 0; i < n; i++) {
		to[places[from[i].caller >> shift & (VALUES - 1)]++] = from[i];
	}
}

/** Collect the siblings, and put the callees of each caller next to each other. */
static void preorder_find_siblings(struct laying *laying) {
	enum { DIGIT = 11 };
	const struct calls *calls = laying->calls;
	size_t capacity = 0, other_capacity = 0, n = 0;
	struct sibling *found = mem_grow(NULL, &capacity, calls->n, sizeof(*found));
	for (size_t i = 1; i < calls->n; i++) {
		uint32_t caller = calls->links[i].parent;
		found[n] = (struct sibling){caller, (uint32_t)i, calls->items[i].name};
		n += calls->links[caller].several;
	}
	struct sibling *other = mem_grow(NULL, &other_capacity, n, sizeof(*other));
	for (unsigned shift = 0; (uint64_t)calls->n >> shift > 0; shift += DIGIT) {
		struct sibling *sorted = other;
		preorder_sort_by_digit(sorted, found, n, shift);
		other = found;
		found = sorted;
	}
	free(other);
	laying->siblings = found;
	laying->n = n;
}

static void preorder_count_sizes(struct laying *laying) {
	const struct call_link *links = laying->calls->links;
	size_t capacity = 0;
	laying->sizes = mem_grow(NULL, &capacity, laying->calls->n, sizeof(*laying->sizes));
	for (size_t i = 0; i < laying->calls->n; i++) {
		laying->sizes[i] = 1;
	}
	for (size_t i = laying->calls->n; i-- > 1;) {
		laying->sizes[links[i].parent] += laying->sizes[i];
	}
}

/** Sort the callees of one caller by name, and compute the distance of each callee from the caller.
 * Return false if two callees have the same name. */
static bool preorder_sort_siblings(struct laying *laying, size_t start, size_t end) {
	enum { AHEAD = 16 };
	struct intern_key *const *keys = laying->names->table.keys;
	const struct sibling *siblings = laying->siblings;
	size_t n = end - start;
	struct sort_item *list = MEM_GROW(laying->list, laying->list_capacity, n);
	for (size_t i = 0; i < n; i++) {
		struct str name = names_get(laying->names, siblings[start + i].name);
		if (start + i + AHEAD < laying->n) {
			__builtin_prefetch(keys[siblings[start + i + AHEAD].name]);
		}
		list[i] = (struct sort_item){
			.bytes = name.p, .len = (uint32_t)name.n, .id = siblings[start + i].call};
	}
	sort_bytes(list, n);
	uint32_t before = 0;
	bool distinct = true;
	for (size_t i = 0; i < n; i++) {
		distinct &= i == 0 ||
			    list[i].bytes != list[i - 1].bytes; // each name is stored once, so
								// equal addresses mean equal names
		laying->places[list[i].id] = before;
		before += laying->sizes[list[i].id];
	}
	return distinct;
}

/** Sort the callees of each caller. Return false if a caller has two callees of the same name. */
static bool preorder_sort_all(struct laying *laying) {
	bool distinct = true;
	laying->places = mem_new(laying->calls->n, sizeof(*laying->places));
	for (size_t start = 0, end; start < laying->n; start = end) {
		uint32_t caller = laying->siblings[start].caller;
		for (end = start; end < laying->n && laying->siblings[end].caller == caller;) {
			end++;
		}
		distinct &= preorder_sort_siblings(laying, start, end);
	}
	return distinct;
}

/** Move every call to its new index. */
static void preorder_move_calls(struct laying *laying) {
	const struct calls *calls = laying->calls;
	size_t n = calls->n, capacity = 0, before_n = calls->before_n == 0 ? 0 : n;
	struct call_item *items = mem_grow(NULL, &capacity, n, sizeof(*items));
	uint64_t *before = before_n == 0 ? NULL : mem_new(n, sizeof(*before));
	uint32_t *places = laying->places;
	items[0] = calls->items[0];
	// `places` holds the number of calls between a call and its caller: turn it into an index.
	for (size_t i = 1; i < n; i++) {
		places[i] += places[calls->links[i].parent] + 1;
		items[places[i]] = calls->items[i];
	}
	for (size_t i = 0; i < before_n; i++) {
		before[places[i]] = calls_before(calls, i);
	}
	calls_move_ends(laying->calls, places);
	calls_replace(laying->calls, items, before, n);
}

bool calls_preorder(struct calls *calls, const struct names *names) {
	struct laying laying = {.calls = calls, .names = names};
	calls_drop_table(calls);
	preorder_find_siblings(&laying);
	preorder_count_sizes(&laying);
	bool distinct = preorder_sort_all(&laying);
	free(laying.siblings);
	free(laying.list);
	free(laying.sizes);
	if (distinct) {
		preorder_move_calls(&laying);
	}
	free(laying.places);
	return distinct;
}
