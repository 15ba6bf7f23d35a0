/*
 * The driver: it reads an input in blocks, gives them to workers, and adds up their results.
 *
 * A worker takes the lock, reads the next block into its own buffer, and releases the lock to parse
 * it; reading is cheap next to parsing. Blocks end where samples end, so each can be parsed alone.
 * Messages of workers are passed on in the order of the blocks. A single thread works the same way,
 * but its blocks may end between any two lines.
 */
#include "collapse/collapse.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "base/pool.h"
#include "collapse/blocks.h"
#include "collapse/notices.h"
#include "collapse/sniff.h"

struct worker {
	struct crew *crew;
	void *state;
	struct profile own; // of all but the first worker, which fills the result itself
	struct run run;
	struct notices notices;
	struct buf buffer;
};

/** A parsed block that waits for earlier blocks. */
struct waiting {
	uint64_t sequence, lines;
	struct notices notices;
};

/** The workers of one format, and the input that they read. */
struct crew {
	const struct collapse *collapse;
	const struct collapser *format;
	struct opt_set defaults; // of the format, if it was guessed
	const void *options;
	struct crew *next_crew; // the crew of another format
	size_t inputs;          // of all formats
	struct profile *profile;
	size_t added; // number of new stacks
	struct worker *workers;
	size_t workers_n, started; // workers that there may be, and those that have a state
	size_t wanted;             // workers for this input

	pthread_mutex_t lock; // protects everything below
	struct blocks blocks;
	struct buf name;            // of the last input
	uint64_t bytes;             // of all inputs
	uint64_t next, done, lines; // the next sequence number; finished blocks, and their lines
	struct waiting *waiting;
	size_t waiting_n, waiting_capacity;
	const struct worker *alone; // the only worker for an input that cannot be cut further
	bool stopped;               // no more blocks are given out
	bool unreadable, failed;    // failed: a block had an error
	time_t shown;               // when progress was shown
};

static void start_worker(struct crew *crew, size_t i) {
	struct worker *worker = &crew->workers[i];
	const struct diag *diag = crew->collapse->diag;
	worker->crew = crew;
	if (i > 0) {
		profile_init_like(&worker->own, crew->profile);
	}
	worker->notices = (struct notices){.lenient = diag->lenient,
					   .strict = diag->strict,
					   .notes = diag->verbose > 0 && !diag->quiet};
	worker->run.profile = i == 0 ? crew->profile : &worker->own;
	worker->run.notices = &worker->notices;
	worker->run.inputs = crew->inputs;
	worker->run.parts = crew->collapse->parts;
	worker->run.watch = crew->collapse->watch;
	worker->state = state_new(crew->format, crew->options, &worker->run);
	crew->started = i + 1;
}

/*
 * How many threads pay, for --nthreads=auto. A worker meets nearly all distinct lines and stacks,
 * and they are merged at the end: each worker adds about a tenth to the CPU time. A fifth of
 * the time is spent reading, under the lock. So with four workers it is hardly ever free, and more
 * would wait for it, however many processors there are.
 */
enum {
	AUTO_MOST = 4,
	AUTO_TWO = 12 << 20,   // bytes from which on two threads are a tenth faster
	AUTO_SHARE = 16 << 20, // bytes for each of more threads
	AUTO_UNKNOWN = 2,      // threads for a pipe or a packed input, one of which mostly reads
};

/** Return how many workers a format may have. */
static size_t most_workers(const struct collapse *collapse, const struct collapser *format,
			   const struct profile *profile) {
	// One thread reads if rows keep their order, or if the format has no cut().
	if (format->cut == NULL || profile->form == PROFILE_TIMELINE) {
		return 1;
	}
	if (collapse->threads > 0) {
		return collapse->threads;
	}
	size_t processors = pool_processors();
	return processors < AUTO_MOST ? processors : AUTO_MOST;
}

/** Return how many threads pay for so many bytes; 0: it is not known how many. */
static uint64_t paying_threads(uint64_t size) {
	return size == 0                         ? AUTO_UNKNOWN
	       : size < AUTO_TWO                 ? 1
	       : size < 3 * (uint64_t)AUTO_SHARE ? 2
						 : size / AUTO_SHARE;
}

/** Return how many workers an input needs. Set `*alone` to how much the first reads alone. */
static size_t wanted_workers(const struct crew *crew, const struct input *input, uint64_t *alone) {
	uint64_t size = input_plain_size(input), wanted = paying_threads(size);
	*alone = BLOCK_SIZE; // a small input is not worth starting threads
	if (crew->collapse->threads > 0) {
		return crew->workers_n;
	}
	*alone = size == 0 ? AUTO_TWO : BLOCK_SIZE;
	return wanted < crew->workers_n ? (size_t)wanted : crew->workers_n;
}

static struct crew *crew_new(const struct collapse *collapse, const struct collapser *format,
			     struct profile *profile, size_t inputs) {
	struct crew *crew = mem_new(1, sizeof(*crew));
	crew->collapse = collapse;
	crew->format = format;
	crew->profile = profile;
	crew->inputs = inputs;
	const struct opt_table own[OPT_TABLES] = {{format->options, format->options_size}};
	opt_init(&crew->defaults, own);
	crew->options = collapse->format != NULL ? collapse->options : crew->defaults.values[0];
	crew->workers_n = most_workers(collapse, format, profile);
	crew->workers = mem_new(crew->workers_n, sizeof(*crew->workers));
	pthread_mutex_init(&crew->lock, NULL);
	start_worker(crew, 0);
	return crew;
}

static void show_progress(struct crew *crew) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (crew->shown == 0) {
		crew->shown = now.tv_sec;
	} else if (now.tv_sec > crew->shown) {
		crew->shown = now.tv_sec;
		struct input *input = crew->blocks.input;
		diag_progress(crew->collapse->diag, input_name(input), input_position(input),
			      input_size(input));
	}
}

/** Take the lock. Others hold it for some microseconds, and a thread that sleeps is woken late, so
 * try a few times first. Two threads draw a picture in a tenth less time then. */
static void lock(struct crew *crew) {
	enum { TRIES = 256 };
	size_t tries = 0;
	while (tries < TRIES && pthread_mutex_trylock(&crew->lock) != 0) {
		sched_yield();
		tries++;
	}
	if (tries == TRIES) {
		pthread_mutex_lock(&crew->lock);
	}
}

/** Take the next block. The caller holds the lock. */
static bool take_block(struct crew *crew, struct worker *worker, blocks_cut *cut,
		       struct block *block, uint64_t *sequence) {
	if (crew->stopped || (crew->alone != NULL && crew->alone != worker)) {
		return false;
	}
	enum blocks_result result = blocks_next(&crew->blocks, crew->alone == NULL ? cut : NULL,
						&worker->buffer, &block->bytes, &block->last);
	if (result == BLOCKS_UNCUT) {
		crew->alone = worker;
		result = blocks_next(&crew->blocks, NULL, &worker->buffer, &block->bytes,
				     &block->last);
	}
	if (result != BLOCKS_ONE) {
		crew->unreadable |= result == BLOCKS_FAILED;
		crew->stopped = true;
		return false;
	}
	block->first = crew->next == 0;
	*sequence = crew->next++;
	show_progress(crew);
	return true;
}

/** Pass on the messages about the next block of the input. The caller holds the lock. */
static void finish_block(struct crew *crew, struct notices *notices, uint64_t lines) {
	if (!crew->failed && notices_show(notices, input_name(crew->blocks.input), crew->lines,
					  lines, crew->collapse->diag) != 0) {
		crew->failed = crew->stopped = true;
	}
	crew->lines += lines;
	crew->done++;
}

/** Finish the waiting blocks whose turn has come. The caller holds the lock. */
static void finish_waiting(struct crew *crew) {
	for (size_t i = 0; i < crew->waiting_n;) {
		if (crew->waiting[i].sequence != crew->done) {
			i++;
			continue;
		}
		struct waiting block = crew->waiting[i];
		crew->waiting[i] = crew->waiting[--crew->waiting_n];
		finish_block(crew, &block.notices, block.lines);
		notices_release(&block.notices);
		i = 0;
	}
}

/** Give back a parsed block. The caller holds the lock. */
static void return_block(struct crew *crew, struct worker *worker, uint64_t sequence) {
	uint64_t lines = worker->run.lines;
	if (sequence == crew->done) {
		finish_block(crew, &worker->notices, lines);
		finish_waiting(crew);
		return;
	}
	crew->waiting = mem_grow(crew->waiting, &crew->waiting_capacity, crew->waiting_n + 1,
				 sizeof(*crew->waiting));
	crew->waiting[crew->waiting_n++] = (struct waiting){sequence, lines, worker->notices};
	worker->notices.items = NULL;
	worker->notices.n = worker->notices.capacity = 0;
}

static size_t cut_anywhere(struct str bytes) {
	return bytes.n;
}

/** Parse blocks until none is left or, with `once`, only one. */
static bool work(struct worker *worker, bool once) {
	struct crew *crew = worker->crew;
	blocks_cut *cut = crew->workers_n > 1     ? crew->format->cut
			  : crew->format->any_cut ? cut_anywhere
						  : NULL;
	struct block block;
	uint64_t sequence;
	lock(crew);
	while (take_block(crew, worker, cut, &block, &sequence)) {
		pthread_mutex_unlock(&crew->lock);
		worker->run.lines = 0;
		int result = crew->format->block(worker->state, &block);
		lock(crew);
		crew->stopped |= result != 0;
		return_block(crew, worker, sequence);
		if (once) {
			break;
		}
	}
	bool more = !crew->stopped;
	pthread_mutex_unlock(&crew->lock);
	return more;
}

static void work_on(void *context, size_t i) {
	struct crew *crew = context;
	work(&crew->workers[i], false);
}

/** Return whether other workers can start: the first worker has learnt what they need to know. */
static bool is_ready(const struct crew *crew) {
	const struct collapser *format = crew->format;
	return crew->alone == NULL &&
	       (format->ready == NULL || format->ready(crew->workers[0].state));
}

/** Start the other workers, or hand to running ones what the first has learnt. */
static void tell_others(struct crew *crew) {
	for (size_t i = 1; i < crew->wanted; i++) {
		if (i == crew->started) {
			start_worker(crew, i);
		}
		if (crew->format->follow != NULL) {
			crew->format->follow(crew->workers[i].state, crew->workers[0].state);
		}
	}
}

/** Keep the name of an input for messages. */
static void crew_name(struct crew *crew, const struct input *input) {
	buf_clear(&crew->name);
	buf_add(&crew->name, input_name(input), strlen(input_name(input)) + 1);
}

/** Read the rest of an input, after the skipped lines. The first worker reads alone until the
 * others can begin. */
static int crew_read(struct crew *crew, struct input *input, uint64_t skipped) {
	crew->blocks = (struct blocks){.input = input, .diag = crew->collapse->diag};
	crew->next = crew->done = 0;
	crew->lines = skipped;
	crew->alone = NULL;
	crew->stopped = crew->unreadable = crew->failed = false;
	bool more = true, split = false;
	uint64_t alone;
	size_t before = profile_count(crew->profile);
	crew->wanted = wanted_workers(crew, input, &alone);
	while (more && crew->wanted > 1 && (!split || crew->blocks.total <= alone)) {
		more = work(&crew->workers[0], true);
		split = is_ready(crew);
	}
	if (more && split) {
		tell_others(crew);
	}
	if (more) {
		pool_run(split ? crew->wanted : 1, work_on, crew);
	}
	crew->bytes += crew->blocks.total;
	profile_settle(crew->profile);
	crew->added += profile_count(crew->profile) - before;
	crew_name(crew, input);
	blocks_release(&crew->blocks);
	return crew->failed || crew->unreadable ? -1 : 0;
}

/** Read a binary input with the first worker of the crew. */
static int crew_read_binary(struct crew *crew, struct input *input) {
	struct diag *diag = crew->collapse->diag;
	struct worker *worker = &crew->workers[0];
	size_t before = profile_count(crew->profile);
	int result = crew->format->read(worker->state, input, diag);
	if (notices_show(&worker->notices, input_name(input), 0, 0, diag) != 0) {
		result = -1;
	}
	profile_settle(crew->profile);
	crew->added += profile_count(crew->profile) - before;
	crew->bytes++; // it is not empty
	crew_name(crew, input);
	return result;
}

/** Return the number of samples that were read, or of stacks if the format counts no samples. */
static uint64_t crew_samples(const struct crew *crew) {
	uint64_t samples = crew->added;
	for (size_t i = 0; i < crew->started; i++) {
		samples += crew->workers[i].run.samples;
	}
	return samples;
}

/** Decide what needs the states of all workers. */
static int decide(struct crew *crew) {
	if (crew->format->decide == NULL) {
		return 0;
	}
	void **states = mem_new(crew->started, sizeof(*states));
	for (size_t i = 0; i < crew->started; i++) {
		states[i] = crew->workers[i].state;
	}
	int result = crew->format->decide(states, crew->started, crew->collapse->diag);
	free(states);
	return result;
}

/** Add what the workers kept until the end. */
static void finish_workers(struct crew *crew) {
	for (size_t i = 0; crew->format->finish != NULL && i < crew->started; i++) {
		crew->format->finish(crew->workers[i].state);
	}
}

/** Tell the profile what was counted. */
static void tell_unit(struct crew *crew) {
	const struct collapser *format = crew->format;
	struct buf unit = {0};
	buf_add_text(&unit, format->unit == NULL ? "" : format->unit);
	for (size_t i = 0; format->find_unit != NULL && i < crew->started && unit.n == 0; i++) {
		format->find_unit(crew->workers[i].state, &unit);
	}
	profile_count_in(crew->profile, buf_str(&unit));
	buf_release(&unit);
}

static struct profile *profile_of(struct crew *crew, size_t worker) {
	return worker == 0 ? crew->profile : &crew->workers[worker].own;
}

static void order_calls(void *context, size_t worker) {
	profile_order_calls(profile_of(context, worker));
}

/** Put the calls of all workers in order. Only calls that came in no order are worth threads. */
static void order_all(struct crew *crew) {
	bool linked = false;
	for (size_t i = 0; i < crew->started; i++) {
		linked |= profile_of(crew, i)->calls.links != NULL;
	}
	if (linked && crew->started > 1) {
		pool_run(crew->started, order_calls, crew);
	} else if (crew->started > 1) {
		for (size_t i = 0; i < crew->started; i++) {
			order_calls(crew, i);
		}
	}
}

/** Add up the results of the workers. */
static void add_up(struct crew *crew) {
	struct run *sum = &crew->workers[0].run;
	crew->profile->by_sample = crew->format->by_sample;
	tell_unit(crew);
	profile_settle(crew->profile);
	order_all(crew);
	for (size_t i = 1; i < crew->started; i++) {
		struct worker *worker = &crew->workers[i];
		profile_merge(crew->profile, &worker->own);
		profile_release(&worker->own);
		sum->samples += worker->run.samples;
		for (size_t t = 0; t < TALLIES; t++) {
			sum->tallies[t] += worker->run.tallies[t];
		}
	}
}

/** Report what was left out, and whether nothing was counted. */
static int judge(const struct crew *crew) {
	const struct run *sum = &crew->workers[0].run;
	struct diag *diag = crew->collapse->diag;
	int result = 0;
	for (size_t t = 0; t < TALLIES && result == 0; t++) {
		if (sum->tallies[t] > 0) {
			struct buf text = {0};
			buf_printf(&text, "%s: %llu", crew->format->tallies[t],
				   (unsigned long long)sum->tallies[t]);
			result = diag_warn_text(diag, crew->format->tallies[t], buf_text(&text), 1);
			buf_release(&text);
		}
	}
	// A caller that names a fallback format has its own message for an empty profile.
	if (result != 0 || crew->bytes == 0 || crew->format == crew->collapse->otherwise) {
		return result;
	}
	const char *name = crew->name.p;
	if (sum->samples == 0 && crew->format->expects != NULL) {
		return diag_error(diag, "%s: no samples found; is it %s?", name,
				  crew->format->expects);
	}
	if (crew->added == 0 && !diag_has_warned(diag)) {
		return diag_warn(diag, "%s: contains nothing to count", name);
	}
	return 0;
}

static void crew_free(struct crew *crew) {
	for (size_t i = 0; i < crew->started; i++) {
		struct worker *worker = &crew->workers[i];
		if (crew->format->release != NULL) {
			crew->format->release(worker->state);
		}
		free(worker->state);
		notices_release(&worker->notices);
		buf_release(&worker->run.name);
		buf_release(&worker->run.text);
		buf_release(&worker->buffer);
	}
	for (size_t i = 0; i < crew->waiting_n; i++) {
		notices_release(&crew->waiting[i].notices);
	}
	free(crew->waiting);
	free(crew->workers);
	buf_release(&crew->name);
	opt_release(&crew->defaults);
	pthread_mutex_destroy(&crew->lock);
	free(crew);
}

/** Finish a crew: hand over its result and free it. */
static int crew_finish(struct crew *crew, int result) {
	size_t before = profile_count(crew->profile);
	result = result == 0 ? decide(crew) : result;
	if (result == 0) {
		finish_workers(crew);
	}
	add_up(crew);
	crew->added += profile_count(crew->profile) - before;
	if (result == 0) {
		result = judge(crew);
	}
	crew_free(crew);
	return result;
}

/** Refuse an input that has no format. An empty file may be meant; an empty pipe means that a
 * command failed. */
static int check_start(const struct collapse *collapse, struct input *input, bool *empty) {
	struct str bytes;
	bool whole;
	if (input_peek(input, SNIFF_BINARY, &bytes, &whole) != 0) {
		return -1;
	}
	*empty = bytes.n == 0;
	const char *name = input_name(input), *binary = sniff_binary(bytes);
	if (binary != NULL) {
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

static int fail_unknown(const struct collapse *collapse, const struct input *input,
			const struct sniffed *sniffed) {
	struct buf hint = {0};
	if (sniffed->rival != NULL) {
		buf_printf(&hint,
			   "it could be %s or %s: if it is one of them, try 'inferno collapse "
			   "%s' or 'inferno collapse %s'",
			   sniffed->nearest->name, sniffed->rival->name, sniffed->nearest->name,
			   sniffed->rival->name);
	} else if (sniffed->nearest != NULL) {
		buf_printf(&hint,
			   "the nearest format is %s: if it is that, try 'inferno collapse %s'",
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

/** Skip the lines before the profile. Return 0, or -1 if a warning is an error. */
static int skip(const struct collapse *collapse, struct input *input,
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

/** Report that an input has another format than the named one. */
static int fail_other(const struct collapse *collapse, const struct input *input,
		      const struct collapser *other) {
	static const char *const text = "%s: looks like %s, not %s; try 'inferno collapse %s'";
	return (collapse->diag->lenient ? diag_warn : diag_error)(
		collapse->diag, text, input_name(input), other->name, collapse->format->name,
		other->name);
}

/** Return whether the evidence for another format is so strong that the named one must be wrong. */
static bool is_clear(const struct sniffed *sniffed) {
	return sniffed->format != NULL &&
	       sniffed->evidence >= (sniffed->whole ? SNIFF_LIKELY : 2 * SNIFF_SHAPE);
}

/**
 * Check that an input may have the named format. If another format is clear, but the named one may
 * come later in the input, put that other format into `*other`. Return 0, or -1 after diag_error().
 */
static int check_format(const struct collapse *collapse, struct input *input,
			struct sniffed *sniffed, const struct collapser **other) {
	const struct collapser *named = collapse->format, *format;
	if (sniff_input(input, named, sniffed) != 0) {
		return -1;
	}
	format = sniffed->format;
	if (format == named) {
		return skip(collapse, input, sniffed);
	}
	bool clear = is_clear(sniffed);
	int evidence = sniffed->named;
	*sniffed = (struct sniffed){.format = named};
	if (clear && evidence >= SNIFF_NO && evidence < SNIFF_COULD_BE) {
		return fail_other(collapse, input, format);
	}
	*other = clear && (evidence == SNIFF_MORE || named->expects == NULL) ? format : NULL;
	return 0;
}

/** Decide which format an input has, and skip the lines before the profile. Return 0, or -1 after
 * diag_error(). */
static int choose_format(const struct collapse *collapse, struct input *input,
			 struct sniffed *sniffed) {
	if (sniff_input(input, NULL, sniffed) != 0) {
		return -1;
	}
	if (sniffed->format == NULL && collapse->otherwise == NULL) {
		return fail_unknown(collapse, input, sniffed);
	}
	sniffed->format = sniffed->format != NULL ? sniffed->format : collapse->otherwise;
	diag_note(collapse->diag, "%s: read as %s", input_name(input), sniffed->format->name);
	return skip(collapse, input, sniffed);
}

/** Return the crew of a format. Add one at the end of the list if it has none. */
static struct crew *crew_of(struct crew **crews, const struct collapse *collapse,
			    const struct collapser *format, struct profile *profile,
			    size_t inputs) {
	while (*crews != NULL && (*crews)->format != format) {
		crews = &(*crews)->next_crew;
	}
	*crews = *crews != NULL ? *crews : crew_new(collapse, format, profile, inputs);
	return *crews;
}

/** Find the format that reads an input as binary, NULL if there is none. If a format was named, try
 * only that one. Return 0, or -1 after diag_error(). */
static int find_binary(const struct collapse *collapse, struct input *input,
		       const struct collapser **found) {
	struct str bytes;
	bool whole;
	*found = NULL;
	if (input_peek(input, SNIFF_BINARY, &bytes, &whole) != 0) {
		return -1;
	}
	for (size_t i = 0; collapse_formats[i] != NULL && *found == NULL; i++) {
		const struct collapser *format = collapse_formats[i];
		bool asked = collapse->format == NULL || collapse->format == format;
		if (asked && format->is_binary != NULL && format->is_binary(bytes)) {
			*found = format;
		}
	}
	return 0;
}

/** Read a text input. */
static int read_text(const struct collapse *collapse, struct input *input, size_t inputs,
		     struct profile *profile, struct crew **crews) {
	bool empty;
	struct sniffed sniffed;
	const struct collapser *other = NULL;
	int result = check_start(collapse, input, &empty);
	if (result == 0 && !(empty && collapse->format == NULL)) {
		result = collapse->format == NULL ? choose_format(collapse, input, &sniffed)
						  : check_format(collapse, input, &sniffed, &other);
		if (result == 0) {
			struct crew *crew =
				crew_of(crews, collapse, sniffed.format, profile, inputs);
			uint64_t before = crew_samples(crew);
			result = crew_read(crew, input, sniffed.skip_lines);
			if (result == 0 && other != NULL && crew_samples(crew) == before) {
				result = fail_other(collapse, input, other);
			}
		}
	}
	return result;
}

static int read_source(const struct collapse *collapse, const struct source *source, size_t inputs,
		       struct profile *profile, struct crew **crews) {
	struct input *input = input_open(source, collapse->diag);
	if (input == NULL) {
		return -1;
	}
	const struct collapser *binary;
	int result = find_binary(collapse, input, &binary);
	if (result == 0 && binary != NULL) {
		if (collapse->format == NULL) {
			diag_note(collapse->diag, "%s: read as %s", input_name(input),
				  binary->name);
		}
		result = crew_read_binary(crew_of(crews, collapse, binary, profile, inputs), input);
	} else if (result == 0) {
		result = read_text(collapse, input, inputs, profile, crews);
	}
	input_close(input);
	return result;
}

/** Forget the times of several inputs, which may have been taken on different clocks. */
static int drop_times(const struct collapse *collapse, struct profile *profile, size_t inputs) {
	bool known = profile_wants_times(profile) && profile->moments->any;
	profile_drop_times(profile);
	return known ? diag_warn(
			       collapse->diag,
			       "the page shows no times: the %zu inputs may have different clocks",
			       inputs)
		     : 0;
}

int collapse_sources(const struct collapse *collapse, const struct source *sources, size_t n,
		     struct profile *profile) {
	struct crew *crews = NULL;
	int result = 0;
	for (size_t i = 0; i < n && result == 0; i++) {
		result = read_source(collapse, &sources[i], n, profile, &crews);
	}
	while (crews != NULL) {
		struct crew *next = crews->next_crew;
		result = crew_finish(crews, result);
		crews = next;
	}
	if (result == 0 && n > 1) {
		result = drop_times(collapse, profile, n);
	}
	if (result == 0 && profile->overflow) {
		result = diag_error(collapse->diag,
				    "the counts are too large: a sum goes over 64 bits");
	}
	if (result == 0 && profile->too_deep) {
		result = diag_error(collapse->diag, "the stacks are too deep for a flame chart, "
						    "which keeps each of them");
	}
	return result;
}
