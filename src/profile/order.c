/*
 * Put calls in the order of their names, if nearly all of them are in this order already. Join two
 * ordered lists of calls.
 *
 * The order of sorted text differs from the order of names only if a name is the start of another
 * name: "a b" comes before "a;c", because a blank sorts before the semicolon. The reader of folded
 * text notes such calls. Calls are in preorder, so such a call is moved together with all calls
 * below it, before the calls with higher names.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "profile/profile.h"

struct ordering {
	struct calls *calls;
	const struct names *names;
	struct call_item *room;
	size_t capacity;
	size_t left; // number of moves that are left
	bool dead;   // some calls have the name DEAD
};

/** The name of a dead call: a call whose count was added to another call, so that it has to be
 * removed. */
enum { DEAD = INT32_MAX };

/** Return the index after a call and all its descendants. */
static size_t order_end_of(const struct calls *calls, size_t call) {
	size_t at = call + 1;
	while (at < calls->n && calls->items[at].depth > calls->items[call].depth) {
		at++;
	}
	return at;
}

/** Return the previous callee of the same caller, or 0. */
static size_t order_call_before(const struct calls *calls, size_t call) {
	size_t at = call - 1;
	while (calls->items[at].depth > calls->items[call].depth) {
		at--;
	}
	return calls->items[at].depth == calls->items[call].depth ? at : 0;
}

static int order_compare_names(const struct ordering *ordering, size_t a, size_t b) {
	const struct call_item *items = ordering->calls->items;
	return str_compare(names_get(ordering->names, items[a].name),
			   names_get(ordering->names, items[b].name));
}

/** Add the count of a call without callees to another call with the same name and caller. */
static void order_join(struct ordering *ordering, size_t into, size_t from) {
	struct call_item *to = &ordering->calls->items[into];
	struct call_item *item = &ordering->calls->items[from];
	to->count += item->count; // the sum of all counts fits into 64 bits
	ordering->calls->stacks -= to->is_stack && item->is_stack;
	to->is_stack |= item->is_stack;
	*item = (struct call_item){.name = DEAD, .depth = item->depth};
	ordering->dead = true;
}

/** Swap two neighbouring groups of calls: move [middle, end) before [start, middle). */
static void order_rotate(struct ordering *ordering, size_t start, size_t middle, size_t end) {
	struct call_item *items = ordering->calls->items;
	size_t n = end - middle, size = sizeof(*items);
	ordering->room = mem_grow(ordering->room, &ordering->capacity, n, size);
	memcpy(ordering->room, items + middle, n * size);
	memmove(items + start + n, items + start, (middle - start) * size);
	memcpy(items + start, ordering->room, n * size);
}

/**
 * Move a call, with its descendants, before the callees of the same caller that have higher names.
 * Set `*start` to the new index of the call, and `*end` to the index after its last descendant.
 * Return false if the move is too much work, or if two callees with the same name both have
 * callees.
 */
static bool order_place_call(struct ordering *ordering, size_t call, size_t *start, size_t *end) {
	struct calls *calls = ordering->calls;
	size_t place = call, before = order_call_before(calls, call);
	*end = order_end_of(calls, call);
	while (before != 0 && (calls->items[before].name == DEAD ||
			       order_compare_names(ordering, before, call) > 0)) {
		place = before;
		before = order_call_before(calls, before);
		if (*end - place > ordering->left) {
			return false;
		}
	}
	ordering->left -= *end - place;
	bool same = before != 0 && order_compare_names(ordering, before, call) == 0;
	bool first_called = place - before > 1, second_called = *end - call > 1;
	order_rotate(ordering, place, call, *end);
	*start = place;
	*end = place + (*end - call);
	if (same && !(first_called && second_called)) {
		order_join(ordering, first_called ? before : place, first_called ? place : before);
	}
	return !same || !(first_called && second_called);
}

static void order_remove_dead(struct calls *calls) {
	size_t kept = 0;
	for (size_t i = 0; i < calls->n; i++) {
		if (calls->items[i].name != DEAD) {
			calls->items[kept++] = calls->items[i];
		}
	}
	calls->n = kept;
}

bool calls_put_in_order(struct calls *calls, const struct names *names) {
	enum {
		TIMES = 4
	}; // limit of moves, for each call; with more moves, sorting all names
	   // takes less time
	struct ids *odd = &calls->odd;
	struct ordering ordering = {.calls = calls, .names = names, .left = TIMES * calls->n};
	bool ok = calls->in_order == calls->n && calls->links == NULL &&
		  (odd->n == 0 || !calls->two_counts);
	for (size_t i = 0; ok && i < odd->n; i++) { // the indices in the list are sorted
		size_t call = odd->items[i], start, end;
		ok = order_place_call(&ordering, call, &start, &end);
		size_t back = ok ? call - start : 0;
		for (size_t j = i + 1; back > 0 && j < odd->n && odd->items[j] < end + back; j++) {
			// the other call is a descendant of this call, so it was moved by the same
			// distance
			odd->items[j] -= (uint32_t)back;
		}
	}
	if (ordering.dead) {
		order_remove_dead(calls);
	}
	odd->n = calls->path_n = 0; // clear both arrays, because the indices of calls have changed
	calls->in_order = ok ? calls->n : 0;
	free(ordering.room);
	return ok;
}

/** One of the two ordered trees that are joined. */
struct side {
	const struct calls *calls;
	const uint32_t *ids; // for each name of the side, its id in `sides.names`; NULL: the ids
			     // are the same
	size_t at;           // index of the side's next call
	size_t reach;        // number of calls to look ahead
};

/** The two inputs of a merge, and its result. */
struct sides {
	struct side first, second;
	const struct names *names;
	struct calls both; // the result; it has room for `before` if the sides are compared
	bool fits;         // all counts fit into 64 bits
};

static const struct call_item *order_next_of(const struct side *side) {
	return side->at < side->calls->n ? &side->calls->items[side->at] : NULL;
}

static uint32_t order_name_in(const struct side *side, const struct call_item *call) {
	return side->ids == NULL || call->depth == 0 ? call->name : side->ids[call->name];
}

static int order_compare_calls(const struct sides *sides, const struct side *x_side,
			       const struct call_item *x, const struct side *y_side,
			       const struct call_item *y) {
	uint32_t x_name = order_name_in(x_side, x), y_name = order_name_in(y_side, y);
	return x_name == y_name ? 0
				: str_compare(names_get(sides->names, x_name),
					      names_get(sides->names, y_name));
}

/** Compare the next calls of both sides. Return a negative number if the first side's call comes
 * first, 0 if the calls are the same, or a positive number if the second side's call comes first.
 * All earlier calls of both sides are joined already. So if one call is deeper, only its side has
 * its caller. If both calls are equally deep, they have the same caller. */
static int order_compare_sides(const struct sides *sides) {
	const struct call_item *x = order_next_of(&sides->first),
			       *y = order_next_of(&sides->second);
	if (x == NULL || y == NULL) {
		return x == NULL ? 1 : -1;
	}
	if (x->depth != y->depth) {
		return x->depth > y->depth ? -1 : 1;
	}
	return order_compare_calls(sides, &sides->first, x, &sides->second, y);
}

/** Return an index of `side`. All calls of `side` before this index come before the next call of
 * `other`. The caller of this function has checked that the next call of `side` comes first. Search
 * in growing steps, because many calls of one side often come in a row. */
static size_t order_end_of_calls(const struct sides *sides, struct side *side,
				 const struct side *other) {
	enum { NEAR = 16, FAR = 1 << 16 };
	const struct call_item *items = side->calls->items, *next = order_next_of(other);
	size_t n = side->calls->n, end = side->at + 1, sibling = 0, last = 0;
	if (next == NULL) {
		return n;
	}
	size_t limit = n - side->at < side->reach ? n : side->at + side->reach;
	for (; end < limit && items[end].depth >= next->depth; end++) {
		if (items[end].depth == next->depth) { // both calls have the same caller
			sibling = sibling == 0 ? end : sibling;
			last = end;
		}
	}
	if (last != 0 && order_compare_calls(sides, side, &items[last], other, next) >= 0) {
		side->reach = NEAR;
		return sibling;
	}
	side->reach = side->reach < FAR ? 2 * side->reach : FAR;
	return end;
}

/** Append to the result the calls of one side before the index `end`. The other side does not have
 * these calls. */
static void order_take_run(struct sides *sides, struct side *side, size_t end) {
	struct calls *both = &sides->both;
	struct call_item *items = both->items + both->n;
	uint64_t *before = both->before == NULL ? NULL : both->before + both->n;
	size_t n = end - side->at;
	memcpy(items, side->calls->items + side->at, n * sizeof(*items));
	for (size_t i = 0; side->ids != NULL && i < n; i++) {
		items[i].name = side->ids[items[i].name] & MOST_CALLS;
	}
	for (size_t i = 0; before != NULL && i < n; i++) {
		bool earlier = side == &sides->first;
		before[i] = earlier ? items[i].count : 0;
		items[i].count = earlier ? 0 : items[i].count;
		items[i].two_counts = earlier && items[i].is_stack;
	}
	both->n += n;
	side->at = end;
}

/** Append the next call to the result. The call is the same on both sides. */
static void order_take_both(struct sides *sides) {
	struct calls *both = &sides->both;
	struct call_item item = *order_next_of(&sides->first),
			 other = *order_next_of(&sides->second);
	both->stacks -= item.is_stack && other.is_stack;
	if (both->before != NULL) {
		both->before[both->n] = item.count;
		item.count = other.count;
		item.two_counts = item.is_stack;
	} else {
		sides->fits &= num_add(item.count, other.count, &item.count);
	}
	item.is_stack |= other.is_stack;
	// The result has room for the calls of both sides.
	both->items[both->n++] = item; // NOLINT(clang-analyzer-core.NullDereference)
	sides->first.at++;
	sides->second.at++;
}

static void order_join_sides(struct sides *sides) {
	struct side *first = &sides->first, *second = &sides->second;
	struct calls *both = &sides->both;
	both->stacks = first->calls->stacks + second->calls->stacks;
	while (first->at < first->calls->n || second->at < second->calls->n) {
		int order = order_compare_sides(sides);
		if (order == 0) {
			order_take_both(sides);
		} else {
			struct side *side = order < 0 ? first : second;
			order_take_run(sides, side,
				       order_end_of_calls(sides, side, order < 0 ? second : first));
		}
	}
	both->in_order = both->n;
	both->too_large |= first->calls->too_large || second->calls->too_large;
}

/** Make room for all calls of two sides. */
static struct sides order_new_sides(const struct calls *first, const struct calls *second,
				    const uint32_t *ids, const struct names *names) {
	struct sides sides = {.first = {.calls = first, .reach = 1},
			      .second = {.calls = second, .ids = ids, .reach = 1},
			      .names = names,
			      .fits = true};
	size_t most = first->n + second->n;
	if (most > MOST_CALLS) {
		inferno_out_of_memory(); // all indices of calls are used
	}
	sides.both.items = mem_grow(NULL, &sides.both.capacity, most, sizeof(*sides.both.items));
	return sides;
}

bool calls_append_in_order(struct calls *calls, const struct calls *from, const uint32_t *ids,
			   const struct names *names) {
	struct sides sides = order_new_sides(calls, from, ids, names);
	sides.both.too_large = !num_add(calls->sum, from->sum, &sides.both.sum);
	order_join_sides(&sides);
	calls_release(calls);
	*calls = sides.both;
	return sides.fits;
}

void calls_compare_in_order(struct calls *calls, const struct calls *after, const uint32_t *ids,
			    const struct names *names) {
	struct sides sides = order_new_sides(calls, after, ids, names);
	struct calls *both = &sides.both;
	both->before =
		mem_grow(NULL, &both->before_capacity, calls->n + after->n, sizeof(*both->before));
	both->sum = after->sum;
	both->two_counts = true;
	order_join_sides(&sides);
	both->before_n = both->n;
	calls_release(calls);
	*calls = *both;
}
