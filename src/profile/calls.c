/* Add stacks to a tree of calls. */
#include "profile/calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"

enum { FIRST_SLOTS = 1024 };

/** Return the index of the slot at which the search for a call starts. */
static size_t calls_first_slot(const struct calls *calls, uint32_t parent, uint32_t name) {
	uint32_t key[] = {parent, name};
	return (size_t)hash_bytes(key, sizeof(key), calls->seed) & calls->slots_mask;
}

/** Return the slot of a call. If the table does not have the call, return the free slot for it. */
static struct call_slot *calls_find_slot(const struct calls *calls, uint32_t parent,
					 uint32_t name) {
	size_t i = calls_first_slot(calls, parent, name);
	struct call_slot *slot = &calls->slots[i];
	while (slot->call != 0 && (slot->parent != parent || slot->name != name)) {
		i = (i + 1) & calls->slots_mask;
		slot = &calls->slots[i];
	}
	return slot;
}

static void calls_grow_slots(struct calls *calls) {
	struct call_slot *old = calls->slots;
	size_t old_n = calls->slots_mask + 1;
	calls->slots = mem_new(mem_times(old_n, 2), sizeof(*calls->slots));
	calls->slots_mask = old_n * 2 - 1;
	for (size_t i = 0; i < old_n; i++) {
		if (old[i].call != 0) {
			*calls_find_slot(calls, old[i].parent, old[i].name) = old[i];
		}
	}
	free(old);
}

/** Put a call into the table. Return false if the table already has a call with the same name and
 * caller. */
static bool calls_note_call(struct calls *calls, uint32_t call) {
	uint32_t parent = calls->links[call].parent, name = calls->items[call].name;
	struct call_slot *slot = calls_find_slot(calls, parent, name);
	if (slot->call != 0) {
		return false;
	}
	*slot = (struct call_slot){parent, name, call};
	if (++calls->slots_n > calls->slots_mask / 4 * 3) {
		calls_grow_slots(calls);
	}
	return true;
}

void calls_look_up(struct calls *calls) {
	if (calls->slots != NULL) {
		return;
	}
	calls->slots = mem_new(FIRST_SLOTS, sizeof(*calls->slots));
	calls->slots_mask = FIRST_SLOTS - 1;
	calls->seed = hash_seed();
	calls_link(calls);
	bool distinct = true;
	for (size_t i = 1; i < calls->n; i++) {
		if (calls->links[calls->links[i].parent].several) {
			distinct &= calls_note_call(calls, (uint32_t)i);
		}
	}
	if (!distinct && !calls->too_large) {
		calls_split(calls, NULL);
	}
}

/** Put a call into the list of its caller's callees. */
static void calls_link_call(struct calls *calls, uint32_t call, uint32_t parent) {
	struct call_link *caller = &calls->links[parent];
	calls->links[call] = (struct call_link){.parent = parent, .next = caller->child};
	caller->several = caller->child != 0;
	caller->child = call;
}

static void calls_grow_links(struct calls *calls, size_t n) {
	MEM_GROW(calls->links, calls->links_capacity, n);
}

void calls_link(struct calls *calls) {
	if (calls->links != NULL) {
		return;
	}
	struct ids path = {0}; // the last call at each depth
	calls_grow_links(calls, calls->n + 1);
	calls->links[0] = (struct call_link){0};
	ids_push(&path, 0);
	for (size_t i = 1; i < calls->n; i++) {
		path.n = calls->items[i].depth;
		calls_link_call(calls, (uint32_t)i, path.items[path.n - 1]);
		ids_push(&path, (uint32_t)i);
	}
	ids_release(&path);
}

static void calls_make_room(struct calls *calls, size_t more) {
	if (more > MOST_CALLS - calls->n) {
		inferno_out_of_memory(); // all indices of calls are used
	}
	MEM_GROW(calls->items, calls->capacity, calls->n + more);
	if (calls->links != NULL) {
		calls_grow_links(calls, calls->n + more);
	}
}

/** Make room for `more` calls in the path. */
static void calls_make_path(struct calls *calls, size_t more) {
	MEM_GROW(calls->path, calls->path_capacity, calls->path_n + more);
}

/** Add a call. The caller of this function has made room for the call. */
static uint32_t calls_new_call(struct calls *calls, uint32_t parent, uint32_t name) {
	uint32_t call = (uint32_t)calls->n++, depth = calls->items[parent].depth + UINT32_C(1);
	calls->items[call] =
		(struct call_item){.name = name & MOST_CALLS, .depth = depth & MOST_CALLS};
	if (calls->links != NULL) {
		calls_link_call(calls, call, parent);
	}
	return call;
}

/** Make the root if there are no calls. Make the path of the last stack if there is none. */
static void calls_need_root(struct calls *calls) {
	if (calls->n == 0) {
		calls_make_room(calls, 1);
		calls->items[calls->n++] = (struct call_item){0};
	}
	if (calls->path_n == 0) {
		calls_make_path(calls, 1);
		calls->path[calls->path_n++] = 0;
	}
}

/** Add a call to a caller that has other callees. Store the call in `slot`, a free slot of the
 * table. */
static uint32_t calls_fill_slot(struct calls *calls, struct call_slot *slot, uint32_t parent,
				uint32_t name) {
	uint32_t call = calls_new_call(calls, parent, name);
	*slot = (struct call_slot){parent, name, call};
	if (++calls->slots_n > calls->slots_mask / 4 * 3) {
		calls_grow_slots(calls);
	}
	return call;
}

/** Find a call, or add it. The caller of this function has made room for one more call. If a call
 * has only one callee, its link refers to this callee, so the callee is not in the table. */
static uint32_t calls_find_call(struct calls *calls, uint32_t parent, uint32_t name) {
	const struct call_link *caller = &calls->links[parent];
	uint32_t only = caller->several ? 0 : caller->child;
	if (!caller->several && only == 0) {
		return calls_new_call(calls, parent, name);
	}
	if (only != 0) {
		if (calls->items[only].name == name) {
			return only;
		}
		calls_note_call(calls, only);
	}
	struct call_slot *slot = calls_find_slot(calls, parent, name);
	return slot->call != 0 ? slot->call : calls_fill_slot(calls, slot, parent, name);
}

/** Add a call. After calls_look_up(), first try to find the call. The caller of this function has
 * made room for one more call. */
static uint32_t calls_get_call(struct calls *calls, uint32_t parent, uint32_t name) {
	return calls->slots == NULL ? calls_new_call(calls, parent, name)
				    : calls_find_call(calls, parent, name);
}

/** Add `before` to a call's count in the earlier profile. If the sum does not fit, store the
 * largest number. */
static void calls_add_before(struct calls *calls, size_t call, uint64_t before) {
	if (call >= calls->before_n) {
		MEM_GROW(calls->before, calls->before_capacity, call + 1);
		memset(calls->before + calls->before_n, 0,
		       (call + 1 - calls->before_n) * sizeof(*calls->before));
		calls->before_n = call + 1;
	}
	if (!num_add(calls->before[call], before, &calls->before[call])) {
		calls->before[call] = UINT64_MAX;
	}
}

static bool calls_count_stack(struct calls *calls, uint32_t at, const struct stack_row *stack) {
	struct call_item *call = &calls->items[at];
	if (!num_add(call->count, stack->count, &call->count)) {
		return false;
	}
	calls->too_large |= !num_add(calls->sum, stack->count, &calls->sum);
	calls->stacks += !call->is_stack;
	call->is_stack = true;
	if (stack->two_counts) {
		call->two_counts = calls->two_counts = true;
		calls_add_before(calls, at, stack->before);
	}
	return true;
}

void calls_add_counts(struct calls *calls, uint32_t into, uint32_t from) {
	struct call_item *call = &calls->items[into];
	call->count += calls->items[from].count;
	call->is_stack |= calls->items[from].is_stack;
	call->two_counts |= calls->items[from].two_counts;
	if (calls_before(calls, from) > 0) {
		calls_add_before(calls, into, calls_before(calls, from));
	}
}

/** Count a stack in a new call with the name of the call `*top`, because the stack's count does not
 * fit into `*top`. Set `*top` to the new call. */
static bool calls_count_apart(struct calls *calls, uint32_t caller, uint32_t *top,
			      const struct stack_row *stack) {
	*top = calls_new_call(calls, caller, calls->items[*top].name);
	return calls_count_stack(calls, *top, stack);
}

bool calls_add(struct calls *calls, const struct stack_row *stack, size_t shared) {
	calls_need_root(calls);
	calls->path_n = shared + 1;
	calls_make_room(calls, stack->depth - shared + 1);
	calls_make_path(calls, stack->depth - shared);
	for (size_t d = shared; d < stack->depth; d++) {
		uint32_t call =
			calls_get_call(calls, calls->path[calls->path_n - 1], stack->ids[d]);
		calls->path[calls->path_n++] = call;
	}
	uint32_t *top = &calls->path[calls->path_n - 1];
	return calls_count_stack(calls, *top, stack) ||
	       (*top != 0 && calls_count_apart(calls, calls->path[calls->path_n - 2], top, stack));
}

/** Prefetch the memory that a lookup of a call reads first. */
static void calls_prefetch_call(const struct calls *calls, uint32_t call) {
	__builtin_prefetch(&calls->items[call]);
	__builtin_prefetch(&calls->links[call]);
}

/** Prefetch the memory that the search for the next frame of a stack reads. Call
 * calls_prefetch_call() for `tail->call` earlier, because this function reads the links of this
 * call. */
static void calls_prefetch_next(const struct calls *calls, const struct call_tail *tail) {
	const struct call_link *caller = &calls->links[tail->call];
	if (caller->several) {
		uint32_t name = tail->row.ids[tail->found];
		__builtin_prefetch(&calls->slots[calls_first_slot(calls, tail->call, name)]);
	} else if (caller->child != 0) {
		calls_prefetch_call(calls, caller->child);
	}
}

/** Find or add the call of the next frame of a stack. If this call is new, add the calls of all
 * further frames, too. Return whether there are further frames. */
static bool calls_find_next(struct calls *calls, struct call_tail *tail) {
	uint32_t known = (uint32_t)calls->n, *ids = tail->row.ids;
	uint32_t call = calls_find_call(calls, tail->call, ids[tail->found]);
	ids[tail->found++] = call;
	if (call == known) {
		for (; tail->found < tail->row.depth; tail->found++) {
			ids[tail->found] = call = calls_new_call(calls, call, ids[tail->found]);
		}
		return false;
	}
	tail->call = call;
	calls_prefetch_call(calls, call);
	return tail->found < tail->row.depth;
}

static bool calls_count_tail(struct calls *calls, const struct call_tail *tail) {
	const struct stack_row *row = &tail->row;
	uint32_t *top = &row->ids[row->depth - 1];
	return calls_count_stack(calls, *top, row) ||
	       calls_count_apart(calls, calls->links[*top].parent, top, row);
}

// Each step of a search waits for memory. Search for all stacks at the same time, one step of each
// search in turn, so that the waits overlap.
bool calls_add_tails(struct calls *calls, struct call_tail *tails, size_t n) {
	size_t frames = n, open = n;
	uint32_t list[MOST_TAILS]; // indices of the tails that have further frames
	bool fits = true;
	calls_need_root(calls);
	for (size_t i = 0; i < n; i++) {
		frames += tails[i].row.depth;
		list[i] = (uint32_t)i;
		calls_prefetch_call(calls, tails[i].call);
	}
	calls_make_room(calls, frames);
	while (open > 0) {
		size_t still_open = 0;
		for (size_t i = 0; i < open; i++) {
			calls_prefetch_next(calls, &tails[list[i]]);
		}
		for (size_t i = 0; i < open; i++) {
			if (calls_find_next(calls, &tails[list[i]])) {
				list[still_open++] = list[i];
			}
		}
		open = still_open;
	}
	for (size_t i = 0; i < n; i++) {
		fits &= calls_count_tail(calls, &tails[i]);
	}
	return fits;
}

/** Add the counts of a call in the tree `from` to the call `at`. */
static bool calls_count_other(struct calls *calls, uint32_t at, const struct calls *from,
			      size_t call) {
	const struct call_item *item = &from->items[call];
	struct stack_row counts = {.count = item->count,
				   .before = calls_before(from, call),
				   .two_counts = item->two_counts};
	return !item->is_stack || calls_count_stack(calls, at, &counts);
}

/** Append the ends of the stacks of the tree `from`. `new_calls` has, for each call of `from`, its
 * index in this tree. */
static void calls_append_ends(struct calls *calls, const struct calls *from,
			      const uint32_t *new_calls) {
	size_t room = calls->ends_n;
	if (calls->ends == NULL || from->ends == NULL) {
		return;
	}
	MEM_GROW(calls->ends, room, calls->ends_n + from->ends_n);
	for (size_t i = 0; i < from->ends_n; i++) {
		uint32_t end = from->ends[i];
		calls->ends[calls->ends_n++] = end == CALLS_NONE ? CALLS_NONE : new_calls[end];
	}
}

bool calls_append(struct calls *calls, const struct calls *from, const uint32_t *ids) {
	bool fits = true;
	uint32_t *new_calls = mem_new(from->n, sizeof(*new_calls)); // index in this tree of each
								    // call of `from`; the root
								    // becomes the root
	struct ids path = {0};                                      // the last call at each depth
	calls_need_root(calls);
	calls_link(calls); // make links, because the next stack may share frames with the last
			   // stack here
	calls_make_room(calls, from->n);
	for (size_t i = 0; i < from->n; i++) {
		path.n = from->items[i].depth;
		if (i > 0) {
			size_t parent = from->links != NULL ? from->links[i].parent
							    : path.items[path.n - 1];
			new_calls[i] =
				calls_new_call(calls, new_calls[parent], ids[from->items[i].name]);
		}
		if (from->links == NULL) {
			ids_push(&path, (uint32_t)i);
		}
		fits &= calls_count_other(calls, new_calls[i], from, i);
	}
	calls_append_ends(calls, from, new_calls);
	ids_release(&path);
	free(new_calls);
	return fits;
}

/** Replace the calls in the path of the last stack by their new indices. */
static void calls_keep_path(struct calls *calls, const struct calls *from,
			    const uint32_t *new_calls) {
	calls->path_n = 0;
	calls_make_path(calls, from->path_n);
	for (size_t i = 0; i < from->path_n; i++) {
		calls->path[calls->path_n++] = new_calls[from->path[i]];
	}
}

bool calls_split(struct calls *calls, const struct ids *names) {
	bool fits = true;
	struct calls from = *calls;
	uint32_t *new_calls = mem_new(from.n, sizeof(*new_calls));
	*calls = (struct calls){0};
	calls_look_up(calls);
	calls_need_root(calls);
	calls_link(&from);
	for (size_t i = 0; i < from.n; i++) {
		uint32_t name = from.items[i].name, at = new_calls[from.links[i].parent];
		const struct ids itself = {.items = &name, .n = i > 0};
		const struct ids *frames = i == 0 || names == NULL ? &itself : &names[name];
		calls_make_room(calls, frames->n);
		for (size_t f = 0; f < frames->n; f++) {
			at = calls_get_call(calls, at, frames->items[f]);
		}
		new_calls[i] = at;
		fits &= calls_count_other(calls, at, &from, i);
	}
	calls_keep_path(calls, &from, new_calls);
	calls->ends = from.ends;
	calls->ends_n = from.ends_n;
	from.ends = NULL;
	calls_move_ends(calls, new_calls);
	free(new_calls);
	calls_release(&from);
	return fits;
}

/** Return whether the callees of each caller were added in the order of their ids. */
static bool calls_is_sorted(const struct calls *calls) {
	struct ids path = {0}; // name of the last call at each depth
	bool sorted = true;
	for (size_t i = 0; i < calls->n && sorted; i++) {
		const struct call_item *item = &calls->items[i];
		sorted = item->depth >= path.n || path.items[item->depth] < item->name;
		path.n = item->depth;
		ids_push(&path, item->name);
	}
	ids_release(&path);
	return sorted;
}

/** Reverse the lists of callees. If a list is then not sorted, mark its caller as `mixed`. */
static void calls_reverse_lists(struct calls *calls) {
	const struct call_item *items = calls->items;
	struct call_link *links = calls->links;
	for (size_t i = 1; i < calls->n; i++) {
		struct call_link *link = &links[i], *caller = &links[link->parent];
		uint32_t before = link->next;
		link->next = 0;
		if (before == 0) {
			caller->child = (uint32_t)i;
		} else {
			links[before].next = (uint32_t)i;
			caller->mixed |= items[before].name >= items[i].name;
		}
	}
}

void calls_rename(struct calls *calls, const uint32_t *ids) {
	for (size_t i = 1; i < calls->n; i++) {
		calls->items[i].name = ids[calls->items[i].name] & MOST_CALLS;
	}
	if (calls->links != NULL || !calls_is_sorted(calls)) {
		calls_link(calls);
		calls_reverse_lists(calls);
	}
}

void calls_compare(struct calls *calls, const struct calls *after, const uint32_t *ids) {
	calls_need_root(calls);
	for (size_t i = 0; i < calls->n; i++) {
		struct call_item *item = &calls->items[i];
		if (item->is_stack) {
			calls_add_before(calls, i, item->count);
			item->count = 0;
			item->two_counts = calls->two_counts = true;
		}
	}
	calls->sum = 0;
	calls_append(calls, after, ids);
}

void calls_replace(struct calls *calls, struct call_item *items, uint64_t *before, size_t n) {
	struct calls old = *calls;
	*calls = (struct calls){
		.items = items,
		.n = n,
		.capacity = n,
		.in_order = n,
		.stacks = old.stacks,
		.sum = old.sum,
		.too_large = old.too_large,
		.two_counts = old.two_counts,
		.before = before,
		.before_n = before == NULL ? 0 : n,
		.before_capacity = before == NULL ? 0 : n,
		.ends = old.ends,
		.ends_n = old.ends_n,
	};
	old.ends = NULL;
	calls_release(&old);
}

struct stack_row calls_stack(const struct calls *calls, size_t call, uint32_t *ids) {
	const struct call_item *item = &calls->items[call];
	struct stack_row stack = {
		.ids = ids,
		.depth = item->depth,
		.count = item->count,
		.before = calls_before(calls, call),
		.two_counts = item->two_counts,
	};
	for (; item->depth > 0; item = &calls->items[calls->links[call].parent]) {
		call = (size_t)(item - calls->items);
		ids[item->depth - 1] = item->name;
	}
	return stack;
}

uint32_t *calls_unmoved(size_t n) {
	uint32_t *new_calls = mem_new(n, sizeof(*new_calls));
	for (size_t i = 0; i < n; i++) {
		new_calls[i] = CALLS_NONE;
	}
	return new_calls;
}

void calls_move_ends(struct calls *calls, const uint32_t *new_calls) {
	for (size_t i = 0; calls->ends != NULL && i < calls->ends_n; i++) {
		uint32_t *end = &calls->ends[i];
		*end = *end == CALLS_NONE ? CALLS_NONE : new_calls[*end];
	}
}

void calls_drop_table(struct calls *calls) {
	free(calls->slots);
	calls->slots = NULL;
	calls->slots_n = 0;
}

void calls_release(struct calls *calls) {
	free(calls->items);
	free(calls->links);
	ids_release(&calls->odd);
	free(calls->path);
	free(calls->before);
	free(calls->ends);
	free(calls->slots);
	*calls = (struct calls){0};
}
