/*
 * The driver: it chooses the format of an input, lets workers parse the blocks of the input, and
 * adds up the results of the workers.
 *
 * A worker takes the lock, reads the next block into its own buffer, releases the lock, and parses
 * the block. Blocks end at ends of samples, so each block can be parsed independently. Messages of
 * workers are passed on in the order of the blocks. A single worker does the same, but its blocks
 * may end after any line, or, with FORMAT_ANY_CUT, after any byte.
 */
#include "collapse/collapse.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "base/growth.h"
#include "base/guard.h"
#include "base/pool.h"
#include "collapse/blocks.h"
#include "collapse/notices.h"
#include "collapse/sniff.h"
#include "collapse/value.h"
#include "profile/unit.h"

struct worker {
	struct readers *readers;
	void *state;
	// the worker's profile; the first worker does not use it, and fills the profile of the
	// readers
	struct profile own;
	struct run run;
	struct notices notices;
	struct buf buffer;
	bool has_lock;
};

/** A parsed block that waits for earlier blocks. */
struct waiting {
	uint64_t sequence, lines;
	struct notices notices;
};

struct waiting_list {
	struct waiting *items;
	size_t n, capacity;
};

/** The workers of one format, and the input that they read. */
struct readers {
	const struct collapse *collapse;
	const struct collapser *format;
	struct opt_set defaults; // options of the format, if the caller gave none
	const void *options;
	struct readers *next_readers; // the readers for another format
	size_t inputs;                // number of inputs, including those of other formats
	struct profile *profile;
	size_t added; // number of stacks that were added to the profile
	struct worker *workers;
	// greatest number of workers; number of workers that have a state
	size_t workers_n, started;
	size_t wanted; // number of workers for this input

	pthread_mutex_t lock; // protects everything below
	struct blocks blocks;
	struct buf name; // name of the last input
	uint64_t bytes;  // number of bytes of all text inputs; each binary input adds 1
	// next sequence number; number of finished blocks; number of skipped lines and of lines in
	// finished blocks
	uint64_t next, done, lines;
	struct waiting_list waiting;
	// the only worker that may read on, because the input cannot be cut further; NULL: all may
	const struct worker *alone;
	bool stopped;            // whether no more blocks are given out
	bool unreadable, failed; // `unreadable`: reading failed; `failed`: a message ended the run
	time_t shown;            // second of the last progress message, or of the first block
};

static void collapse_start_worker(struct readers *readers, size_t i) {
	struct worker *worker = &readers->workers[i];
	const struct diag *diag = readers->collapse->diag;
	worker->readers = readers;
	if (i > 0) {
		profile_init_like(&worker->own, readers->profile);
	}
	worker->notices = (struct notices){.lenient = diag->lenient,
					   .strict = diag->strict,
					   .notes = diag->verbose > 0 && !diag->quiet};
	worker->run.profile = i == 0 ? readers->profile : &worker->own;
	worker->run.notices = &worker->notices;
	worker->run.inputs = readers->inputs;
	worker->run.value = readers->collapse->value;
	worker->run.parts = readers->collapse->parts;
	worker->run.watch = readers->collapse->watch;
	worker->state = state_new(readers->format, readers->options, &worker->run);
	readers->started = i + 1;
}

/*
 * The number of threads for --nthreads=auto. Most distinct lines and stacks occur in the blocks of
 * every worker, so every worker parses them, and the results are merged at the end. Each worker
 * therefore adds about a tenth to the CPU time. Reading takes a fifth of the time, and needs the
 * lock. With four workers the lock is hardly ever free, so further workers would only wait for the
 * lock.
 */
enum {
	AUTO_MOST = 4,
	AUTO_TWO = 12 << 20,   // with this size or more, two threads are a tenth faster
	AUTO_SHARE = 16 << 20, // with three times this size or more, each thread gets this size
	// number of threads for a pipe or a compressed input; one of them mostly reads
	AUTO_UNKNOWN = 2,
};

/** Return how many workers a format may have. */
static size_t collapse_most_workers(const struct collapse *collapse, const struct collapser *format,
				    const struct profile *profile) {
	// Use one thread if the order of rows is kept, or if the format has no cut().
	if (format->cut == NULL || profile->form == PROFILE_TIMELINE) {
		return 1;
	}
	if (collapse->threads > 0) {
		return collapse->threads;
	}
	size_t processors = pool_processors();
	return processors < AUTO_MOST ? processors : AUTO_MOST;
}

/** Return how many threads to use for an input of `size` bytes. A `size` of 0 means that the size
 * is not known. */
static uint64_t collapse_paying_threads(uint64_t size) {
	return size == 0                         ? AUTO_UNKNOWN
	       : size < AUTO_TWO                 ? 1
	       : size < 3 * (uint64_t)AUTO_SHARE ? 2
						 : size / AUTO_SHARE;
}

/** Return how many workers an input needs. Set `*alone` to the number of bytes that the first
 * worker reads before the others start. */
static size_t collapse_wanted_workers(const struct readers *readers, const struct input *input,
				      uint64_t *alone) {
	uint64_t size = input_plain_size(input), wanted = collapse_paying_threads(size);
	*alone = BLOCK_SIZE; // for a small input, starting threads takes longer than parsing
	if (readers->collapse->threads > 0) {
		return readers->workers_n;
	}
	*alone = size == 0 ? AUTO_TWO : BLOCK_SIZE;
	return wanted < readers->workers_n ? (size_t)wanted : readers->workers_n;
}

/**
 * Let a profile keep the exact times of samples, so that the caller can cut the profile by time.
 * Keep only one value of each sample, because the others cannot be cut.
 */
static void collapse_ask_moments(struct profile *profile) {
	values_free(profile->values);
	profile->values = NULL;
	profile_ask_moments(profile, false);
}

/** Set the options of a format that was recognised, or named without options. Return 0, or -1 after
 * diag_error(). */
static int collapse_set_options(const struct collapse *collapse, const struct collapser *format,
				struct opt_set *set, struct profile *profile) {
	const struct collapse_setting *setting = collapse->settings;
	for (; setting != NULL && setting->option != NULL; setting++) {
		struct opt_place place = opt_by_name(set, str_of(setting->option));
		if (place.row == NULL && setting->lacks == NULL) {
			collapse_ask_moments(profile);
			continue;
		}
		if (place.row == NULL) {
			return diag_error(collapse->diag, "%s: the format %s %s", setting->given,
					  format->name, setting->lacks);
		}
		if (opt_set(set, place, setting->value, collapse->diag) != 0) {
			return -1;
		}
	}
	return collapse->value == NULL
		       ? 0
		       : collapse_set_value(set, format, collapse->value, collapse->diag);
}

static struct readers *collapse_readers_new(const struct collapse *collapse,
					    const struct collapser *format, struct profile *profile,
					    size_t inputs) {
	struct readers *readers = mem_new(1, sizeof(*readers));
	readers->collapse = collapse;
	readers->format = format;
	readers->profile = profile;
	readers->inputs = inputs;
	const struct opt_table own[OPT_TABLES] = {format->options};
	opt_init(&readers->defaults, own);
	if (collapse->options == NULL &&
	    collapse_set_options(collapse, format, &readers->defaults, profile) != 0) {
		opt_release(&readers->defaults);
		free(readers);
		return NULL;
	}
	readers->options =
		collapse->options != NULL ? collapse->options : readers->defaults.values[0];
	readers->workers_n = collapse_most_workers(collapse, format, profile);
	readers->workers = mem_new(readers->workers_n, sizeof(*readers->workers));
	pthread_mutex_init(&readers->lock, NULL);
	collapse_start_worker(readers, 0);
	return readers;
}

static void collapse_show_progress(struct readers *readers) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (readers->shown == 0) {
		readers->shown = now.tv_sec;
	} else if (now.tv_sec > readers->shown) {
		readers->shown = now.tv_sec;
		struct input *input = readers->blocks.input;
		diag_progress(readers->collapse->diag, input_name(input), input_position(input),
			      input_size(input));
	}
}

/** Take the lock. Other threads usually hold the lock only for microseconds, but the kernel wakes a
 * sleeping thread late, so try to take the lock up to TRIES times before sleeping. These tries save
 * a tenth of the time of drawing a flame graph with two threads. */
static void collapse_lock(struct worker *worker) {
	struct readers *readers = worker->readers;
	enum { TRIES = 256 };
	size_t tries = 0;
	while (tries < TRIES && pthread_mutex_trylock(&readers->lock) != 0) {
		sched_yield();
		tries++;
	}
	if (tries == TRIES) {
		pthread_mutex_lock(&readers->lock);
	}
	worker->has_lock = true;
}

static void collapse_unlock(struct worker *worker) {
	worker->has_lock = false;
	pthread_mutex_unlock(&worker->readers->lock);
}

/** Limit the memory for the stacks of a flame chart in proportion to the bytes read so far. */
static void collapse_allow(struct profile *profile, uint64_t packed) {
	profile->timeline.most = growth_allowed(profile->timeline.packed + packed);
}

/** Take the next block. Return false if this worker gets no further block. The caller holds the
 * lock. */
static bool collapse_take_block(struct readers *readers, struct worker *worker, blocks_cut *cut,
				struct block *block, uint64_t *sequence) {
	if (readers->stopped || (readers->alone != NULL && readers->alone != worker)) {
		return false;
	}
	enum blocks_result result =
		blocks_next(&readers->blocks, readers->alone == NULL ? cut : NULL, &worker->buffer,
			    &block->bytes, &block->last);
	if (result == BLOCKS_UNCUT) {
		readers->alone = worker;
		result = blocks_next(&readers->blocks, NULL, &worker->buffer, &block->bytes,
				     &block->last);
	}
	if (result != BLOCKS_ONE) {
		readers->unreadable |= result == BLOCKS_FAILED;
		readers->stopped = true;
		return false;
	}
	collapse_allow(readers->profile, input_position(readers->blocks.input));
	block->first = readers->next == 0;
	*sequence = readers->next++;
	collapse_show_progress(readers);
	return true;
}

/** Pass on the messages about the first unfinished block of the input. The caller holds the
 * lock. */
static void collapse_finish_block(struct readers *readers, struct notices *notices,
				  uint64_t lines) {
	if (!readers->failed && notices_show(notices, input_name(readers->blocks.input),
					     readers->lines, lines, readers->collapse->diag) != 0) {
		readers->failed = readers->stopped = true;
	}
	readers->lines += lines;
	readers->done++;
}

/** Finish the waiting blocks that are next in the order of the input. The caller holds the lock. */
static void collapse_finish_waiting(struct readers *readers) {
	for (size_t i = 0; i < readers->waiting.n;) {
		if (readers->waiting.items[i].sequence != readers->done) {
			i++;
			continue;
		}
		struct waiting block = readers->waiting.items[i];
		readers->waiting.items[i] = readers->waiting.items[--readers->waiting.n];
		collapse_finish_block(readers, &block.notices, block.lines);
		notices_release(&block.notices);
		i = 0;
	}
}

/** Pass on the messages of a parsed block, or keep them until all earlier blocks are finished. The
 * caller holds the lock. */
static void collapse_return_block(struct readers *readers, struct worker *worker,
				  uint64_t sequence) {
	uint64_t lines = worker->run.lines;
	if (sequence == readers->done) {
		collapse_finish_block(readers, &worker->notices, lines);
		collapse_finish_waiting(readers);
		return;
	}
	struct waiting_list *list = &readers->waiting;
	*MEM_APPEND(list->items, list->n, list->capacity) =
		(struct waiting){sequence, lines, worker->notices};
	worker->notices.items = NULL;
	worker->notices.n = worker->notices.capacity = 0;
}

static size_t collapse_cut_anywhere(struct str bytes) {
	return bytes.n;
}

/** Parse blocks until none is left or, with `once`, only one. Return false if no block is left. */
static bool collapse_work(struct worker *worker, bool once) {
	struct readers *readers = worker->readers;
	blocks_cut *cut = readers->workers_n > 1                           ? readers->format->cut
			  : (readers->format->flags & FORMAT_ANY_CUT) != 0 ? collapse_cut_anywhere
									   : NULL;
	struct block block;
	uint64_t sequence;
	collapse_lock(worker);
	while (collapse_take_block(readers, worker, cut, &block, &sequence)) {
		collapse_unlock(worker);
		worker->run.lines = 0;
		int result = readers->format->block(worker->state, &block);
		collapse_lock(worker);
		readers->stopped |= result != 0;
		collapse_return_block(readers, worker, sequence);
		if (once) {
			break;
		}
	}
	bool more = !readers->stopped;
	collapse_unlock(worker);
	return more;
}

static void collapse_work_to_end(void *context) {
	collapse_work(context, false);
}

/** Let a worker parse blocks. If a worker runs out of memory, stop the other workers, too. */
static void collapse_work_on(void *context, size_t i) {
	struct readers *readers = context;
	struct worker *worker = &readers->workers[i];
	if (!guard_run(guard_owner(), collapse_work_to_end, worker)) {
		if (!worker->has_lock) {
			collapse_lock(worker);
		}
		readers->stopped = true;
		collapse_unlock(worker);
		inferno_out_of_memory();
	}
}

/** Return whether the other workers can start: the input can be cut, and the first worker has read
 * the facts that they need. */
static bool collapse_is_ready(const struct readers *readers) {
	const struct collapser *format = readers->format;
	return readers->alone == NULL &&
	       (format->ready == NULL || format->ready(readers->workers[0].state));
}

/** Make the states of the other workers that have none yet, and copy the facts that the first
 * worker has read to all of these states. */
static void collapse_notify_others(struct readers *readers) {
	for (size_t i = 1; i < readers->wanted; i++) {
		if (i == readers->started) {
			collapse_start_worker(readers, i);
		}
		if (readers->format->follow != NULL) {
			readers->format->follow(readers->workers[i].state,
						readers->workers[0].state);
		}
	}
}

/** Keep the name of an input for messages. */
static void collapse_readers_name(struct readers *readers, const struct input *input) {
	buf_clear(&readers->name);
	buf_add(&readers->name, input_name(input), strlen(input_name(input)) + 1);
}

/** Read the rest of an input, after `skipped` lines. The first worker reads alone until the others
 * can start. */
static int collapse_readers_read(struct readers *readers, struct input *input, uint64_t skipped) {
	readers->blocks = (struct blocks){.input = input, .diag = readers->collapse->diag};
	readers->next = readers->done = 0;
	readers->lines = skipped;
	readers->alone = NULL;
	readers->stopped = readers->unreadable = readers->failed = false;
	bool more = true, split = false;
	uint64_t alone;
	size_t before = profile_count(readers->profile);
	readers->wanted = collapse_wanted_workers(readers, input, &alone);
	while (more && readers->wanted > 1 && (!split || readers->blocks.total <= alone)) {
		more = collapse_work(&readers->workers[0], true);
		split = collapse_is_ready(readers);
	}
	if (more && split) {
		collapse_notify_others(readers);
	}
	if (more) {
		pool_run(split ? readers->wanted : 1, collapse_work_on, readers);
	}
	readers->bytes += readers->blocks.total;
	profile_settle(readers->profile);
	readers->added += profile_count(readers->profile) - before;
	collapse_readers_name(readers, input);
	blocks_release(&readers->blocks);
	return readers->failed || readers->unreadable ? -1 : 0;
}

/** Read a binary input with the first worker of the readers. */
static int collapse_readers_read_binary(struct readers *readers, struct input *input) {
	struct diag *diag = readers->collapse->diag;
	struct worker *worker = &readers->workers[0];
	size_t before = profile_count(readers->profile);
	int result = readers->format->read(worker->state, input, diag);
	if (notices_show(&worker->notices, input_name(input), 0, 0, diag) != 0) {
		result = -1;
	}
	profile_settle(readers->profile);
	readers->added += profile_count(readers->profile) - before;
	readers->bytes++; // any number above 0: the input is not empty
	collapse_readers_name(readers, input);
	return result;
}

/** Return the number of samples that were read plus the number of added stacks, because some
 * formats do not count samples. */
static uint64_t collapse_readers_samples(const struct readers *readers) {
	uint64_t samples = readers->added;
	for (size_t i = 0; i < readers->started; i++) {
		samples += readers->workers[i].run.samples;
	}
	return samples;
}

/** Call the format's function for the decisions that need the states of all workers. */
static int collapse_decide(struct readers *readers) {
	if (readers->format->decide == NULL) {
		return 0;
	}
	void **states = mem_new(readers->started, sizeof(*states));
	for (size_t i = 0; i < readers->started; i++) {
		states[i] = readers->workers[i].state;
	}
	int result = readers->format->decide(states, readers->started, readers->collapse->diag);
	free(states);
	return result;
}

/** Let the workers add the stacks that they kept until the end. */
static void collapse_finish_workers(struct readers *readers) {
	for (size_t i = 0; readers->format->finish != NULL && i < readers->started; i++) {
		readers->format->finish(readers->workers[i].state);
	}
}

/** Find the unit in which the format counts. */
static void collapse_find_unit(const struct readers *readers, struct buf *unit) {
	const struct collapser *format = readers->format;
	const char *value = readers->collapse->value;
	const struct collapser_value *wanted =
		value == NULL ? NULL : collapse_find_value(format, value);
	buf_add_text(unit, wanted != NULL && wanted->unit != NULL ? wanted->unit
			   : format->unit != NULL                 ? format->unit
								  : "");
	for (size_t i = 0; format->find_unit != NULL && i < readers->started && unit->n == 0; i++) {
		format->find_unit(readers->workers[i].state, unit);
	}
}

/** Set the unit of the profile's counts. */
static void collapse_set_unit(struct readers *readers) {
	struct buf unit = {0};
	collapse_find_unit(readers, &unit);
	profile_count_in(readers->profile, buf_str(&unit));
	buf_release(&unit);
}

/** Warn if the format counts something else than the formats before it. Return 0, or -1 if the run
 * must end. */
static int collapse_check_unit(const struct readers *readers) {
	struct buf unit = {0};
	collapse_find_unit(readers, &unit);
	int result = unit_check(buf_str(&readers->profile->unit), buf_str(&unit), readers->name.p,
				readers->collapse->diag);
	buf_release(&unit);
	return result;
}

static struct profile *collapse_profile_of(struct readers *readers, size_t worker) {
	return worker == 0 ? readers->profile : &readers->workers[worker].own;
}

static void collapse_order_calls(void *context, size_t worker) {
	profile_order_calls(collapse_profile_of(context, worker));
}

/** If there are several workers, put the calls of each worker's profile in order. Use several
 * threads only if calls are unsorted. */
static void collapse_order_all(struct readers *readers) {
	bool linked = false;
	for (size_t i = 0; i < readers->started; i++) {
		linked |= collapse_profile_of(readers, i)->calls.links != NULL;
	}
	if (linked && readers->started > 1) {
		pool_run(readers->started, collapse_order_calls, readers);
	} else if (readers->started > 1) {
		for (size_t i = 0; i < readers->started; i++) {
			collapse_order_calls(readers, i);
		}
	}
}

/** Add up the results of the workers. */
static void collapse_add_up(struct readers *readers) {
	struct run *sum = &readers->workers[0].run;
	readers->profile->by_sample = (readers->format->flags & FORMAT_BY_SAMPLE) != 0;
	collapse_set_unit(readers);
	profile_settle(readers->profile);
	collapse_order_all(readers);
	for (size_t i = 1; i < readers->started; i++) {
		struct worker *worker = &readers->workers[i];
		profile_merge(readers->profile, &worker->own);
		profile_release(&worker->own);
		sum->samples += worker->run.samples;
		for (size_t t = 0; t < TALLIES; t++) {
			sum->tallies[t] += worker->run.tallies[t];
		}
	}
}

/** Report the tallies, and inputs without samples or without anything to count. Return 0, or -1 if
 * the run must end. */
static int collapse_check_input(const struct readers *readers) {
	const struct run *sum = &readers->workers[0].run;
	struct diag *diag = readers->collapse->diag;
	int result = 0;
	for (size_t t = 0; t < TALLIES && result == 0; t++) {
		if (sum->tallies[t] > 0) {
			struct buf text = {0};
			buf_printf(&text, "%s: %llu", readers->format->tallies[t],
				   (unsigned long long)sum->tallies[t]);
			result = diag_warn_text(diag, readers->format->tallies[t], buf_text(&text),
						1);
			buf_release(&text);
		}
	}
	// If the format is the fallback, do not warn: the caller reports an empty profile itself.
	if (result != 0 || readers->bytes == 0 || readers->format == readers->collapse->otherwise) {
		return result;
	}
	const char *name = readers->name.p;
	if (sum->samples == 0 && readers->format->expects != NULL) {
		return diag_error(diag, "%s: no samples found; is it %s?", name,
				  readers->format->expects);
	}
	if (readers->added == 0 && !diag_has_warned(diag)) {
		return diag_warn(diag, "%s: contains nothing to count", name);
	}
	return 0;
}

static void collapse_readers_free(struct readers *readers) {
	for (size_t i = 0; i < readers->started; i++) {
		struct worker *worker = &readers->workers[i];
		if (readers->format->release != NULL) {
			readers->format->release(worker->state);
		}
		free(worker->state);
		notices_release(&worker->notices);
		buf_release(&worker->run.name);
		buf_release(&worker->run.text);
		buf_release(&worker->buffer);
	}
	for (size_t i = 0; i < readers->waiting.n; i++) {
		notices_release(&readers->waiting.items[i].notices);
	}
	free(readers->waiting.items);
	free(readers->workers);
	buf_release(&readers->name);
	opt_release(&readers->defaults);
	pthread_mutex_destroy(&readers->lock);
	free(readers);
}

/** Finish the readers: add their results to the profile, and free the readers. */
static int collapse_readers_finish(struct readers *readers, int result) {
	size_t before = profile_count(readers->profile);
	result = result == 0 ? collapse_decide(readers) : result;
	if (result == 0) {
		collapse_finish_workers(readers);
		result = collapse_check_unit(readers);
	}
	collapse_add_up(readers);
	readers->added += profile_count(readers->profile) - before;
	if (result == 0) {
		result = collapse_check_input(readers);
	}
	collapse_readers_free(readers);
	return result;
}

/** Return whether the named format recognises an input with certainty. If no format was named, try
 * all formats. */
static bool collapse_is_read(const struct collapse *collapse, struct str bytes, bool whole) {
	for (size_t i = 0; collapse_formats[i] != NULL; i++) {
		const struct collapser *format = collapse_formats[i];
		if ((collapse->format == NULL || collapse->format == format) &&
		    collapser_sniff(format, bytes, whole) >= SNIFF_MAGIC) {
			return true;
		}
	}
	return false;
}

/** Refuse an input that is not a text profile, unless collapse_is_read() recognises it. Accept an
 * empty input if there is a fallback format, or if the input is a file and its format was named: a
 * user may give an empty file on purpose, but an empty pipe means that a command failed. */
static int collapse_check_start(const struct collapse *collapse, struct input *input, bool *empty) {
	struct str bytes;
	bool whole;
	if (input_peek(input, SNIFF_BINARY, &bytes, &whole) != 0) {
		return -1;
	}
	*empty = bytes.n == 0;
	const char *name = input_name(input), *binary = sniff_binary(bytes);
	if (binary != NULL && !collapse_is_read(collapse, bytes, whole)) {
		return diag_error(collapse->diag, "%s: is %s", name, binary);
	}
	if (!*empty) {
		return 0;
	}
	if (collapse->otherwise != NULL || (collapse->format != NULL && input_is_file(input))) {
		return diag_warn(collapse->diag, "%s: is empty", name);
	}
	return diag_error(collapse->diag,
			  "%s: is empty; did the command that should write it fail?", name);
}

static int collapse_fail_unknown(const struct collapse *collapse, const struct input *input,
				 const struct sniffed *sniffed) {
	struct buf hint = {0};
	if (sniffed->rival != NULL) {
		buf_printf(&hint,
			   "it could be %s or %s: if the input has one of these formats, try "
			   "'inferno collapse %s' or 'inferno collapse %s'",
			   sniffed->nearest->name, sniffed->rival->name, sniffed->nearest->name,
			   sniffed->rival->name);
	} else if (sniffed->nearest != NULL) {
		buf_printf(&hint,
			   "the most similar format is %s: if the input has this format, try "
			   "'inferno collapse %s'",
			   sniffed->nearest->name, sniffed->nearest->name);
	} else {
		buf_add_text(&hint, "'inferno formats' lists all formats");
	}
	int result =
		diag_error(collapse->diag, "%s: no applicable collapse implementation found; %s",
			   input_name(input), buf_text(&hint));
	buf_release(&hint);
	return result;
}

/** Skip the lines before the profile, with a warning. Return 0, or -1 if the input cannot be read
 * or warnings are errors. */
static int collapse_skip(const struct collapse *collapse, struct input *input,
			 const struct sniffed *sniffed) {
	struct str bytes;
	bool whole;
	if (sniffed->skip == 0) {
		return 0;
	}
	if (input_peek(input, sniffed->skip, &bytes, &whole) != 0) {
		return -1;
	}
	struct str first = str_cut(&bytes, '\n');
	int result = diag_warn(
		collapse->diag,
		"%s:1: skipped lines up to line %llu, which are not part of the profile: '%s'",
		input_name(input), (unsigned long long)sniffed->skip_lines,
		quote(str_trim(first)).text);
	input_drop(input, sniffed->skip);
	return result;
}

/** Report that an input looks like another format: as an error, or, if the run is lenient, as a
 * warning. */
static int collapse_fail_other(const struct collapse *collapse, const struct input *input,
			       const struct collapser *other) {
	return (collapse->diag->lenient ? diag_warn : diag_error)(
		collapse->diag, "%s: looks like %s, not %s; try 'inferno collapse %s'",
		input_name(input), other->name, collapse->format->name, other->name);
}

/** Return whether the evidence for another format is strong enough to report that the named format
 * is wrong. */
static bool collapse_is_clear(const struct sniffed *sniffed) {
	return sniffed->format != NULL &&
	       sniffed->evidence >= (sniffed->whole ? SNIFF_LIKELY : 2 * SNIFF_SHAPE);
}

/**
 * Check that an input may have the named format. If the input looks like another format at its
 * start, but may have the named format further on, set `*other` to the other format. Return 0, or
 * -1 after diag_error().
 */
static int collapse_check_format(const struct collapse *collapse, struct input *input,
				 struct sniffed *sniffed, const struct collapser **other) {
	const struct collapser *named = collapse->format, *format;
	if (sniff_input(input, named, sniffed) != 0) {
		return -1;
	}
	format = sniffed->format;
	if (format == named) {
		if ((named->flags & FORMAT_FROM_START) != 0 && !collapse->diag->lenient) {
			*sniffed = (struct sniffed){.format = named};
		}
		return collapse_skip(collapse, input, sniffed);
	}
	// two formats with one sniff(), such as folded and recursive, read the same input
	bool clear = collapse_is_clear(sniffed) && format->sniff != named->sniff;
	int evidence = sniffed->named;
	*sniffed = (struct sniffed){.format = named};
	if (clear && evidence >= SNIFF_NO && evidence < SNIFF_COULD_BE) {
		return collapse_fail_other(collapse, input, format);
	}
	*other = clear && (evidence == SNIFF_MORE || named->expects == NULL) ? format : NULL;
	return 0;
}

/** If the input has the fallback format, and one of the lines to skip may be a line of it, skip no
 * lines: a bad line between good lines does not end a profile. Return 0, or -1 if the input cannot
 * be read. */
static int collapse_keep_lines(const struct collapse *collapse, struct input *input,
			       struct sniffed *sniffed) {
	struct str bytes, line;
	bool whole;
	if (sniffed->skip == 0 || sniffed->format != collapse->otherwise) {
		return 0;
	}
	if (input_peek(input, sniffed->skip, &bytes, &whole) != 0) {
		return -1;
	}
	struct lines lines = {.rest = str_to(bytes, sniffed->skip)};
	while (lines_next(&lines, &line)) {
		if (sniffed->format->sniff(line, true) != SNIFF_NO) {
			sniffed->skip = 0;
			sniffed->skip_lines = 0;
			return 0;
		}
	}
	return 0;
}

/** Decide which format an input has, and skip the lines before the profile. Return 0, or -1 after
 * diag_error(). */
static int collapse_choose_format(const struct collapse *collapse, struct input *input,
				  struct sniffed *sniffed) {
	if (sniff_input(input, NULL, sniffed) != 0) {
		return -1;
	}
	if (sniffed->format == NULL && collapse->otherwise == NULL) {
		return collapse_fail_unknown(collapse, input, sniffed);
	}
	sniffed->format = sniffed->format != NULL ? sniffed->format : collapse->otherwise;
	if (collapse_keep_lines(collapse, input, sniffed) != 0) {
		return -1;
	}
	diag_note(collapse->diag, "%s: read as %s", input_name(input), sniffed->format->name);
	return collapse_skip(collapse, input, sniffed);
}

/** Return the readers of a format. If the format has no readers yet, add them at the end of the
 * list. Return NULL after diag_error(). */
static struct readers *collapse_readers_of(struct readers **at, const struct collapse *collapse,
					   const struct collapser *format, struct profile *profile,
					   size_t inputs) {
	while (*at != NULL && (*at)->format != format) {
		at = &(*at)->next_readers;
	}
	*at = *at != NULL ? *at : collapse_readers_new(collapse, format, profile, inputs);
	return *at;
}

/** Set `*found` to the format that reads an input as binary data, or to NULL. If a format was
 * named, try only that format. If no format was named, choose the format with the most evidence.
 * Return 0, or -1 after diag_error(). */
static int collapse_find_binary(const struct collapse *collapse, struct input *input,
				const struct collapser **found) {
	struct sniffed best = {0};
	struct str bytes;
	bool whole;
	*found = NULL;
	if (input_peek(input, SNIFF_BINARY, &bytes, &whole) != 0) {
		return -1;
	}
	for (size_t i = 0; collapse_formats[i] != NULL; i++) {
		const struct collapser *format = collapse_formats[i];
		bool asked = collapse->format == NULL || collapse->format == format;
		if (asked && format->sniff_read != NULL) {
			sniff_compare(&best, format, format->sniff_read(bytes));
		}
	}
	if (best.rival != NULL) {
		return collapse_fail_unknown(collapse, input, &best);
	}
	*found = best.nearest;
	return 0;
}

/** Read a text input. */
static int collapse_read_text(const struct collapse *collapse, struct input *input, size_t inputs,
			      struct profile *profile, struct readers **at) {
	bool empty;
	struct sniffed sniffed;
	const struct collapser *other = NULL;
	int result = collapse_check_start(collapse, input, &empty);
	if (result == 0 && !(empty && collapse->format == NULL)) {
		result = collapse->format == NULL
				 ? collapse_choose_format(collapse, input, &sniffed)
				 : collapse_check_format(collapse, input, &sniffed, &other);
		if (result == 0) {
			struct readers *readers =
				collapse_readers_of(at, collapse, sniffed.format, profile, inputs);
			uint64_t before = readers == NULL ? 0 : collapse_readers_samples(readers);
			result = readers == NULL ? -1
						 : collapse_readers_read(readers, input,
									 sniffed.skip_lines);
			if (result == 0 && other != NULL &&
			    collapse_readers_samples(readers) == before) {
				result = collapse_fail_other(collapse, input, other);
			}
		}
	}
	return result;
}

static int collapse_read_source(const struct collapse *collapse, const struct source *source,
				size_t inputs, struct profile *profile, struct readers **at) {
	struct input *input = input_open(source, collapse->diag);
	if (input == NULL) {
		return -1;
	}
	const struct collapser *binary;
	int result = collapse_find_binary(collapse, input, &binary);
	if (result == 0 && binary != NULL) {
		if (collapse->format == NULL) {
			diag_note(collapse->diag, "%s: read as %s", input_name(input),
				  binary->name);
		}
		struct readers *readers =
			collapse_readers_of(at, collapse, binary, profile, inputs);
		result = readers == NULL ? -1 : collapse_readers_read_binary(readers, input);
	} else if (result == 0) {
		result = collapse_read_text(collapse, input, inputs, profile, at);
	}
	// Assume a large size for a recording in a folder, which consists of several files: their
	// sizes are not known here.
	bool folder = source->path != NULL && input_path(input) != NULL &&
		      strcmp(source->path, input_path(input)) != 0;
	uint64_t position = input_position(input), size = input_size(input);
	profile->timeline.packed += folder ? UINT32_MAX : position > size ? position : size;
	collapse_allow(profile, 0);
	input_close(input);
	return result;
}

/** Drop the times of the samples of several inputs, because the clocks of the inputs may differ. */
static void collapse_drop_times(struct profile *profile) {
	profile->skipped.times = profile_is_timed(profile);
	profile_drop_times(profile);
}

int collapse_sources(const struct collapse *collapse, const struct source *sources, size_t n,
		     struct profile *profile) {
	struct readers *at = NULL;
	int result = 0;
	for (size_t i = 0; i < n && result == 0; i++) {
		result = collapse_read_source(collapse, &sources[i], n, profile, &at);
	}
	while (at != NULL) {
		struct readers *next = at->next_readers;
		result = collapse_readers_finish(at, result);
		at = next;
	}
	if (result == 0 && n > 1) {
		collapse_drop_times(profile);
	}
	if (result == 0) {
		profile_settle_moments(profile);
	}
	if (result == 0 && profile->overflow) {
		result = diag_error_sum(collapse->diag, NULL);
	}
	return result;
}
