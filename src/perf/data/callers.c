/* Keep a table of frames and their callers. */
#include "perf/data/callers.h"

#include <stdlib.h>

#include "base/mem.h"

enum { SLOTS_BITS = 14 };

struct callers_slot {
	struct callers_key key;
	uint64_t caller; // the caller, as a frame of the same thread
	struct unwind_frame state;
};

static struct callers_slot *callers_slot_of(const struct callers *callers,
					    const struct callers_key *key) {
	const uint64_t odd = 0x9e3779b97f4a7c15; // 2^64 divided by the golden ratio
	uint64_t mixed = ((key->address ^ key->epoch) * odd ^ key->state.cfa) * odd;
	return &callers->slots[(mixed ^ key->state.saved) * odd >> (64 - SLOTS_BITS)];
}

static bool callers_is_of(const struct callers_slot *slot, const struct callers_key *key) {
	return slot->key.epoch == key->epoch && slot->key.address == key->address &&
	       slot->key.state.cfa == key->state.cfa && slot->key.state.saved == key->state.saved;
}

void callers_set(struct callers *callers, const struct callers_key *key,
		 const struct callers_key *caller) {
	if (callers->slots == NULL) {
		callers->slots = mem_new((size_t)1 << SLOTS_BITS, sizeof(*callers->slots));
	}
	*callers_slot_of(callers, key) =
		(struct callers_slot){*key, caller->address, caller->state};
}

bool callers_next(const struct callers *callers, struct callers_key *key) {
	const struct callers_slot *slot =
		callers->slots == NULL ? NULL : callers_slot_of(callers, key);
	if (slot == NULL || !callers_is_of(slot, key)) {
		return false;
	}
	key->address = slot->caller;
	key->state = slot->state;
	return true;
}

void callers_release(struct callers *callers) {
	free(callers->slots);
	callers->slots = NULL;
}
