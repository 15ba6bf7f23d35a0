/* The time of each stack. */
#include "collapse/times.h"

#include <stdlib.h>

struct times_item {
	uint32_t caller, frame, depth;
	// `child`: the newest callee; `next`: the next older callee of the same caller; 0: none
	uint32_t child, next;
	bool met;       // whether a time was added, even if it was 0
	uint32_t stack; // 1 + the id of its stack, if times of the call were reported
	struct decimal time, other;
};

uint32_t times_call(struct times *times, uint32_t caller, uint32_t frame) {
	uint32_t key[] = {caller, frame}, n = times->calls.count;
	uint32_t call = intern_get(&times->calls, key, sizeof(key))->id + 1;
	if (call > n) {
		MEM_GROW(times->items, times->capacity, (size_t)call + 1);
		if (n == 0) {
			times->items[TIMES_ROOT] = (struct times_item){0};
		}
		struct times_item *outer = &times->items[caller];
		times->items[call] = (struct times_item){.caller = caller,
							 .frame = frame,
							 .depth = outer->depth + 1,
							 .next = outer->child};
		outer->child = call;
	}
	return call;
}

/** Round a sum. If the sum is above 0 and becomes 0, add 1 to `vanished`. */
static uint64_t times_round_sum(struct times *times, struct decimal time) {
	uint64_t count = decimal_round(time);
	times->vanished += count == 0 && (time.whole > 0 || (time.whole == 0 && time.part > 0));
	return count;
}

/** Put the frames of a stack into the path. */
static void times_find_path(struct times *times, uint32_t call) {
	size_t depth = times->items[call].depth;
	times->path.n = 0;
	while (times->path.n < depth) {
		ids_push(&times->path, 0);
	}
	for (uint32_t at = call; at != TIMES_ROOT; at = times->items[at].caller) {
		times->path.items[--depth] = times->items[at].frame;
	}
}

void times_weight(struct times *times, struct profile *profile, uint32_t call, struct str thread,
		  uint64_t from, uint64_t to, uint64_t weight) {
	struct times_item *item = &times->items[call];
	if (item->stack == 0) {
		times_find_path(times, call);
		item->stack = profile_stack(profile, times->path.items, times->path.n) + 1;
	}
	if (item->stack != 0) { // 0: STACKS_NONE + 1
		// The sum of a stack is rounded at the end, and then divided among its spans.
		time_buckets_weigh(profile->time_buckets, item->stack - 1, thread, from, to,
				   weight);
	}
}

void times_span(struct times *times, struct profile *profile, uint32_t call, struct str thread,
		uint64_t from, uint64_t to) {
	times_weight(times, profile, call, thread, from, to, to > from ? to - from : 1);
}

/** Add a stack with one time to a profile that keeps the order of stacks. */
static void times_give(struct times *times, struct profile *profile, uint32_t call,
		       struct decimal time) {
	times_find_path(times, call);
	profile_add(profile, times->path.items, times->path.n, times_round_sum(times, time));
}

void times_add(struct times *times, struct profile *profile, uint32_t call, struct decimal time) {
	if (profile->form == PROFILE_TIMELINE) {
		times_give(times, profile, call, time);
		return;
	}
	struct times_item *item = &times->items[call];
	item->met = true;
	profile->overflow |= !decimal_add(&item->time, time);
}

void times_add_other(struct times *times, uint32_t call, struct decimal value) {
	times->overflow |= !decimal_add(&times->items[call].other, value);
}

/** Add the stack of the path with its two values. */
static void times_give_both(struct times *times, struct profile *profile,
			    const struct times_item *item) {
	const struct times_values *values = times->values;
	uint64_t counts[2] = {times_round_sum(times, item->time), decimal_round(item->other)};
	for (size_t i = 0; i < 2; i++) {
		profile_next_value(profile, values->names[i], values->units[i], counts[i]);
	}
	profile_add(profile, times->path.items, times->path.n, counts[0]);
}

/** Return the next call of the tree, callers before callees. After the last call, return the root.
 */
static uint32_t times_next_call(const struct times *times, uint32_t call) {
	if (times->items[call].child != 0) {
		return times->items[call].child;
	}
	while (call != TIMES_ROOT && times->items[call].next == 0) {
		call = times->items[call].caller;
	}
	return call == TIMES_ROOT ? TIMES_ROOT : times->items[call].next;
}

uint64_t times_finish(struct times *times, struct profile *profile) {
	size_t shared = 0; // number of frames that the path shares with the last stack
	if (times->calls.count == 0 || profile->form == PROFILE_TIMELINE) {
		return times->vanished;
	}
	bool both = profile_wants_values(profile) && times->values != NULL;
	profile->overflow |= times->overflow;
	calls_look_up(&profile->calls);
	for (uint32_t call = times->items[TIMES_ROOT].child; call != TIMES_ROOT;
	     call = times_next_call(times, call)) {
		const struct times_item *item = &times->items[call];
		times->path.n = item->depth - 1;
		shared = shared < times->path.n ? shared : times->path.n;
		ids_push(&times->path, item->frame);
		if (!item->met && (!both || decimal_round(item->other) == 0)) {
			continue;
		}
		if (both) {
			times_give_both(times, profile, item);
			continue;
		}
		struct stack_row row = {times->path.items, item->depth,
					.count = times_round_sum(times, item->time)};
		if (item->stack != 0) {
			profile_add_timed(profile, row.ids, row.depth, row.count);
		} else {
			profile_add_line(profile, row, shared);
			shared = item->depth;
		}
		if (item->stack == 0 && row.count > 0 && profile_wants_times(profile)) {
			profile->time_buckets->untimed++;
		}
	}
	return times->vanished;
}

void times_release(struct times *times) {
	intern_release(&times->calls);
	ids_release(&times->path);
	free(times->items);
}
