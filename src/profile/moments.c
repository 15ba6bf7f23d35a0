/* Keep the exact times of stacks. */
#include "profile/moments.h"

#include <stdlib.h>

#include "base/num.h"
#include "profile/profile.h"

/** Return whether the count of a moment is its duration. */
static bool moments_lasts(const struct moment *moment) {
	return moment->count == moment->to - moment->from;
}

void moments_add(struct moments *moments, const struct moment *moment) {
	struct moment *last = moments->n > 0 ? &moments->items[moments->n - 1] : NULL;
	if (last != NULL && !moments->each && last->stack == moment->stack &&
	    last->thread == moment->thread && last->to == moment->from && moments_lasts(last) &&
	    moments_lasts(moment)) {
		last->to = moment->to;
		last->count += moment->count;
		return;
	}
	moments->items = mem_grow(moments->items, &moments->capacity, moments->n + 1,
				  sizeof(*moments->items));
	moments->items[moments->n++] = *moment;
}

void moments_renumber(struct moments *moments, const uint32_t *new_stacks) {
	size_t kept = 0;
	for (size_t i = 0; i < moments->n; i++) {
		struct moment moment = moments->items[i];
		moment.stack = new_stacks[moment.stack];
		moments->items[kept] = moment;
		kept += moment.stack != STACKS_NONE;
	}
	moments->n = kept;
}

void moments_merge(struct moments *moments, const struct moments *from, const uint32_t *new_stacks,
		   const uint32_t *new_threads) {
	for (size_t i = 0; i < from->n; i++) {
		struct moment moment = from->items[i];
		moment.stack = new_stacks[moment.stack];
		moment.thread = new_threads[moment.thread];
		moments_add(moments, &moment);
	}
}

static int moments_compare(const void *left, const void *right) {
	const struct moment *a = left, *b = right;
	return a->thread != b->thread ? (a->thread > b->thread ? 1 : -1)
	       : a->from != b->from   ? (a->from > b->from ? 1 : -1)
	       : a->to != b->to       ? (a->to > b->to ? 1 : -1)
				      : (a->stack > b->stack) - (a->stack < b->stack);
}

void moments_sort(struct moments *moments) {
	if (moments->n > 0) {
		qsort(moments->items, moments->n, sizeof(*moments->items), moments_compare);
	}
}

void moments_release(struct moments *moments) {
	free(moments->items);
	*moments = (struct moments){0};
}

/* --- Profiles ------------------------------------------------------------------------------- */

static void moments_add_weight(uint64_t *sum, uint64_t weight) {
	*sum = *sum > UINT64_MAX - weight ? UINT64_MAX : *sum + weight;
}

void profile_settle_moments(struct profile *profile) {
	struct time_buckets *buckets = profile->time_buckets;
	if (buckets == NULL || buckets->moments == NULL || !buckets->weights) {
		return;
	}
	profile_settle(profile);
	size_t n = profile->stacks.table.count;
	uint64_t *sums = mem_new(n, sizeof(*sums)), *before = mem_new(n, sizeof(*before));
	for (size_t i = 0; i < buckets->moments->n; i++) {
		const struct moment *moment = &buckets->moments->items[i];
		moments_add_weight(&sums[moment->stack], moment->count);
	}
	for (size_t i = 0; i < buckets->moments->n; i++) {
		struct moment *moment = &buckets->moments->items[i];
		uint64_t sum = sums[moment->stack],
			 all = stacks_count(&profile->stacks, moment->stack);
		uint64_t done = num_share(before[moment->stack], sum, all);
		moments_add_weight(&before[moment->stack], moment->count);
		moment->count = num_share(before[moment->stack], sum, all) - done;
	}
	free(sums);
	free(before);
}

/** Return the part of a moment's count that is between two times. */
static uint64_t moments_part(const struct moment *moment, uint64_t from, uint64_t to) {
	uint64_t start = moment->from > from ? moment->from : from;
	uint64_t end = moment->to < to ? moment->to : to;
	if (moment->from == moment->to) {
		return moment->from >= from && moment->from < to ? moment->count : 0;
	}
	if (start >= end) {
		return 0;
	}
	uint64_t whole = moment->to - moment->from;
	return num_share(end - moment->from, whole, moment->count) -
	       num_share(start - moment->from, whole, moment->count);
}

/** The context of moments_drop_empty(). */
struct moments_counts {
	const struct stacks *stacks;
	uint32_t next; // index of the stack that the next call of the function gets
};

static bool moments_drop_empty(void *context, struct ids *stack) {
	struct moments_counts *counts = context;
	(void)stack;
	return stacks_count(counts->stacks, counts->next++) > 0;
}

size_t profile_cut(struct profile *profile, uint64_t from, uint64_t to) {
	const struct time_buckets *buckets = profile->time_buckets;
	struct stacks *stacks = &profile->stacks, kept = {0};
	struct moments_counts counts = {stacks, 0};
	profile_settle(profile);
	for (uint32_t i = 0; i < stacks->table.count; i++) {
		stacks->table.keys[i]->value = 0;
	}
	from = from > UINT64_MAX - buckets->first ? UINT64_MAX : from + buckets->first;
	to = to > UINT64_MAX - buckets->first ? UINT64_MAX : to + buckets->first;
	stacks->squares = 0;
	for (size_t i = 0; i < buckets->moments->n; i++) {
		const struct moment *moment = &buckets->moments->items[i];
		uint64_t part = moments_part(moment, from, to);
		stacks->table.keys[moment->stack]->value += part; // the sum is at most the previous
								  // value
		stacks->squares += (double)part * (double)part;
	}
	profile_drop_times(profile);
	free(stacks_merge(&kept, stacks, moments_drop_empty, &counts));
	stacks_release(stacks);
	*stacks = kept;
	return stacks->table.count;
}
