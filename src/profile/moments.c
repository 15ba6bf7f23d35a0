/* Keep the exact times of stacks. */
#include "profile/moments.h"

#include <stdlib.h>

#include "base/num.h"
#include "profile/profile.h"

enum {
	MOMENTS_LASTS = 1,      // the count is the duration
	MOMENTS_GAPLESS = 2,    // the next moment starts at the end of this moment
	MOMENTS_FLAGS = 2,      // number of bits of the flags
	MOMENTS_STEP = 1 << 20, // number of bytes between two calls of mem_discard()
};

/** Return whether the count of a moment is its duration. */
static bool moments_lasts(const struct moment *moment) {
	return moment->count == moment->to - moment->from;
}

static int moments_compare(const void *left, const void *right) {
	const struct moment *a = left, *b = right;
	return a->from != b->from ? (a->from > b->from ? 1 : -1)
	       : a->to != b->to   ? (a->to > b->to ? 1 : -1)
				  : (a->stack > b->stack) - (a->stack < b->stack);
}

/* --- Encoding ------------------------------------------------------------------------------- */

/** Encode the last moment of a thread, as varints: the stack and the flags, the duration, the
 * count, and the distance from its end to the start of the next moment. The flags say that the
 * count or the distance is left out. The distance may be negative, so its sign is the lowest bit.
 */
static void moments_put(struct moments_thread *thread, const struct moment *next) {
	const struct moment *last = &thread->last;
	uint64_t distance = next->from - last->to, sign = distance >> 63;
	unsigned flags =
		(moments_lasts(last) ? MOMENTS_LASTS : 0) | (distance == 0 ? MOMENTS_GAPLESS : 0);
	unsigned char *start = (unsigned char *)buf_room(&thread->bytes, (size_t)4 * VARINT_MOST);
	unsigned char *at = varint_put(start, (uint64_t)last->stack << MOMENTS_FLAGS | flags);
	at = varint_put(at, last->to - last->from);
	if ((flags & MOMENTS_LASTS) == 0) {
		at = varint_put(at, last->count);
	}
	if ((flags & MOMENTS_GAPLESS) == 0) {
		at = varint_put(at, distance << 1 ^ -sign);
	}
	thread->bytes.n += (size_t)(at - start);
}

static struct moments_cursor moments_start_thread(const struct moments_thread *thread) {
	return (struct moments_cursor){.thread = thread,
				       .at = (const unsigned char *)thread->bytes.p,
				       .from = thread->first,
				       .left = thread->n};
}

struct moments_cursor moments_start(const struct moments *moments, uint32_t thread) {
	return moments_start_thread(&moments->threads[thread]);
}

bool moments_next(struct moments_cursor *cursor) {
	struct moment *now = &cursor->now;
	if (cursor->left == 0) {
		return false;
	}
	if (--cursor->left == 0) {
		*now = cursor->thread->last;
		return true;
	}
	uint64_t word = varint_take(&cursor->at), length = varint_take(&cursor->at);
	*now = (struct moment){.from = cursor->from,
			       .to = cursor->from + length,
			       .count = length,
			       .stack = (uint32_t)(word >> MOMENTS_FLAGS),
			       .thread = cursor->thread->last.thread};
	if ((word & MOMENTS_LASTS) == 0) {
		now->count = varint_take(&cursor->at);
	}
	cursor->from = now->to;
	if ((word & MOMENTS_GAPLESS) == 0) {
		uint64_t distance = varint_take(&cursor->at);
		cursor->from += distance >> 1 ^ -(distance & 1);
	}
	return true;
}

void moments_add(struct moments *moments, const struct moment *moment) {
	if (moment->thread >= moments->threads_n) {
		size_t n = (size_t)moment->thread + 1, more = n - moments->threads_n;
		MEM_GROW(moments->threads, moments->capacity, n);
		memset(moments->threads + moments->threads_n, 0, more * sizeof(*moments->threads));
		moments->threads_n = n;
	}
	struct moments_thread *thread = &moments->threads[moment->thread];
	struct moment *last = &thread->last;
	if (thread->n == 0) {
		thread->first = moment->from;
	} else if (!moments->each && last->stack == moment->stack && last->to == moment->from &&
		   moments_lasts(last) && moments_lasts(moment)) {
		last->to = moment->to;
		last->count += moment->count;
		return;
	} else {
		thread->unsorted |= moments_compare(last, moment) > 0;
		moments_put(thread, moment);
	}
	*last = *moment;
	thread->n++;
	moments->n++;
}

/* --- All moments ---------------------------------------------------------------------------- */

/** A function that changes the stack or the count of a moment. Return false to drop the moment. */
typedef bool moments_change(void *context, struct moment *moment);

static void moments_change_all(struct moments *moments, moments_change *change, void *context) {
	moments->n = 0;
	for (size_t i = 0; i < moments->threads_n; i++) {
		struct moments_thread old = moments->threads[i];
		moments->threads[i] = (struct moments_thread){0};
		struct moments_cursor cursor = moments_start_thread(&old);
		unsigned char *kept = (unsigned char *)old.bytes.p;
		while (moments_next(&cursor)) {
			if (change(context, &cursor.now)) {
				moments_add(moments, &cursor.now);
			}
			if (cursor.at - kept >= MOMENTS_STEP) {
				mem_discard(kept, MOMENTS_STEP);
				kept += MOMENTS_STEP;
			}
		}
		buf_release(&old.bytes);
	}
}

static bool moments_renumber_one(void *context, struct moment *moment) {
	const uint32_t *new_stacks = context;
	moment->stack = new_stacks[moment->stack];
	return moment->stack != STACKS_NONE;
}

void moments_renumber(struct moments *moments, uint32_t *new_stacks) {
	moments_change_all(moments, moments_renumber_one, new_stacks);
}

void moments_merge(struct moments *moments, const struct moments *from, const uint32_t *new_stacks,
		   const uint32_t *new_threads) {
	for (size_t i = 0; i < from->threads_n; i++) {
		struct moments_cursor cursor = moments_start_thread(&from->threads[i]);
		while (moments_next(&cursor)) {
			struct moment moment = cursor.now;
			moment.stack = new_stacks[moment.stack];
			moment.thread = new_threads[moment.thread];
			moments_add(moments, &moment);
		}
	}
}

static void moments_sort_thread(struct moments *moments, struct moments_thread *thread) {
	struct moments_thread old = *thread;
	struct moments_cursor cursor = moments_start_thread(&old);
	struct moment *items = mem_new(old.n, sizeof(*items));
	for (size_t i = 0; moments_next(&cursor); i++) {
		items[i] = cursor.now;
	}
	buf_release(&old.bytes);
	qsort(items, old.n, sizeof(*items), moments_compare);
	*thread = (struct moments_thread){0};
	moments->n -= old.n;
	for (size_t i = 0; i < old.n; i++) {
		moments_add(moments, &items[i]);
	}
	free(items);
}

void moments_sort(struct moments *moments) {
	for (size_t i = 0; i < moments->threads_n; i++) {
		if (moments->threads[i].unsorted) {
			moments_sort_thread(moments, &moments->threads[i]);
		}
	}
}

void moments_release(struct moments *moments) {
	for (size_t i = 0; i < moments->threads_n; i++) {
		buf_release(&moments->threads[i].bytes);
	}
	free(moments->threads);
	*moments = (struct moments){0};
}

/* --- Profiles ------------------------------------------------------------------------------- */

static void moments_add_weight(uint64_t *sum, uint64_t weight) {
	*sum = *sum > UINT64_MAX - weight ? UINT64_MAX : *sum + weight;
}

/** The counts of one stack, for moments_settle(). */
struct moments_sums {
	uint64_t weights, before; // sum of all weights, and of the weights of the moments so far
	uint64_t count;           // the stack's count
};

/** Replace the weight of a moment by its part of the stack's count. */
static bool moments_settle(void *context, struct moment *moment) {
	struct moments_sums *sums = (struct moments_sums *)context + moment->stack;
	uint64_t done = num_share(sums->before, sums->weights, sums->count);
	moments_add_weight(&sums->before, moment->count);
	moment->count = num_share(sums->before, sums->weights, sums->count) - done;
	return true;
}

void profile_settle_moments(struct profile *profile) {
	struct time_buckets *buckets = profile->time_buckets;
	if (buckets == NULL || buckets->moments == NULL || !buckets->weights) {
		return;
	}
	profile_settle(profile);
	bool same = true; // the weights are the counts
	struct moments_sums *sums = mem_new(profile->stacks.table.count, sizeof(*sums));
	for (uint32_t i = 0; i < buckets->moments->threads_n; i++) {
		struct moments_cursor cursor = moments_start(buckets->moments, i);
		while (moments_next(&cursor)) {
			moments_add_weight(&sums[cursor.now.stack].weights, cursor.now.count);
		}
	}
	for (uint32_t i = 0; i < profile->stacks.table.count; i++) {
		sums[i].count = stacks_count(&profile->stacks, i);
		same &= sums[i].count == sums[i].weights;
	}
	if (!same) {
		moments_change_all(buckets->moments, moments_settle, sums);
	}
	free(sums);
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
	for (uint32_t i = 0; i < buckets->moments->threads_n; i++) {
		struct moments_cursor cursor = moments_start(buckets->moments, i);
		while (moments_next(&cursor)) {
			uint64_t part = moments_part(&cursor.now, from, to);
			// the sum is at most the previous value
			stacks->table.keys[cursor.now.stack]->value += part;
			stacks->squares += (double)part * (double)part;
		}
	}
	profile_drop_times(profile);
	free(stacks_merge(&kept, stacks, moments_drop_empty, &counts));
	stacks_release(stacks);
	*stacks = kept;
	return stacks->table.count;
}
