/* Count stacks by time and thread. */
#include "profile/time_buckets.h"

#include <stdlib.h>

#include "base/num.h"

enum {
	FIRST_SHIFT = 10, // the first buckets are 2^10 ns wide, about a microsecond
	FIRST_CELLS = 1024,
	MOST_CELLS = 1 << 20, // largest number of used cells
};

struct time_buckets *time_buckets_new(void) {
	struct time_buckets *buckets = mem_new(1, sizeof(*buckets));
	buckets->shift = FIRST_SHIFT;
	buckets->most = MOST_CELLS;
	buckets->is_kept = true;
	intern_get(&buckets->threads, "", 0);
	return buckets;
}

uint32_t time_buckets_thread(struct time_buckets *buckets, struct str label) {
	const struct intern_key *key = intern_find(&buckets->threads, label.p, label.n);
	if (key == NULL && buckets->threads.count >= TIME_BUCKETS_THREADS) {
		return 0;
	}
	return key != NULL ? key->id : intern_get(&buckets->threads, label.p, label.n)->id;
}

void time_buckets_set(struct time_buckets *buckets, struct str thread, uint64_t from, uint64_t to) {
	buckets->known = true;
	buckets->thread = time_buckets_thread(buckets, thread);
	buckets->from = from;
	buckets->to = to;
}

/* --- Cells ---------------------------------------------------------------------------------- */

/** Return the cell of a stack, a thread and a bucket. If there is none, return the free cell for
 * it. */
static struct time_bucket_cell *time_buckets_find_cell(const struct time_buckets *buckets,
						       const struct time_bucket_cell *like) {
	uint64_t key[] = {like->bucket, (uint64_t)like->stack << 32 | like->thread};
	size_t i = (size_t)hash_bytes(key, sizeof(key), buckets->threads.seed) & buckets->mask;
	struct time_bucket_cell *cell = &buckets->cells[i];
	while (cell->count != 0 && (cell->bucket != like->bucket || cell->stack != like->stack ||
				    cell->thread != like->thread)) {
		i = (i + 1) & buckets->mask;
		cell = &buckets->cells[i];
	}
	return cell;
}

static void time_buckets_add_cell(struct time_buckets *buckets, struct time_bucket_cell more);

/** Make a new table of `size` cells, and move the old cells into it. Buckets become 2^`by` times as
 * wide. `new_stacks` has the new id of each stack; NULL: the ids do not change. */
static void time_buckets_rebuild(struct time_buckets *buckets, size_t size, unsigned by,
				 const uint32_t *new_stacks) {
	struct time_bucket_cell *old = buckets->cells;
	size_t n = old == NULL ? 0 : buckets->mask + 1;
	size = size < FIRST_CELLS ? FIRST_CELLS : size;
	buckets->cells = mem_new(size, sizeof(*buckets->cells));
	buckets->mask = size - 1;
	buckets->cells_n = 0;
	buckets->shift += by;
	for (size_t i = 0; i < n; i++) {
		struct time_bucket_cell cell = old[i];
		if (cell.count == 0) {
			continue;
		}
		cell.bucket >>= by;
		cell.stack = new_stacks == NULL ? cell.stack : new_stacks[cell.stack];
		time_buckets_add_cell(buckets, cell);
	}
	free(old);
}

/** Add a cell's count. If the sum does not fit into 64 bits, store the largest number. */
static void time_buckets_add_cell(struct time_buckets *buckets, struct time_bucket_cell more) {
	if (buckets->cells == NULL || buckets->cells_n > buckets->mask / 2) {
		time_buckets_rebuild(buckets, 2 * (buckets->mask + 1), 0, NULL);
	}
	struct time_bucket_cell *cell = time_buckets_find_cell(buckets, &more);
	if (cell->count == 0) {
		buckets->cells_n++;
		*cell = more;
	} else if (!num_add(cell->count, more.count, &cell->count)) {
		cell->count = UINT64_MAX;
	}
}

/** Double the width of buckets until the cells take little memory. */
static void time_buckets_bound_cells(struct time_buckets *buckets) {
	while (buckets->cells_n >= buckets->most) {
		if (buckets->last >> buckets->shift == buckets->first >> buckets->shift) {
			buckets->most *= 2; // with one bucket, only stacks and threads determine
					    // the number of cells
		} else {
			time_buckets_rebuild(buckets, buckets->mask + 1, 1, NULL);
		}
	}
}

/** Extend the range of times to this time. If the range then needs more than TIME_BUCKETS_MOST
 * buckets, make the buckets wider. */
static void time_buckets_make_room(struct time_buckets *buckets, uint64_t time) {
	unsigned by = 0, shift = buckets->shift;
	buckets->first = !buckets->any || time < buckets->first ? time : buckets->first;
	buckets->last = !buckets->any || time > buckets->last ? time : buckets->last;
	buckets->any = true;
	while ((buckets->last >> (shift + by)) - (buckets->first >> (shift + by)) >=
	       TIME_BUCKETS_MOST) {
		by++;
	}
	if (by > 0) {
		time_buckets_rebuild(buckets, buckets->mask + 1, by, NULL);
	}
}

void time_buckets_count(struct time_buckets *buckets, uint32_t stack, uint32_t thread,
			uint64_t from, uint64_t to, uint64_t count) {
	uint64_t last = to > from ? to - 1 : from, done = 0;
	if (count == 0) {
		return;
	}
	time_buckets_make_room(buckets, from);
	time_buckets_make_room(buckets, last);
	if (buckets->moments != NULL) {
		moments_add(buckets->moments,
			    &(struct moment){from, to > from ? to : from, count, stack, thread});
	}
	if (!buckets->is_kept) {
		return;
	}
	uint64_t end = last >> buckets->shift;
	for (uint64_t at = from >> buckets->shift; at <= end; at++) {
		uint64_t until = at == end ? to : (at + 1) << buckets->shift;
		uint64_t all = at == end ? count : num_share(until - from, to - from, count);
		if (all > done) {
			time_buckets_add_cell(
				buckets, (struct time_bucket_cell){at, all - done, stack, thread});
		}
		done = all;
	}
	time_buckets_bound_cells(buckets);
}

void time_buckets_weigh(struct time_buckets *buckets, uint32_t stack, struct str thread,
			uint64_t from, uint64_t to, uint64_t weight) {
	buckets->weights = true;
	time_buckets_count(buckets, stack, time_buckets_thread(buckets, thread), from, to, weight);
}

void time_buckets_add(struct time_buckets *buckets, uint32_t stack, uint64_t count) {
	if (!buckets->known) {
		buckets->untimed++;
	} else {
		time_buckets_count(buckets, stack, buckets->thread, buckets->from, buckets->to,
				   count);
	}
}

/* --- Changes -------------------------------------------------------------------------------- */

void time_buckets_renumber(struct time_buckets *buckets, const uint32_t *new_stacks) {
	if (buckets->cells != NULL) {
		time_buckets_rebuild(buckets, buckets->mask + 1, 0, new_stacks);
	}
}

/** Add all times of `from`, after subtracting `sooner` nanoseconds from each time. `sooner` is a
 * multiple of the width of the buckets of `from`. */
static void time_buckets_add_all(struct time_buckets *buckets, const struct time_buckets *from,
				 const uint32_t *new_stacks, uint64_t sooner) {
	uint32_t *threads = mem_new(from->threads.count, sizeof(*threads));
	for (uint32_t i = 0; i < from->threads.count; i++) {
		threads[i] = time_buckets_thread(buckets, intern_str(from->threads.keys[i]));
	}
	buckets->untimed += from->untimed;
	buckets->weights |= from->weights;
	buckets->too_many |= from->too_many;
	if (from->any) {
		time_buckets_make_room(buckets, from->first - sooner);
		time_buckets_make_room(buckets, from->last - sooner);
	}
	if (from->shift > buckets->shift) {
		time_buckets_rebuild(buckets, buckets->mask + 1, from->shift - buckets->shift,
				     NULL);
	}
	for (size_t i = 0; from->cells != NULL && i <= from->mask; i++) {
		struct time_bucket_cell cell = from->cells[i];
		if (cell.count > 0) {
			cell.bucket -= sooner >> from->shift;
			cell.bucket >>= buckets->shift - from->shift;
			cell.stack = new_stacks[cell.stack];
			cell.thread = threads[cell.thread];
			time_buckets_add_cell(buckets, cell);
		}
	}
	time_buckets_bound_cells(buckets);
	if (buckets->moments != NULL && from->moments != NULL) {
		moments_merge(buckets->moments, from->moments, new_stacks, threads);
	}
	free(threads);
}

void time_buckets_merge(struct time_buckets *buckets, const struct time_buckets *from,
			const uint32_t *new_stacks) {
	time_buckets_add_all(buckets, from, new_stacks, 0);
}

/** Return the start of the first bucket, in nanoseconds. */
static uint64_t time_buckets_start(const struct time_buckets *buckets) {
	return buckets->first >> buckets->shift << buckets->shift;
}

struct time_buckets *time_buckets_compare(const struct time_buckets *before, uint32_t n,
					  const struct time_buckets *after, uint32_t more) {
	struct time_buckets *both = time_buckets_new();
	uint32_t *ids = mem_new((size_t)n + more, sizeof(*ids));
	for (uint32_t i = 0; i < n + more; i++) {
		ids[i] = i;
	}
	both->compared = true;
	both->later = n;
	time_buckets_add_all(both, before, ids, time_buckets_start(before));
	time_buckets_add_all(both, after, ids + n, time_buckets_start(after));
	free(ids);
	return both;
}

void time_buckets_free(struct time_buckets *buckets) {
	if (buckets != NULL) {
		intern_release(&buckets->threads);
		free(buckets->cells);
		if (buckets->moments != NULL) {
			moments_release(buckets->moments);
			free(buckets->moments);
		}
		free(buckets);
	}
}
