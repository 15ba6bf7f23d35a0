/* Time by stack. */
#include "collapse/times.h"

#include <stdlib.h>

struct times_item {
	uint32_t caller, frame;
	bool met; // a time was added, perhaps 0
	struct decimal time;
};

uint32_t times_call(struct times *times, uint32_t caller, uint32_t frame) {
	uint32_t key[] = {caller, frame}, n = times->calls.count;
	uint32_t call = intern_get(&times->calls, key, sizeof(key))->id + 1;
	if (call > n) {
		times->items = mem_grow(times->items, &times->capacity, (size_t)call + 1,
					sizeof(*times->items));
		times->items[call] = (struct times_item){.caller = caller, .frame = frame};
	}
	return call;
}

/** Adds one sum to the stacks. */
static void give(struct times *times, uint32_t call, struct decimal time) {
	size_t depth = 0;
	for (uint32_t at = call; at != TIMES_ROOT; at = times->items[at].caller) {
		depth++;
		ids_push(&times->path, 0);
	}
	times->path.n = 0;
	for (uint32_t at = call; at != TIMES_ROOT; at = times->items[at].caller) {
		times->path.items[--depth] = times->items[at].frame;
		times->path.n++;
	}
	uint64_t count = decimal_round(time);
	times->vanished += count == 0 && (time.whole > 0 || (time.whole == 0 && time.part > 0));
	stacks_add(times->stacks, times->path.items, times->path.n, count);
	times->path.n = 0;
}

void times_add(struct times *times, uint32_t call, struct decimal time) {
	if ((times->stacks->mode & STACKS_KEEP_ORDER) != 0) {
		give(times, call, time);
		return;
	}
	struct times_item *item = &times->items[call];
	item->met = true;
	times->stacks->overflow |= !decimal_add(&item->time, time);
}

void times_finish(struct times *times) {
	for (uint32_t call = 1; call <= times->calls.count; call++) {
		if (times->items[call].met) {
			give(times, call, times->items[call].time);
		}
	}
}

void times_release(struct times *times) {
	intern_release(&times->calls);
	ids_release(&times->path);
	free(times->items);
}
