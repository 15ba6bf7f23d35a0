/* Samples whose names are known only at the end of the recording. */
#include "perf/deferred.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

_Static_assert(sizeof(struct deferred_head) == 4 * sizeof(uint32_t), "it has no gaps");

bool deferred_is(const struct perfdata_location *location) {
	const struct image *image = location->image;
	return image != NULL && image->dump == NULL && image->object != NULL &&
	       object_kind(image->object) == OBJECT_JIT;
}

uint32_t deferred_place(struct deferred *late, const struct deferred_place *place) {
	late->places = mem_grow(late->places, &late->places_capacity, late->places_n + 1,
				sizeof(*late->places));
	late->places[late->places_n] = *place;
	return (uint32_t)late->places_n++;
}

uint32_t deferred_add(struct deferred *late, const struct deferred_head *head,
		      const uint64_t *frames, size_t n, uint64_t count) {
	buf_clear(&late->key);
	buf_add(&late->key, (const char *)head, sizeof(*head));
	buf_add(&late->key, (const char *)frames, n * sizeof(*frames));
	struct intern_key *key = intern_get(&late->stacks, late->key.p, late->key.n);
	late->samples = mem_grow(late->samples, &late->samples_capacity, (size_t)key->id + 1,
				 sizeof(*late->samples));
	late->samples[key->id] = (key->value == 0 ? 0 : late->samples[key->id]) + 1;
	key->value += count;
	return key->id;
}

bool deferred_stack(const struct deferred *late, size_t i, struct deferred_stack *stack) {
	if (i >= late->stacks.count) {
		return false;
	}
	const struct intern_key *key = late->stacks.keys[i];
	size_t size = key->len - sizeof(stack->head);
	memcpy(&stack->head, key->bytes, sizeof(stack->head));
	// A key holds a number of 8 bytes, so its bytes start at a multiple of 8, too.
	stack->frames = (const uint64_t *)(const void *)(key->bytes + sizeof(stack->head));
	stack->n = size / sizeof(*stack->frames);
	stack->samples = late->samples[i];
	stack->count = key->value;
	return true;
}

void deferred_release(struct deferred *late) {
	free(late->places);
	free(late->samples);
	intern_release(&late->stacks);
	buf_release(&late->key);
	*late = (struct deferred){0};
}
