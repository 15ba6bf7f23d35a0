/**
 * Frames whose names come in the end. Runtimes such as V8 publish the names of their code in large
 * pieces, the last one when they end. Until then such a frame has an id that stands for its place.
 * Stacks with such ids are kept here, equal ones added up, and get into their profile by
 * deferred_finish().
 */
#ifndef INFERNO_PERF_DEFERRED_H
#define INFERNO_PERF_DEFERRED_H

#include "perf/lookup.h"
#include "profile/meaning.h"

/** Set in the ids of such frames, and in no other. */
#define DEFERRED_FLAG INTERN_MOST

/** Zeroed memory is empty. */
struct deferred {
	struct lookup_place *places; // by id, without the flag
	size_t n, capacity;
	struct intern stacks; // the number of the profile, then the ids; the value is the count
	struct profile **profiles; // by number
	size_t profiles_n, profiles_capacity;
	struct intern notes; // of the caller; the value is the sum of the weights
	struct ids key;
};

/** Return the id of a new frame for a place. */
uint32_t deferred_frame(struct deferred *deferred, const struct lookup_place *place);

/** Return whether some id of a stack stands for a place. */
static inline bool deferred_has(const struct deferred *deferred, const uint32_t *ids, size_t n) {
	for (size_t i = 0; i < n && deferred->n > 0; i++) {
		if ((ids[i] & DEFERRED_FLAG) != 0) {
			return true;
		}
	}
	return false;
}

/** Add a stack to a profile: now if all its frames have names, else in the end. */
void deferred_add(struct deferred *deferred, struct profile *profile, const uint32_t *ids,
		  size_t depth, uint64_t count);

/** Add a weight to a note of the caller. */
void deferred_note(struct deferred *deferred, const uint64_t *note, size_t n, uint64_t weight);

/** What the places mean. */
struct deferred_names {
	const struct meaning *meanings; // by place; those with a mark have no callers
	const struct ids *lists;        // of meanings
	size_t kept;                    // of a stack without callers, the ids at its root that stay
	uint32_t turn;                  // the frame after which stacks go on in reverse
};

/** Replace the ids of places in all stacks. */
void deferred_finish(struct deferred *deferred, const struct deferred_names *names);

void deferred_release(struct deferred *deferred);

#endif
