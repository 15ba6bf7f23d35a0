/*
 * Merge many inputs.
 *
 * A sorted input becomes a run while it is read. Folded text is usually sorted. Unsorted stacks are
 * collected in batches, and each sorted batch becomes a run. Runs are merged by a tournament. Every
 * comparison begins at the first byte in which the two stacks may differ, so bytes that are known
 * to be equal are not compared again.
 */
#include "merge/merger.h"

#include <stdlib.h>

#include "base/num.h"
#include "base/scratch.h"
#include "base/sort.h"
#include "merge/run.h"

/** A stack in a batch. */
struct batch_line {
	size_t at; // offset of the stack's text in `text`
	uint32_t n;
	uint64_t count;
};

/** A batch: stacks that are collected and then sorted. */
struct merger_batch {
	struct buf text;
	struct batch_line *lines;
	size_t n, capacity;
	struct sort_item *items; // scratch memory for sorting
	size_t items_capacity;
	size_t size; // number of bytes of memory that the batch needs, including scratch memory
};

struct merger {
	struct diag *diag;
	size_t limit, batch_limit; // bytes
	struct sorted_run *runs; // runs of earlier inputs, then those of the current input; in each
				 // group, runs in files come before runs in memory
	size_t n, capacity, first; // `first`: index of the first run of the current input
	size_t held;               // number of bytes of finished runs in memory
	struct run_writer writer;  // the current run, in memory
	struct buf label, text;    // label of the input; the last stack with the label before it
	bool unsorted;             // a stack of the current input was out of order
	struct merger_batch batch;
	unsigned side;       // label of the current input
	uint64_t sum, total; // sum of the counts of the current input, and of all ended inputs
	bool large;          // one of these sums does not fit
	bool scaled;         // the counts of an input were scaled
};

/** The state of scaling: counts with the sum `whole` get the sum `of`. Rounding errors do not add
 * up. */
struct merger_scale {
	uint64_t whole, of; // `of` 0: do not scale
	uint64_t seen, given;
};

static uint64_t merger_scaled(struct merger_scale *scale, uint64_t count) {
	if (scale->of == 0 || scale->whole == 0) {
		return count;
	}
	scale->seen += count;
	uint64_t before = scale->given;
	scale->given = num_share(scale->seen, scale->whole, scale->of);
	return scale->given - before;
}

struct merger *merger_new(uint64_t memory, struct diag *diag) {
	struct merger *merger = mem_new(1, sizeof(*merger));
	// memory for code and the block of an input; size of a cache
	enum { CODE = 8 << 20, CACHE = 16 << 20 };
	// Use half of the remaining memory for runs, and an eighth for a batch.
	merger->limit = (size_t)(memory - CODE) / 2;
	merger->batch_limit = (size_t)(memory - CODE) / 8;
	merger->batch_limit = merger->batch_limit < CACHE ? merger->batch_limit : CACHE;
	merger->diag = diag;
	merger->writer = run_writer_new(false);
	return merger;
}

/* --- The tournament ------------------------------------------------------------------------- */

struct tournament {
	struct run_reader *readers;
	// The loser of the match at each inner node of the tree; the root has the index 1.
	struct run_reader **losers;
	size_t n;
};

/**
 * Return the reader whose stack sorts first. Before the call, `common` of both readers is the
 * number of bytes that their stacks share with the same third stack. After the call, `common` of
 * the loser is the number of bytes that its stack shares with the winner's stack.
 */
static struct run_reader *merger_play(struct run_reader *a, struct run_reader *b,
				      struct run_reader **loser) {
	bool first = a->more;
	if (a->more && b->more) {
		// The stack that shares more bytes with the last written stack sorts first.
		first = a->common > b->common;
		if (a->common == b->common) {
			struct str x = str_from(buf_str(&a->stack), a->common);
			struct str y = str_from(buf_str(&b->stack), b->common);
			size_t n = str_common_prefix(x, y);
			first = n == x.n ||
				(n < y.n && (unsigned char)x.p[n] < (unsigned char)y.p[n]);
			(first ? b : a)->common += n;
		}
	}
	*loser = first ? b : a;
	return first ? a : b;
}

/** Play all matches below a node. Return the winner. */
static struct run_reader *merger_play_all(struct tournament *tournament, size_t node) {
	if (node >= tournament->n) {
		return &tournament->readers[node - tournament->n];
	}
	struct run_reader *a = merger_play_all(tournament, 2 * node);
	return merger_play(a, merger_play_all(tournament, 2 * node + 1), &tournament->losers[node]);
}

/** Move the winner to its next stack, and repeat its matches. Return the new winner. */
static struct run_reader *merger_play_next(struct tournament *tournament,
					   struct run_reader *winner) {
	size_t node = tournament->n + (size_t)(winner - tournament->readers);
	run_next(winner);
	while ((node /= 2) > 0) {
		winner = merger_play(winner, tournament->losers[node], &tournament->losers[node]);
	}
	return winner;
}

static struct tournament merger_tournament_start(const struct sorted_run *runs, size_t n) {
	struct tournament tournament = {.readers = mem_new(n, sizeof(*tournament.readers)),
					.losers = mem_new(n, sizeof(struct run_reader *)),
					.n = n};
	for (size_t i = 0; i < n; i++) {
		run_reader_init(&tournament.readers[i], &runs[i]);
	}
	return tournament;
}

/** Release a tournament. Return the error of a read that failed, or 0. */
static int merger_tournament_end(struct tournament *tournament) {
	int error = 0;
	for (size_t i = 0; i < tournament->n; i++) {
		error = error != 0 ? error : tournament->readers[i].error;
		run_reader_release(&tournament->readers[i]);
	}
	free(tournament->readers);
	free(tournament->losers);
	return error;
}

/** Pass the stacks of all runs to `take`, in order, without duplicates. */
static int merger_merge_runs(const struct merger *merger, const struct sorted_run *runs, size_t n,
			     merger_take *take, void *context) {
	if (n == 0) {
		return 0;
	}
	struct tournament tournament = merger_tournament_start(runs, n);
	struct buf last = {0};
	size_t common = 0;
	uint64_t counts[MERGER_SIDES] = {0};
	bool any = false, fits = true;
	struct run_reader *winner = merger_play_all(&tournament, 1);
	for (; winner->more && fits; winner = merger_play_next(&tournament, winner)) {
		struct str stack = buf_str(&winner->stack);
		if (any && winner->common == stack.n && stack.n == last.n) {
			uint64_t *sum = &counts[winner->side];
			fits = num_add(*sum, winner->count, sum);
			continue;
		}
		if (any) {
			take(context, buf_str(&last), common, counts);
		}
		any = true;
		common = last.n = winner->common;
		memcpy(buf_room(&last, stack.n - common), stack.p + common, stack.n - common);
		last.n = stack.n;
		counts[1 - winner->side] = 0;
		counts[winner->side] = winner->count;
	}
	if (any && fits) {
		take(context, buf_str(&last), common, counts);
	}
	buf_release(&last);
	int error = merger_tournament_end(&tournament);
	return !fits        ? diag_error_sum(merger->diag, NULL)
	       : error != 0 ? scratch_fail(merger->diag, "read", error)
			    : 0;
}

/* --- Runs ----------------------------------------------------------------------------------- */

static void merger_add_run(struct merger *merger, struct sorted_run run) {
	run.side = merger->side;
	*MEM_APPEND(merger->runs, merger->n, merger->capacity) = run;
	merger->held += run.bytes.capacity;
}

/** Remove the runs from `from` up to `to`. */
static void merger_remove_runs(struct merger *merger, size_t from, size_t to) {
	for (size_t i = from; i < to; i++) {
		merger->held -= merger->runs[i].bytes.capacity;
		run_release(&merger->runs[i]);
	}
	if (merger->n > to) {
		memmove(merger->runs + from, merger->runs + to,
			(merger->n - to) * sizeof(*merger->runs));
	}
	merger->n -= to - from;
}

/** End the current run, and start another. */
static void merger_end_run(struct merger *merger) {
	if (merger->writer.any) {
		merger_add_run(merger, run_end(&merger->writer));
		merger->writer = run_writer_new(false);
	}
}

struct joining {
	struct run_writer writer;
	struct merger_scale scale;
};

static void merger_take_into_run(void *context, struct str stack, size_t common,
				 const uint64_t *counts) {
	struct joining *joining = context;
	uint64_t count = counts[joining->writer.run.side];
	run_add(&joining->writer, stack, common, merger_scaled(&joining->scale, count));
}

/** Replace the runs from `from` to before `to`, which all belong to one side, by one run. Scale
 * their counts. */
static int merger_join(struct merger *merger, size_t from, size_t to, bool in_file,
		       struct merger_scale scale) {
	struct joining joining = {run_writer_new(in_file), scale};
	unsigned level = merger->runs[from].fd < 0 ? 0 : merger->runs[from].level + 1;
	joining.writer.run.side = merger->runs[from].side;
	int result = joining.writer.error != 0
			     ? 0
			     : merger_merge_runs(merger, merger->runs + from, to - from,
						 merger_take_into_run, &joining);
	struct sorted_run run = run_end(&joining.writer);
	if (result == 0 && joining.writer.error != 0) {
		result = scratch_fail(merger->diag, "write", joining.writer.error);
	}
	if (result != 0) {
		run_release(&run);
		return result;
	}
	run.level = level;
	merger_remove_runs(merger, from + 1, to);
	merger->held += run.bytes.capacity - merger->runs[from].bytes.capacity;
	run_release(&merger->runs[from]);
	merger->runs[from] = run;
	return 0;
}

/** Count the runs of the same level at the end of the range from `from` to before `to`. */
static size_t merger_count_level(const struct merger *merger, size_t from, size_t to) {
	size_t at = to;
	while (at > from && merger->runs[at - 1].level == merger->runs[to - 1].level) {
		at--;
	}
	return to - at;
}

/** Move the runs from `from` to before `*to` into files, and set `*to` to the new end of these
 * runs. Return 0, or -1 after diag_error(). */
static int merger_spill_group(struct merger *merger, size_t from, size_t *to) {
	enum { MOST_FILES = 32 }; // most files of one level
	size_t at = from, n = merger->n;
	while (at < *to && merger->runs[at].fd >= 0) {
		at++;
	}
	int result = at == *to ? 0 : merger_join(merger, at, *to, true, (struct merger_scale){0});
	*to -= n - merger->n;
	while (result == 0 && merger_count_level(merger, from, *to) >= MOST_FILES) {
		n = merger->n;
		result = merger_join(merger, *to - MOST_FILES, *to, true, (struct merger_scale){0});
		*to -= n - merger->n;
	}
	return result;
}

/** Move all runs into files. Move the runs of earlier inputs separately, because the current input
 * may be dropped. */
static int merger_spill(struct merger *merger) {
	merger_end_run(merger);
	int result = merger_spill_group(merger, 0, &merger->first);
	size_t end = merger->n;
	return result == 0 ? merger_spill_group(merger, merger->first, &end) : result;
}

static int merger_spill_if_full(struct merger *merger) {
	return merger->held + merger->writer.run.bytes.n > merger->limit ? merger_spill(merger) : 0;
}

/* --- An input ------------------------------------------------------------------------------- */

void merger_begin(struct merger *merger, struct str label, unsigned side) {
	merger->side = side;
	buf_set_str(&merger->label, label);
	merger->first = merger->n;
	merger->sum = 0;
	merger->unsorted = false;
}

void merger_expect(struct merger *merger, uint64_t size) {
	enum { SHARE = 3 }; // a compact run needs about a third of its text
	uint64_t room = size / SHARE < merger->limit ? size / SHARE : merger->limit;
	(void)buf_room(&merger->writer.run.bytes, (size_t)room);
}

/** Add a stack that sorts after the last stack of the current run. */
static inline void merger_append(struct merger *merger, struct str stack, size_t common,
				 uint64_t count) {
	struct buf *text = &merger->text;
	common = merger->writer.any ? common : 0;
	if (merger->label.n > 0) {
		text->n = merger->writer.any ? merger->label.n + common : 0;
		if (text->n == 0) {
			buf_add_str(text, buf_str(&merger->label));
		}
		buf_add_str(text, str_from(stack, common));
		common += merger->writer.any ? merger->label.n : 0;
		stack = buf_str(text);
	}
	run_add(&merger->writer, stack, common, count);
}

/** Return whether a stack sorts after another stack or equals it. The two stacks share `common`
 * bytes. */
static bool merger_ascends(struct str before, struct str stack, size_t common) {
	return common == before.n || (common < stack.n && (unsigned char)stack.p[common] >
								  (unsigned char)before.p[common]);
}

/** Add `count` to the last stack. */
static int merger_count_again(struct merger *merger, uint64_t count) {
	return num_add(merger->writer.count, count, &merger->writer.count)
		       ? 0
		       : diag_error_sum(merger->diag, NULL);
}

/** Sort the batch, and make a run of it. */
static int merger_end_batch(struct merger *merger) {
	struct merger_batch *batch = &merger->batch;
	struct sort_item *items = MEM_GROW(batch->items, batch->items_capacity, batch->n);
	int result = 0;
	for (size_t i = 0; i < batch->n; i++) {
		items[i] = (struct sort_item){.bytes = batch->text.p + batch->lines[i].at,
					      .len = batch->lines[i].n,
					      .id = (uint32_t)i};
	}
	sort_bytes(items, batch->n);
	merger_end_run(merger);
	for (size_t i = 0; i < batch->n && result == 0; i++) {
		struct str stack = {items[i].bytes, items[i].len};
		size_t common = sort_common(items, i);
		uint64_t count = batch->lines[items[i].id].count;
		sort_prefetch(items, batch->n, i);
		if (i > 0 && common == stack.n && common == items[i - 1].len) {
			result = merger_count_again(merger, count);
		} else {
			merger_append(merger, stack, common, count);
		}
	}
	merger_end_run(merger);
	buf_clear(&batch->text);
	batch->n = batch->size = 0;
	return result == 0 ? merger_spill_if_full(merger) : result;
}

static int merger_add_to_batch(struct merger *merger, struct str stack, uint64_t count) {
	enum { MANY = 64 << 10 };
	struct merger_batch *batch = &merger->batch;
	if (batch->text.capacity < MANY && batch->text.n + stack.n > MANY / 2) {
		// Make room for the whole text at once: growing step by step would copy the text
		// again and again.
		(void)buf_room(&batch->text, merger->batch_limit);
	}
	*MEM_APPEND(batch->lines, batch->n, batch->capacity) =
		(struct batch_line){batch->text.n, (uint32_t)stack.n, count};
	buf_add_str(&batch->text, stack);
	batch->size += stack.n + sizeof(*batch->lines) + sizeof(struct sort_item);
	return batch->size > merger->batch_limit ? merger_end_batch(merger) : 0;
}

int merger_add(struct merger *merger, struct str before, struct str stack, size_t common,
	       uint64_t count) {
	merger->large |= !num_add(merger->sum, count, &merger->sum);
	if (merger->unsorted || !merger_ascends(before, stack, common)) {
		merger->unsorted = true;
		return merger_add_to_batch(merger, stack, count);
	}
	if (merger->writer.any && common == stack.n && common == before.n) {
		return merger_count_again(merger, count);
	}
	merger_append(merger, stack, common, count);
	return merger_spill_if_full(merger);
}

static void merger_batch_release(struct merger_batch *batch) {
	buf_release(&batch->text);
	free(batch->lines);
	free(batch->items);
	*batch = (struct merger_batch){0};
}

int merger_end(struct merger *merger, uint64_t sum) {
	int result = merger->batch.n > 0 ? merger_end_batch(merger) : 0;
	merger_end_run(merger);
	bool scales = sum > 0 && merger->sum > 0 && result == 0;
	if (scales && merger->large) {
		result = diag_error_sum(merger->diag, NULL);
	} else if (scales) {
		bool in_file = merger->runs[merger->first].fd >= 0;
		merger->scaled = true;
		result = merger_join(merger, merger->first, merger->n, in_file,
				     (struct merger_scale){.whole = merger->sum, .of = sum});
		merger->sum = sum;
	}
	merger->large |= !num_add(merger->total, merger->sum, &merger->total);
	return result;
}

uint64_t merger_total(const struct merger *merger) {
	return merger->large ? UINT64_MAX : merger->total;
}

void merger_drop(struct merger *merger) {
	buf_clear(&merger->batch.text);
	merger->batch.n = merger->batch.size = 0;
	merger_end_run(merger);
	merger_remove_runs(merger, merger->first, merger->n);
}

/* --- The result ----------------------------------------------------------------------------- */

struct writing {
	struct output *out;
	struct merger_scale scale;
	bool omits_zeros; // stacks with a scaled count of 0 are left out
};

static void merger_take_as_text(void *context, struct str stack, size_t common,
				const uint64_t *counts) {
	(void)common;
	struct writing *writing = context;
	uint64_t count = merger_scaled(&writing->scale, counts[0]);
	if (count > 0 || !writing->omits_zeros) {
		output_add_str(writing->out, stack);
		output_add_char(writing->out, ' ');
		output_add_u64(writing->out, count);
		output_add_char(writing->out, '\n');
	}
}

int merger_each(struct merger *merger, merger_take *take, void *context) {
	merger_batch_release(&merger->batch);
	return merger_merge_runs(merger, merger->runs, merger->n, take, context);
}

int merger_write(struct merger *merger, struct output *out, uint64_t parts) {
	struct writing writing = {.out = out, .omits_zeros = merger->scaled || parts > 1};
	if (parts > 1) {
		if (merger->large) {
			return diag_error_sum(merger->diag, NULL);
		}
		uint64_t whole = merger->total;
		writing.scale.whole = whole;
		writing.scale.of = whole / parts + (whole % parts >= parts - parts / 2);
	}
	return merger_each(merger, merger_take_as_text, &writing);
}

void merger_free(struct merger *merger) {
	merger_drop(merger);
	merger_batch_release(&merger->batch);
	run_release(&merger->writer.run); // release the memory that merger_expect() reserved
	merger_remove_runs(merger, 0, merger->n);
	free(merger->runs);
	buf_release(&merger->label);
	buf_release(&merger->text);
	free(merger);
}
