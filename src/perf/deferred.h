/**
 * Frames that get their names at the end of the input. Runtimes such as V8 publish the names of
 * their code in large pieces, the last one when they end. Until then such a frame has the id of its
 * place, and deferred_name_stack() replaces it.
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
	struct intern notes; // borrowed; the value is the sum of the weights
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

/** Add a stack to a profile. */
static inline void deferred_add(const struct deferred *deferred, struct profile *profile,
				const uint32_t *ids, size_t depth, uint64_t count) {
	if (deferred_has(deferred, ids, depth)) {
		profile_add_unnamed(profile, ids, depth, count);
	} else {
		profile_add(profile, ids, depth, count);
	}
}

/** Add a weight to a note of the caller. */
void deferred_note(struct deferred *deferred, const uint64_t *note, size_t n, uint64_t weight);

/** The meanings of the places. */
struct deferred_names {
	const struct meaning *meanings; // by place; those with a mark have no callers
	const struct ids *lists;        // of meanings
	size_t kept;   // number of ids at the root that stay in a stack without callers
	uint32_t turn; // the frame after which the frames of a stack are in reverse order
	struct ids copy;
};

/** Replace the ids of places in a stack. The context is a struct deferred_names. */
bool deferred_name_stack(void *context, struct ids *stack);

void deferred_release(struct deferred *deferred);

#endif
