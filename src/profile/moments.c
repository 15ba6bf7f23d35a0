/* Stacks by time and thread. */
#include "profile/moments.h"

#include <stdlib.h>

#include "base/num.h"

enum {
	FIRST_SHIFT = 10, // about a microsecond
	FIRST_CELLS = 1024,
	MOST_CELLS = 1 << 20, // 24 MiB, in a table that is at most half full
	MOST_IDS = 1 << 24,   // 64 MiB
};

#define NO_STACK UINT32_MAX

struct moments *moments_new(void) {
	struct moments *moments = mem_new(1, sizeof(*moments));
	moments->shift = FIRST_SHIFT;
	moments->most = MOST_CELLS;
	intern_get(&moments->threads, "", 0);
	return moments;
}

uint32_t moments_thread(struct moments *moments, struct str label) {
	const struct intern_key *key = intern_find(&moments->threads, label.p, label.n);
	if (key == NULL && moments->threads.count >= MOMENTS_THREADS) {
		return 0;
	}
	return key != NULL ? key->id : intern_get(&moments->threads, label.p, label.n)->id;
}

void moments_set(struct moments *moments, struct str thread, uint64_t from, uint64_t to) {
	moments->known = true;
	moments->thread = moments_thread(moments, thread);
	moments->from = from;
	moments->to = to;
}

uint32_t moments_stack(struct moments *moments, const uint32_t *ids, size_t depth) {
	uint32_t n = moments->stacks.count;
	if (depth > MOST_IDS - moments->ids) {
		const struct intern_key *key =
			intern_find(&moments->stacks, ids, depth * sizeof(*ids));
		moments->too_many |= key == NULL;
		return key == NULL ? NO_STACK : key->id;
	}
	uint32_t stack = intern_get(&moments->stacks, ids, depth * sizeof(*ids))->id;
	moments->ids += stack == n ? depth : 0;
	return stack;
}

/* --- Cells ---------------------------------------------------------------------------------- */

/** Return the cell of a stack, a thread and a bucket, or the free cell for it. */
static struct moment_cell *find_cell(const struct moments *moments,
				     const struct moment_cell *like) {
	uint64_t key[] = {like->bucket, (uint64_t)like->stack << 32 | like->thread};
	size_t i = (size_t)hash_bytes(key, sizeof(key), moments->threads.seed) & moments->mask;
	struct moment_cell *cell = &moments->cells[i];
	while (cell->count != 0 && (cell->bucket != like->bucket || cell->stack != like->stack ||
				    cell->thread != like->thread)) {
		i = (i + 1) & moments->mask;
		cell = &moments->cells[i];
	}
	return cell;
}

static void add_cell(struct moments *moments, struct moment_cell more);

/** Make a new table of `size` cells, and give each old cell its place. A bucket becomes 2^`by`
 * times as wide. `new_stacks` gives the new number of each stack; NULL: they keep theirs. */
static void remake(struct moments *moments, size_t size, unsigned by, const uint32_t *new_stacks) {
	struct moment_cell *old = moments->cells;
	size_t n = old == NULL ? 0 : moments->mask + 1;
	size = size < FIRST_CELLS ? FIRST_CELLS : size;
	moments->cells = mem_new(size, sizeof(*moments->cells));
	moments->mask = size - 1;
	moments->cells_n = 0;
	moments->shift += by;
	for (size_t i = 0; i < n; i++) {
		struct moment_cell cell = old[i];
		if (cell.count == 0) {
			continue;
		}
		cell.bucket >>= by;
		cell.stack = new_stacks == NULL ? cell.stack : new_stacks[cell.stack];
		if (cell.stack != NO_STACK) {
			add_cell(moments, cell);
		}
	}
	free(old);
}

/** Add a cell's count. All counts together fit into 64 bits, or the profile has an overflow. */
static void add_cell(struct moments *moments, struct moment_cell more) {
	if (moments->cells == NULL || moments->cells_n > moments->mask / 2) {
		remake(moments, 2 * (moments->mask + 1), 0, NULL);
	}
	struct moment_cell *cell = find_cell(moments, &more);
	if (cell->count == 0) {
		moments->cells_n++;
		*cell = more;
	} else if (!num_add(cell->count, more.count, &cell->count)) {
		cell->count = UINT64_MAX;
	}
}

/** Double the width of buckets until the cells take little memory. */
static void bound_cells(struct moments *moments) {
	while (moments->cells_n >= moments->most) {
		if (moments->last >> moments->shift == moments->first >> moments->shift) {
			moments->most *= 2; // one bucket: only distinct stacks take memory
		} else {
			remake(moments, moments->mask + 1, 1, NULL);
		}
	}
}

/** Make buckets wide enough for a time to be in one of them. */
static void make_room(struct moments *moments, uint64_t time) {
	unsigned by = 0, shift = moments->shift;
	moments->first = !moments->any || time < moments->first ? time : moments->first;
	moments->last = !moments->any || time > moments->last ? time : moments->last;
	moments->any = true;
	while ((moments->last >> (shift + by)) - (moments->first >> (shift + by)) >=
	       MOMENTS_BUCKETS) {
		by++;
	}
	if (by > 0) {
		remake(moments, moments->mask + 1, by, NULL);
	}
}

void moments_count(struct moments *moments, uint32_t stack, uint32_t thread, uint64_t from,
		   uint64_t to, uint64_t count) {
	uint64_t last = to > from ? to - 1 : from, done = 0;
	if (stack == NO_STACK || count == 0) {
		return;
	}
	make_room(moments, from);
	make_room(moments, last);
	uint64_t end = last >> moments->shift;
	for (uint64_t at = from >> moments->shift; at <= end; at++) {
		uint64_t until = at == end ? to : (at + 1) << moments->shift;
		uint64_t all = at == end ? count : num_share(until - from, to - from, count);
		if (all > done) {
			add_cell(moments, (struct moment_cell){at, all - done, stack, thread});
		}
		done = all;
	}
	bound_cells(moments);
}

void moments_add(struct moments *moments, const uint32_t *ids, size_t depth, uint64_t count) {
	if (!moments->known) {
		moments->untimed++;
	} else {
		moments_count(moments, moments_stack(moments, ids, depth), moments->thread,
			      moments->from, moments->to, count);
	}
}

/* --- Changes -------------------------------------------------------------------------------- */

/** Add the changed stacks of `from` to `moments`. Return the number of each, NO_STACK if it is left
 * out. The caller releases the numbers with free(). */
static uint32_t *take_stacks(struct moments *moments, const struct intern *from,
			     moments_change *change, void *context) {
	uint32_t *numbers = mem_new(from->count, sizeof(*numbers));
	struct ids stack = {0};
	for (uint32_t i = 0; i < from->count; i++) {
		const struct intern_key *key = from->keys[i];
		stack.n = 0;
		ids_add(&stack, (const void *)key->bytes, key->len / sizeof(*stack.items));
		numbers[i] = change(context, &stack) ? moments_stack(moments, stack.items, stack.n)
						     : NO_STACK;
	}
	ids_release(&stack);
	return numbers;
}

void moments_remake(struct moments *moments, moments_change *change, void *context) {
	struct intern old = moments->stacks;
	moments->stacks = (struct intern){0};
	moments->ids = 0;
	uint32_t *numbers = take_stacks(moments, &old, change, context);
	if (moments->cells != NULL) {
		remake(moments, moments->mask + 1, 0, numbers);
	}
	intern_release(&old);
	free(numbers);
}

static bool rename_stack(void *context, struct ids *stack) {
	const uint32_t *new_ids = *(const uint32_t **)context;
	for (size_t d = 0; d < stack->n; d++) {
		stack->items[d] = new_ids[stack->items[d]];
	}
	return true;
}

void moments_rename(struct moments *moments, const uint32_t *new_ids) {
	moments_remake(moments, rename_stack, &new_ids);
}

void moments_merge(struct moments *moments, const struct moments *from, const uint32_t *new_ids) {
	uint32_t *stacks = take_stacks(moments, &from->stacks, rename_stack, &new_ids);
	uint32_t *threads = mem_new(from->threads.count, sizeof(*threads));
	for (uint32_t i = 0; i < from->threads.count; i++) {
		threads[i] = moments_thread(moments, intern_str(from->threads.keys[i]));
	}
	moments->untimed += from->untimed;
	moments->weights |= from->weights;
	moments->too_many |= from->too_many;
	if (from->any) {
		make_room(moments, from->first);
		make_room(moments, from->last);
	}
	if (from->shift > moments->shift) {
		remake(moments, moments->mask + 1, from->shift - moments->shift, NULL);
	}
	for (size_t i = 0; from->cells != NULL && i <= from->mask; i++) {
		struct moment_cell cell = from->cells[i];
		if (cell.count > 0 && stacks[cell.stack] != NO_STACK) {
			cell.bucket >>= moments->shift - from->shift;
			cell.stack = stacks[cell.stack];
			cell.thread = threads[cell.thread];
			add_cell(moments, cell);
		}
	}
	bound_cells(moments);
	free(stacks);
	free(threads);
}

void moments_free(struct moments *moments) {
	if (moments != NULL) {
		intern_release(&moments->stacks);
		intern_release(&moments->threads);
		free(moments->cells);
		free(moments);
	}
}
