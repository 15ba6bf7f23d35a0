/* Threads that do not run. */
#include "collapse/perf_asleep.h"

#include <stdlib.h>

/** The last sleep of a thread. */
struct perf_sleep {
	bool lasts;
	uint64_t since;
	struct ids stack;
};

/** Return the sleep of a thread, NULL if it does not sleep. */
static struct perf_sleep *find(const struct perf_asleep *asleep, int32_t tid) {
	const struct intern_key *key = intern_find(&asleep->tids, &tid, sizeof(tid));
	return key != NULL && asleep->sleeps[key->id].lasts ? &asleep->sleeps[key->id] : NULL;
}

void perf_asleep_begin(struct perf_asleep *asleep, int32_t tid, uint64_t time, const uint32_t *ids,
		       size_t depth) {
	uint32_t before = asleep->tids.count;
	uint32_t id = intern_get(&asleep->tids, &tid, sizeof(tid))->id;
	if (id == before) {
		asleep->sleeps = mem_grow(asleep->sleeps, &asleep->capacity, (size_t)id + 1,
					  sizeof(*asleep->sleeps));
		asleep->sleeps[id] = (struct perf_sleep){.lasts = false};
	}
	struct perf_sleep *sleep = &asleep->sleeps[id];
	sleep->lasts = true;
	sleep->since = time;
	sleep->stack.n = 0;
	ids_add(&sleep->stack, ids, depth);
}

void perf_asleep_move(struct perf_asleep *asleep, int32_t tid, uint64_t time) {
	struct perf_sleep *sleep = find(asleep, tid);
	if (sleep != NULL) {
		sleep->since = time;
	}
}

bool perf_asleep_end(struct perf_asleep *asleep, int32_t tid, uint64_t time,
		     struct profile *profile) {
	struct perf_sleep *sleep = find(asleep, tid);
	if (sleep == NULL) {
		return false;
	}
	uint64_t count = time > sleep->since ? time - sleep->since : 0;
	profile_add(profile, sleep->stack.items, sleep->stack.n, count);
	sleep->lasts = false;
	asleep->ended++;
	return true;
}

uint64_t perf_asleep_left(const struct perf_asleep *asleep) {
	uint64_t left = 0;
	for (uint32_t i = 0; i < asleep->tids.count; i++) {
		left += asleep->sleeps[i].lasts;
	}
	return left;
}

void perf_asleep_release(struct perf_asleep *asleep) {
	for (uint32_t i = 0; i < asleep->tids.count; i++) {
		ids_release(&asleep->sleeps[i].stack);
	}
	free(asleep->sleeps);
	intern_release(&asleep->tids);
}
