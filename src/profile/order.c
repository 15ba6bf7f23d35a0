/*
 * Put calls in the order of their names, if nearly all came in that order, and join two such lists.
 *
 * Sorted text differs from that order only where a name is the start of another one: "a b" comes
 * before "a;c", since a blank sorts before the semicolon. The reader notes such calls. Calls are in
 * preorder, so such a call is moved, with all that it called, before its neighbours.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

struct ordering {
	struct calls *calls;
	const struct names *names;
	struct call_item *room;
	size_t capacity;
	size_t left; // how many more calls may be moved
	bool dead;   // some calls are dead
};

/** The name of a call that was added to another one, and has to be removed. */
enum { DEAD = INT32_MAX };

/** Return the place after a call and all that it called. */
static size_t end_of(const struct calls *calls, size_t call) {
	size_t at = call + 1;
	while (at < calls->n && calls->items[at].depth > calls->items[call].depth) {
		at++;
	}
	return at;
}

/** Return the call before this one of the same caller; 0 if there is none. */
static size_t call_before(const struct calls *calls, size_t call) {
	size_t at = call - 1;
	while (calls->items[at].depth > calls->items[call].depth) {
		at--;
	}
	return calls->items[at].depth == calls->items[call].depth ? at : 0;
}

static int compare_names(const struct ordering *ordering, size_t a, size_t b) {
	const struct call_item *items = ordering->calls->items;
	return str_compare(names_get(ordering->names, items[a].name),
			   names_get(ordering->names, items[b].name));
}

/** Add the count of a call that called nothing to that of another one of its name and caller. */
static void join(struct ordering *ordering, size_t into, size_t from) {
	struct call_item *to = &ordering->calls->items[into];
	struct call_item *item = &ordering->calls->items[from];
	to->count += item->count; // all counts together fit
	ordering->calls->stacks -= to->is_stack && item->is_stack;
	to->is_stack |= item->is_stack;
	*item = (struct call_item){.name = DEAD, .depth = item->depth};
	ordering->dead = true;
}

/** Move the calls from `middle` to before `end` to `start`, and those before them after them. */
static void rotate(struct ordering *ordering, size_t start, size_t middle, size_t end) {
	struct call_item *items = ordering->calls->items;
	size_t n = end - middle, size = sizeof(*items);
	ordering->room = mem_grow(ordering->room, &ordering->capacity, n, size);
	memcpy(ordering->room, items + middle, n * size);
	memmove(items + start + n, items + start, (middle - start) * size);
	memcpy(items + start, ordering->room, n * size);
}

/**
 * Move a call before the calls of its caller that have higher names. Set `*start` to its new place,
 * and `*end` to after it and all that it called. Return false if that is too much work, or if two
 * calls of one name both called something.
 */
static bool place_call(struct ordering *ordering, size_t call, size_t *start, size_t *end) {
	struct calls *calls = ordering->calls;
	size_t place = call, before = call_before(calls, call);
	*end = end_of(calls, call);
	while (before != 0 &&
	       (calls->items[before].name == DEAD || compare_names(ordering, before, call) > 0)) {
		place = before;
		before = call_before(calls, before);
		if (*end - place > ordering->left) {
			return false;
		}
	}
	ordering->left -= *end - place;
	bool same = before != 0 && compare_names(ordering, before, call) == 0;
	bool first_called = place - before > 1, second_called = *end - call > 1;
	rotate(ordering, place, call, *end);
	*start = place;
	*end = place + (*end - call);
	if (same && !(first_called && second_called)) {
		join(ordering, first_called ? before : place, first_called ? place : before);
	}
	return !same || !(first_called && second_called);
}

static void remove_dead(struct calls *calls) {
	size_t kept = 0;
	for (size_t i = 0; i < calls->n; i++) {
		if (calls->items[i].name != DEAD) {
			calls->items[kept++] = calls->items[i];
		}
	}
	calls->n = kept;
}

bool calls_put_in_order(struct calls *calls, const struct names *names) {
	enum { TIMES = 4 }; // that all calls may be moved, for the time of sorting all names
	struct ids *odd = &calls->odd;
	struct ordering ordering = {.calls = calls, .names = names, .left = TIMES * calls->n};
	bool ok = calls->in_order == calls->n && calls->links == NULL &&
		  (odd->n == 0 || !calls->two_counts);
	for (size_t i = 0; ok && i < odd->n; i++) { // in the order of their places
		size_t call = odd->items[i], start, end;
		ok = place_call(&ordering, call, &start, &end);
		size_t back = ok ? call - start : 0;
		for (size_t j = i + 1; back > 0 && j < odd->n && odd->items[j] < end + back; j++) {
			odd->items[j] -= (uint32_t)back; // it was moved with this call
		}
	}
	if (ordering.dead) {
		remove_dead(calls);
	}
	free(ordering.room);
	return ok;
}

/** Two sides of a comparison, both in order, and what they become. */
struct sides {
	const struct calls *before, *after;
	const uint32_t *ids; // of names of `after`, in `names`
	const struct names *names;
	struct calls both;
};

/** Return below 0 if the next call of `before` comes first, above 0 if that of `after` does, and 0
 * if they are the same. All calls before them are done, so if one is deeper, only its side has its
 * caller, and if both are equally deep, they have the same caller. */
static int compare_sides(const struct sides *sides, size_t b, size_t a) {
	if (b == sides->before->n || a == sides->after->n) {
		return b == sides->before->n ? 1 : -1;
	}
	const struct call_item *x = &sides->before->items[b], *y = &sides->after->items[a];
	if (x->depth != y->depth) {
		return x->depth > y->depth ? -1 : 1;
	}
	uint32_t name = sides->ids[y->name];
	return x->depth == 0 || x->name == name ? 0
						: str_compare(names_get(sides->names, x->name),
							      names_get(sides->names, name));
}

/** Add a call of one side, or of both; NULL: that side does not have it. */
static void add_call(struct sides *sides, const struct call_item *before,
		     const struct call_item *after) {
	struct calls *both = &sides->both;
	const struct call_item *either = before != NULL ? before : after;
	uint32_t name =
		before != NULL || after->depth == 0 ? either->name : sides->ids[after->name];
	struct call_item item = {.name = name & MOST_CALLS, .depth = either->depth};
	item.two_counts = before != NULL && before->is_stack;
	item.is_stack = item.two_counts || (after != NULL && after->is_stack);
	item.count = after == NULL ? 0 : after->count;
	both->before[both->n] = before == NULL ? 0 : before->count;
	both->stacks += item.is_stack;
	both->items[both->n++] = item;
}

void calls_compare_in_order(struct calls *calls, const struct calls *after, const uint32_t *ids,
			    const struct names *names) {
	struct sides sides = {.before = calls, .after = after, .ids = ids, .names = names};
	struct calls *both = &sides.both;
	size_t most = calls->n + after->n;
	if (most > MOST_CALLS) {
		inferno_out_of_memory(); // no number is left for a call
	}
	both->items = mem_grow(NULL, &both->capacity, most, sizeof(*both->items));
	both->before = mem_grow(NULL, &both->before_capacity, most, sizeof(*both->before));
	for (size_t b = 0, a = 0; b < calls->n || a < after->n;) {
		int order = compare_sides(&sides, b, a);
		add_call(&sides, order <= 0 ? &calls->items[b] : NULL,
			 order >= 0 ? &after->items[a] : NULL);
		b += order <= 0;
		a += order >= 0;
	}
	both->before_n = both->in_order = both->n;
	both->sum = after->sum;
	both->too_large = calls->too_large || after->too_large;
	both->two_counts = true;
	calls_release(calls);
	*calls = *both;
}
