/** Keep all stacks in order of arrival, for flame charts. Equal stacks are not added up. */
#pragma once

#include "profile/ids.h"

/** A zeroed timeline is empty. */
struct timeline {
	struct stack_row *rows;
	size_t n, capacity;
	uint64_t ids;       // number of ids in all rows that timeline_add() appended
	struct arena arena; // the ids of rows that timeline_add() appended
	uint64_t packed;    // number of packed bytes that were read of the inputs
	uint64_t most; // limit on the memory of the rows, and of the frames that are built from the
		       // rows, in bytes; 0: no limit
};

/** Append a row with room for `depth` ids. Return the room, which the caller fills. */
uint32_t *timeline_add(struct timeline *timeline, struct stack_row row);

/** Append a row. The ids of the stack are borrowed until the timeline is released. */
void timeline_lend(struct timeline *timeline, struct stack_row row);

/** Return how many bytes of memory the rows take. */
static inline uint64_t timeline_size(const struct timeline *timeline) {
	return timeline->ids * sizeof(*timeline->rows->ids) + timeline->n * sizeof(*timeline->rows);
}

/** Drop all rows. */
void timeline_release(struct timeline *timeline);
