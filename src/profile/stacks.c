/* A counted set of stacks: adding, merging, sorting, writing. */
#include "profile/stacks.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/num.h"

void ids_release(struct ids *ids) {
	free(ids->items);
	*ids = (struct ids){0};
}

void stacks_init(struct stacks *stacks, unsigned mode) {
	*stacks = (struct stacks){.mode = mode};
}

uint32_t stacks_frame(struct stacks *stacks, struct str name) {
	stacks->joined |= str_find(name, ';') != STR_NONE;
	if (str_find(name, '\n') == STR_NONE) {
		return intern_get(&stacks->names, name.p, name.n)->id;
	}
	char *clean = arena_copy(&stacks->ids, name.p, name.n);
	for (size_t i = 0; i < name.n; i++) {
		clean[i] = clean[i] == '\n' ? ' ' : clean[i];
	}
	return intern_get(&stacks->names, clean, name.n)->id;
}

/** Adds a row with a copy of some ids. */
static void add_row(struct stacks *stacks, const uint32_t *ids, struct stack_row row) {
	row.ids = arena_take(&stacks->ids, row.depth * sizeof(*ids));
	if (row.depth > 0) {
		memcpy(row.ids, ids, row.depth * sizeof(*ids));
	}
	stacks->rows = mem_grow(stacks->rows, &stacks->rows_capacity, stacks->rows_n + 1,
				sizeof(*stacks->rows));
	stacks->rows[stacks->rows_n++] = row;
}

void stacks_add_line(struct stacks *stacks, struct stack_row row, size_t shared) {
	if ((stacks->mode & STACKS_KEEP_ORDER) != 0) {
		add_row(stacks, row.ids, row);
	} else if (!calls_add(&stacks->calls, &row, shared)) {
		stacks->overflow = true;
	}
}

void stacks_settle(struct stacks *stacks) {
	const uint32_t *ids = stacks->pending_ids.items; // NULL if no stack has a frame
	for (size_t i = 0; i < stacks->pending_n; i++) { // far apart in memory, fetched together
		intern_guess(&stacks->table, stacks->pending[i].hash);
	}
	for (size_t i = 0; i < stacks->pending_n; i++) {
		struct stacks_pending stack = stacks->pending[i];
		struct intern_key *key = intern_get_hashed(&stacks->table, ids,
							   stack.depth * sizeof(*ids), stack.hash);
		stacks->overflow |= !num_add(key->value, stack.count, &key->value);
		ids = stack.depth == 0 ? ids : ids + stack.depth;
	}
	stacks->pending_n = stacks->pending_ids.n = 0;
}

void stacks_add(struct stacks *stacks, const uint32_t *ids, size_t depth, uint64_t count) {
	if ((stacks->mode & STACKS_KEEP_ORDER) != 0) {
		add_row(stacks, ids, (struct stack_row){.depth = (uint32_t)depth, .count = count});
		return;
	}
	if (depth > UINT32_MAX / sizeof(*ids)) { // more than a key can hold
		stacks->overflow = true;
		return;
	}
	stacks->squares += (double)count * (double)count;
	if (stacks->table.count == 0) { // no seed to hash with yet
		intern_get(&stacks->table, ids, depth * sizeof(*ids))->value = count;
		return;
	}
	if (stacks->pending_n == STACKS_PENDING) {
		stacks_settle(stacks);
	}
	uint64_t hash = hash_bytes(ids, depth * sizeof(*ids), stacks->table.seed);
	intern_prefetch_slot(&stacks->table, hash);
	stacks->pending[stacks->pending_n++] = (struct stacks_pending){hash, count, depth};
	struct ids *copy = &stacks->pending_ids;
	copy->items = mem_grow(copy->items, &copy->capacity, copy->n + depth, sizeof(*ids));
	if (depth > 0) {
		memcpy(copy->items + copy->n, ids, depth * sizeof(*ids));
	}
	copy->n += depth;
}

/** Makes `stack` the given one with every id replaced. */
static void translate(struct ids *stack, const uint32_t *ids, size_t depth,
		      const uint32_t *new_ids) {
	stack->n = 0;
	for (size_t d = 0; d < depth; d++) {
		ids_push(stack, new_ids[ids[d]]);
	}
}

/** The ids that the names of `from` have in `stacks`; the caller releases them with free(). */
static uint32_t *merge_names(struct stacks *stacks, const struct stacks *from) {
	uint32_t *ids = mem_new(from->names.count, sizeof(*ids));
	for (uint32_t i = 0; i < from->names.count; i++) {
		struct str name = intern_str(from->names.keys[i]);
		ids[i] = intern_get(&stacks->names, name.p, name.n)->id;
	}
	return ids;
}

void stacks_merge(struct stacks *stacks, struct stacks *from) {
	stacks_settle(from);
	uint32_t *ids = merge_names(stacks, from);
	double squares = stacks->squares + from->squares; // not of sums
	struct ids stack = {0};
	for (uint32_t i = 0; i < from->table.count; i++) {
		const struct intern_key *key = from->table.keys[i];
		translate(&stack, (const void *)key->bytes, key->len / sizeof(uint32_t), ids);
		stacks_add(stacks, stack.items, stack.n, key->value);
	}
	stacks_settle(stacks);
	stacks->overflow |= !calls_append(&stacks->calls, &from->calls, ids) || from->overflow;
	stacks->squares = squares;
	stacks->joined |= from->joined;
	ids_release(&stack);
	free(ids);
}

/** Makes `stack` the given one with a frame for each part of a name between semicolons. */
static void split_stack(struct ids *stack, struct stacks *stacks, const uint32_t *ids,
			size_t depth) {
	stack->n = 0;
	for (size_t d = 0; d < depth; d++) {
		struct str rest = intern_str(stacks->names.keys[ids[d]]);
		for (bool more = true; more;) {
			more = str_find(rest, ';') != STR_NONE;
			struct str name = str_cut(&rest, ';');
			ids_push(stack, intern_get(&stacks->names, name.p, name.n)->id);
		}
	}
}

/** Gives every part of a joined name a frame of its own; merged stacks that become equal are added.
 */
static void split_names(struct stacks *stacks) {
	struct ids stack = {0};
	struct intern table = stacks->table;
	double squares = stacks->squares;
	stacks->table = (struct intern){0};
	for (uint32_t i = 0; i < table.count; i++) {
		const struct intern_key *key = table.keys[i];
		split_stack(&stack, stacks, (const void *)key->bytes, key->len / sizeof(uint32_t));
		stacks_add(stacks, stack.items, stack.n, key->value);
	}
	stacks_settle(stacks);
	stacks->squares = squares;
	intern_release(&table);
	size_t n = stacks->rows_n;
	stacks->rows_n = 0;
	for (size_t i = 0; i < n; i++) {
		struct stack_row row = stacks->rows[i];
		split_stack(&stack, stacks, row.ids, row.depth);
		row.depth = (uint32_t)stack.n;
		add_row(stacks, stack.items, row); // in its own place
	}
	stacks->joined = false;
	ids_release(&stack);
}

/** Looks up what waits for it, and makes names and frames the same thing. */
static void finish_adding(struct stacks *stacks) {
	stacks_settle(stacks);
	if (stacks->joined) {
		split_names(stacks);
	}
}

void stacks_make_rows(struct stacks *stacks) {
	finish_adding(stacks);
	// The rows use the memory of the table, which is only good for being released afterwards.
	size_t n = stacks->rows_n + stacks->table.count;
	stacks->rows = mem_grow(stacks->rows, &stacks->rows_capacity, n, sizeof(*stacks->rows));
	for (uint32_t i = 0; i < stacks->table.count; i++) {
		struct intern_key *key = stacks->table.keys[i];
		stacks->rows[stacks->rows_n++] = (struct stack_row){
			.ids = (void *)key->bytes,
			.depth = (uint32_t)(key->len / sizeof(uint32_t)),
			.count = key->value,
		};
	}
	stacks->table.count = 0;
}

/** Makes rows of the calls. */
static void take_calls_apart(struct stacks *stacks) {
	struct calls *calls = &stacks->calls;
	for (size_t i = 0; i < calls->n; i++) {
		if (calls->items[i].is_stack) {
			uint32_t *ids =
				arena_take(&stacks->ids, calls->items[i].depth * sizeof(*ids));
			stacks->rows = mem_grow(stacks->rows, &stacks->rows_capacity,
						stacks->rows_n + 1, sizeof(*stacks->rows));
			stacks->rows[stacks->rows_n++] = calls_stack(calls, i, ids);
		}
	}
	calls_release(calls);
}

/** Adds the rows to the calls, sorted, so that each shares what it can with the one before it. */
static void add_rows_to_calls(struct stacks *stacks) {
	size_t n = stacks->rows_n;
	struct sort_item *items = mem_new(n, sizeof(*items));
	for (size_t i = 0; i < n; i++) {
		items[i].bytes = (const char *)stacks->rows[i].ids;
		items[i].len = stacks->rows[i].depth * (uint32_t)sizeof(uint32_t);
		items[i].id = (uint32_t)i;
	}
	sort_bytes(items, n);
	if (n > 0 && stacks->calls.n > 0) {
		calls_look_up(&stacks->calls);
	}
	for (size_t i = 0; i < n; i++) {
		size_t shared = sort_common(items, i) / sizeof(uint32_t);
		sort_prefetch(items, n, i);
		stacks->overflow |= !calls_add(&stacks->calls, &stacks->rows[items[i].id], shared);
	}
	free(items);
}

void stacks_make_calls(struct stacks *stacks, stacks_change *change, void *context) {
	if (change != NULL) {
		take_calls_apart(stacks);
	}
	stacks_make_rows(stacks);
	size_t kept = 0;
	for (size_t i = 0; i < stacks->rows_n; i++) {
		struct stack_row row = stacks->rows[i];
		if (change == NULL || change(context, &row)) {
			stacks->rows[kept++] = row;
		}
	}
	stacks->rows_n = kept;
	add_rows_to_calls(stacks);
	free(stacks->rows);
	stacks->rows = NULL;
	stacks->rows_n = stacks->rows_capacity = 0;
}

void stacks_compare(struct stacks *before, const struct stacks *after) {
	uint32_t *ids = merge_names(before, after);
	calls_compare(&before->calls, &after->calls, ids);
	before->overflow |= after->overflow;
	free(ids);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
	while (b != 0) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static int compare_counts(const void *a, const void *b) {
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/**
 * Guesses what a sample counts. Where samples count alike, all counts are multiples of it, which is
 * no accident of so many stacks; where they do not, and the counts are too large for those of
 * samples, there are stacks that were met only once, among those that count least.
 */
static double guess_sample(const struct stacks *stacks, bool too_large) {
	enum { MANY = 20 };
	const struct calls *calls = &stacks->calls;
	uint64_t *counts = mem_new(calls->n, sizeof(*counts)), divisor = 0;
	size_t n = 0;
	for (size_t i = 0; i < calls->n; i++) {
		if (calls->items[i].count > 0) {
			counts[n++] = calls->items[i].count;
			divisor = common_divisor(divisor, calls->items[i].count);
		}
	}
	double guess = divisor > 1 && (n >= MANY || too_large) ? (double)divisor : 1;
	if (guess == 1 && too_large && n > 0) {
		qsort(counts, n, sizeof(*counts), compare_counts);
		guess = (double)counts[n / 4];
	}
	free(counts);
	return guess;
}

double stacks_sample(const struct stacks *stacks, uint64_t total) {
	const uint64_t too_many = 10000000; // for samples: so many would take a day
	if (stacks->by_sample && total > 0) {
		return fmax(1, stacks->squares / (double)total);
	}
	return guess_sample(stacks, total > too_many);
}

bool stacks_sum(const struct stacks *stacks, uint64_t *sum) {
	bool fits = !stacks->overflow && !stacks->calls.too_large;
	*sum = stacks->calls.sum;
	for (size_t i = 0; i < stacks->rows_n && fits; i++) {
		fits = num_add(*sum, stacks->rows[i].count, sum);
	}
	return fits;
}

/*
 * Sorting compares no stack as text. Names are ranked once; then a stack is a row of ranks, and
 * rows are sorted by their bytes, the highest of a rank first.
 *
 * For the order of the joined text a name has two ranks: one as `name;`, inside a stack, and one as
 * `name` at its end, because `b`, `b c` and `b;d` interleave (a blank sorts below `;`). Names hold
 * no `;`, so a row with such ranks is never the start of another, and comparing rows is comparing
 * text.
 */

/** What each name id becomes, as the last frame and elsewhere, and the names by these ranks. */
struct ranks {
	uint32_t *last, *inner;
	struct str *names;
};

/** Whether `b`, which sorts behind `a`, sorts before `a;`. */
static bool comes_between(struct str a, struct str b) {
	return str_starts(b, a) && (unsigned char)b.p[a.n] < ';';
}

static struct str sorted_str(const struct sort_item *item) {
	return (struct str){item->bytes, item->len};
}

/** Gives every name its two ranks. */
static struct ranks rank_twice(const struct stacks *stacks) {
	uint32_t n = stacks->names.count, rank = 0;
	struct sort_item *sorted = intern_sort(&stacks->names);
	struct ranks ranks = {mem_new(n, sizeof(uint32_t)), mem_new(n, sizeof(uint32_t)),
			      mem_new(mem_times(n, 2), sizeof(*ranks.names))};
	struct ids open = {
		0}; // names whose second rank is still to come, each the start of the next
	for (uint32_t i = 0; i <= n; i++) {
		for (; open.n > 0; open.n--) {
			const struct sort_item *last = &sorted[open.items[open.n - 1]];
			if (i < n && comes_between(sorted_str(last), sorted_str(&sorted[i]))) {
				break;
			}
			ranks.inner[last->id] = rank;
			ranks.names[rank++] = sorted_str(last);
		}
		if (i < n) {
			ranks.last[sorted[i].id] = rank;
			ranks.names[rank++] = sorted_str(&sorted[i]);
			ids_push(&open, i);
		}
	}
	ids_release(&open);
	free(sorted);
	return ranks;
}

static void ranks_release(struct ranks *ranks) {
	free(ranks->last);
	free(ranks->inner);
	free(ranks->names);
}

/** A rank whose bytes in memory compare as it does, and back again. */
static uint32_t big_endian(uint32_t rank) {
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(rank) : rank;
}

/** The stacks in the order of their text, ranks in place of ids; free() releases them. */
static struct sort_item *sort_by_text(struct stacks *stacks, const struct ranks *ranks) {
	for (uint32_t i = 0; i < stacks->table.count; i++) {
		uint32_t *ids = (void *)stacks->table.keys[i]->bytes;
		size_t depth = stacks->table.keys[i]->len / sizeof(*ids);
		for (size_t d = 0; d < depth; d++) {
			const uint32_t *rank = d + 1 < depth ? ranks->inner : ranks->last;
			ids[d] = big_endian(rank[ids[d]]);
		}
	}
	return intern_sort(&stacks->table);
}

void stacks_sort_names(struct stacks *stacks) {
	uint32_t n = stacks->names.count;
	struct sort_item *sorted = intern_sort(&stacks->names);
	uint32_t *ranks = mem_new(n, sizeof(*ranks));
	stacks->sorted_names = mem_new(n, sizeof(*ranks));
	for (uint32_t i = 0; i < n; i++) {
		ranks[sorted[i].id] = i;
		stacks->sorted_names[i] = sorted[i].id;
	}
	calls_rename(&stacks->calls, ranks);
	free(ranks);
	free(sorted);
}

struct str stacks_name(const struct stacks *stacks, uint32_t id) {
	return intern_str(
		stacks->names.keys[stacks->sorted_names == NULL ? id : stacks->sorted_names[id]]);
}

/** The text of the stack that was written last. */
struct line {
	struct buf text; // a `;` behind every name
	size_t *ends;    // where each name is over, and its `;`
	size_t capacity;
};

/** Makes `line` the text of a stack, of which it has the first `shared` frames already. */
static void write_names(struct line *line, struct str stack, size_t shared,
			const struct ranks *ranks) {
	const uint32_t *ids = (const void *)stack.p;
	size_t depth = stack.n / sizeof(*ids);
	line->ends = mem_grow(line->ends, &line->capacity, depth, sizeof(*line->ends));
	line->text.n = shared == 0 ? 0 : line->ends[shared - 1];
	for (size_t d = shared; d < depth; d++) {
		buf_add_str(&line->text, ranks->names[big_endian(ids[d])]);
		buf_add_char(&line->text, ';');
		line->ends[d] = line->text.n;
	}
}

void stacks_write(struct stacks *stacks, struct output *out) {
	finish_adding(stacks);
	struct ranks ranks = rank_twice(stacks);
	struct sort_item *sorted = sort_by_text(stacks, &ranks);
	struct line line = {0};
	for (uint32_t i = 0; i < stacks->table.count; i++) {
		sort_prefetch(sorted, stacks->table.count, i);
		struct str stack = sorted_str(&sorted[i]);
		write_names(&line, stack, sort_common(sorted, i) / sizeof(uint32_t), &ranks);
		output_add(out, line.text.p, line.text.n - (line.text.n > 0));
		output_add_char(out, ' ');
		output_add_u64(out, intern_key_of(stack.p)->value);
		output_add_char(out, '\n');
	}
	stacks->table.count = 0; // holds no ids any more
	buf_release(&line.text);
	free(line.ends);
	free(sorted);
	ranks_release(&ranks);
}

void stacks_release(struct stacks *stacks) {
	intern_release(&stacks->names);
	intern_release(&stacks->table);
	calls_release(&stacks->calls);
	arena_release(&stacks->ids);
	free(stacks->rows);
	free(stacks->sorted_names);
	ids_release(&stacks->pending_ids);
	*stacks = (struct stacks){0};
}
