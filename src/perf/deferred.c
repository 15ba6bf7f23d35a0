/* Give names to frames at the end of the input. */
#include "perf/deferred.h"

#include <stdlib.h>

uint32_t deferred_frame(struct deferred *deferred, const struct lookup_place *place) {
	if (deferred->n >= (UINT32_MAX & ~DEFERRED_FLAG)) {
		inferno_out_of_memory(); // all ids are used
	}
	MEM_GROW(deferred->places, deferred->capacity, deferred->n + 1);
	deferred->places[deferred->n] = *place;
	return (uint32_t)deferred->n++ | DEFERRED_FLAG;
}

void deferred_note(struct deferred *deferred, const uint64_t *note, size_t n, uint64_t weight) {
	intern_get(&deferred->notes, note, n * sizeof(*note))->value += weight;
}

/* --- The end -------------------------------------------------------------------------------- */

/** Add the frames of a place to a stack, root first. If `reverse` is set, add the innermost frame
 * first. */
static void deferred_push(const struct deferred_names *names, struct meaning meaning, bool reverse,
			  struct ids *stack) {
	const uint32_t *list = names->lists->items + meaning.id;
	if (meaning.kind == MEANS_FRAME) {
		ids_push(stack, meaning.id);
	} else if (meaning.kind == MEANS_FRAMES) {
		for (size_t i = 1; i <= *list; i++) {
			ids_push(stack, list[reverse ? *list + 1 - i : i]);
		}
	}
}

bool deferred_name_stack(void *context, struct ids *stack) {
	struct deferred_names *names = context;
	const struct ids old = *stack;
	bool reverse = false;
	*stack = names->copy;
	names->copy = old;
	stack->n = 0;
	for (size_t i = 0; i < old.n; i++) {
		if ((old.items[i] & DEFERRED_FLAG) == 0) {
			reverse |= old.items[i] == names->turn;
			ids_push(stack, old.items[i]);
			continue;
		}
		struct meaning meaning = names->meanings[old.items[i] & ~DEFERRED_FLAG];
		if (meaning.mark != 0 && !reverse && stack->n > names->kept) {
			stack->n = names->kept;
		}
		deferred_push(names, meaning, reverse, stack);
		if (meaning.mark != 0 && reverse) {
			break;
		}
	}
	return true;
}

void deferred_release(struct deferred *deferred) {
	free(deferred->places);
	intern_release(&deferred->notes);
}
