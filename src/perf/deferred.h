/**
 * Give names to frames at the end of the input. Runtimes such as V8 publish the names of their
 * generated code in large pieces. The last piece comes only when the runtime exits. Until the end
 * of the input, a frame in such code has the id of its place. Then deferred_name_stack() replaces
 * this id.
 */
#pragma once

#include "perf/lookup.h"
#include "profile/meaning.h"

/** A bit that is set only in ids of places. */
#define DEFERRED_FLAG INTERN_MOST

/** A zeroed struct is empty. */
struct deferred {
	struct lookup_place *places; // the places; the index is the id without the flag
	size_t n, capacity;
	// keys are the notes that the caller has added; the value is the sum of a note's weights
	struct intern notes;
};

/** Return the id of a new place, which stands for a frame until the end of the input. */
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

/** Add a weight to a note of `n` numbers. The caller defines the meaning of the numbers. */
void deferred_note(struct deferred *deferred, const uint64_t *note, size_t n, uint64_t weight);

/** The meanings of all places, and how they replace ids in stacks. */
struct deferred_names {
	const struct meaning *meanings; // meaning of each place; if a meaning has a mark, its
					// callers are left out
	const struct ids *lists;        // the lists of ids to which meanings refer
	size_t kept;   // number of ids at the root to keep when callers are left out
	uint32_t turn; // in a stack with this frame, the frames after it are in reverse order
	struct ids copy;
};

/** Replace the ids of places in a stack. The context is a struct deferred_names. */
bool deferred_name_stack(void *context, struct ids *stack);

void deferred_release(struct deferred *deferred);
