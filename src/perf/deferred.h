/**
 * Samples of a recording that goes on, in code that a runtime makes. Their names are in a perf map,
 * which runtimes such as V8 write in large pieces, the last one when they end. So these samples are
 * put off until the end of the recording. Equal ones are added up.
 */
#ifndef INFERNO_PERF_DEFERRED_H
#define INFERNO_PERF_DEFERRED_H

#include "base/intern.h"
#include "perf/data/perfdata.h"

/** An address that gets its name at the end. */
struct deferred_place {
	struct perfdata_location location;
	bool is_return, java;
};

/** What a sample has beside its frames. Its size is a multiple of 8 bytes, without gaps. */
struct deferred_head {
	uint32_t event, root, cpu, outermost; // of enum perfdata_root
};

/** Zeroed memory is empty. */
struct deferred {
	struct deferred_place *places;
	size_t places_n, places_capacity;
	struct intern stacks; // a head and its frames; the value is their count
	uint64_t *samples;    // of each stack
	size_t samples_capacity;
	struct buf key;
};

/** Samples that have their stack in common. */
struct deferred_stack {
	struct deferred_head head;
	const uint64_t *frames;
	size_t n;
	uint64_t samples, count;
};

/** Return whether the names of what is at a location come late. */
bool deferred_is(const struct perfdata_location *location);

/** Add a place, and return its number. */
uint32_t deferred_place(struct deferred *late, const struct deferred_place *place);

/** Add a sample. Each of its `n` frames is a number of the caller's. Return the number of its
 * stack.
 */
uint32_t deferred_add(struct deferred *late, const struct deferred_head *head,
		      const uint64_t *frames, size_t n, uint64_t count);

/** Fetch stack number `i`. Return false after the last. */
bool deferred_stack(const struct deferred *late, size_t i, struct deferred_stack *stack);

void deferred_release(struct deferred *late);

#endif
