/* Keep stacks in the order of their arrival. */
#include "profile/timeline.h"

#include <stdlib.h>

void timeline_lend(struct timeline *timeline, struct stack_row row) {
	*MEM_APPEND(timeline->rows, timeline->n, timeline->capacity) = row;
}

uint32_t *timeline_add(struct timeline *timeline, struct stack_row row) {
	row.ids = arena_take(&timeline->arena, row.depth * sizeof(*row.ids));
	timeline->ids += row.depth;
	timeline_lend(timeline, row);
	return row.ids;
}

void timeline_release(struct timeline *timeline) {
	free(timeline->rows);
	timeline->rows = NULL;
	timeline->n = timeline->capacity = 0;
	arena_release(&timeline->arena);
}
