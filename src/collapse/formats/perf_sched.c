/*
 * perf-sched: the time that threads sleep, from the scheduler events that `perf script` prints.
 *
 * The event of a switch has the stack at which a thread went to sleep. A later event of the
 * kernel's statistics has the duration of the sleep, and the stack of the waker, the thread that
 * ended the sleep.
 */
#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/text.h"
#include "perf/line.h"
#include "perf/threads.h"

struct perf_sched_options {
	bool record_tid, record_wake_stack, recurse;
	const char *from, *to;
};

enum perf_sched_tally { TALLY_NOT_SEEN, TALLY_ASLEEP, TALLY_VANISHED, TALLY_LONG, TALLY_NO_FRAMES };

enum {
	CHAIN_MOST = 4096
}; // largest number of frames of a stack; without a limit, the chain of two threads that wake each
   // other would grow for ever

enum perf_sched_event { EVENT_OTHER, EVENT_SWITCH, EVENT_WAKE };

/** A thread. Its stacks have the root first. */
struct perf_sched_thread {
	bool offcpu, woken, chained; // `stack` and `slept_at` are set; `woken_at` is set; `chain`
				     // is set
	struct decimal slept_at, woken_at;
	struct ids stack; // stack at which the thread went to sleep
	struct ids chain; // stack of the thread when it was last woken, and the stacks of its
			  // wakers
};

struct perf_sched_state {
	STATE_HEAD(struct perf_sched_options);
	struct perf_range range;
	struct memo names;           // memo of names, as perf prints them
	struct memo memo;            // meanings of stack lines without the address
	struct perf_threads threads; // structs of perf_sched_thread
	struct intern sums; // sums of nanoseconds; the key is a stack, as the bytes of its ids

	enum perf_sched_event event; // event whose stack is being read
	bool in_sample;              // the stack of some event is being read
	struct buf line;             // text of the event line
	uint64_t number;             // line number of the event line in its block
	struct stack callers;        // frames of the event's stack, pushed from the leaf on
	struct ids key;              // stack to whose sum time is added
};

static void perf_sched_init(void *memory) {
	struct perf_sched_state *state = memory;
	state->range = perf_range_of(state->options->from, state->options->to);
}

/* --- Threads and sums ----------------------------------------------------------------------- */

static struct perf_sched_thread *perf_sched_thread_of(struct perf_sched_state *state,
						      uint64_t tid) {
	return perf_threads_get(&state->threads, (int64_t)tid, sizeof(struct perf_sched_thread));
}

/** Add a frame for a thread: its name, and its id if an option asks for it. If the name is empty,
 * add nothing. */
static void perf_sched_add_name(struct perf_sched_state *state, struct ids *ids, struct str comm,
				struct str tid) {
	buf_set_str(&state->run->name, comm);
	if (state->options->record_tid) {
		buf_add_char(&state->run->name, '-');
		buf_add_str(&state->run->name, tid);
	}
	struct str name = buf_str(&state->run->name);
	if (name.n > 0) {
		ids_push(ids, text_frame(state->run, &state->names, name));
	}
}

/** Add time to the sum of the current stack. If the profile keeps the order of stacks, add the time
 * to the profile instead. */
static void perf_sched_add_delay(struct perf_sched_state *state, uint64_t delay) {
	struct profile *profile = state->run->profile;
	const uint32_t *ids = state->key.items;
	if (state->key.n == 0) {
		state->run->tallies[TALLY_NO_FRAMES]++;
		return;
	}
	if (profile->form == PROFILE_TIMELINE) {
		profile_add(profile, ids, state->key.n, delay / 1000);
		return;
	}
	struct intern_key *sum = intern_get(&state->sums, ids, state->key.n * sizeof(*ids));
	profile->overflow |= !num_add(sum->value, delay, &sum->value);
}

/* --- Events --------------------------------------------------------------------------------- */

/** Find the text between `before` and `after` in the fields of an event. Use the first `after`, or
 * the last one if `last` is set. Set `*rest` to the text after it. */
static bool perf_sched_between(struct str fields, struct str before, struct str after, bool last,
			       struct str *value, struct str *rest) {
	size_t at = str_find_str(fields, before);
	if (at == STR_NONE) {
		return false;
	}
	*rest = str_from(fields, at + before.n);
	at = last ? str_find_last_str(*rest, after) : str_find_str(*rest, after);
	if (at == STR_NONE) {
		return false;
	}
	*value = str_to(*rest, at);
	*rest = str_from(*rest, at + after.n);
	return true;
}

/** Read the number at the start of a text. */
static bool perf_sched_number_at(struct str text, uint64_t *value) {
	size_t n = 0;
	while (n < text.n && is_digit(text.p[n])) {
		n++;
	}
	return num_parse_u64(str_to(text, n), value);
}

static int perf_sched_weird_event(struct perf_sched_state *state) {
	return run_warn(state->run, run_line((int64_t)state->number), "weird event line: '%s'",
			quote(buf_str(&state->line)).text);
}

static int perf_sched_end_switch(struct perf_sched_state *state, const struct perf_line *line) {
	struct str comm, rest;
	uint64_t tid;
	if (!perf_sched_between(line->rest, STR("prev_comm="), STR(" prev_pid="), false, &comm,
				&rest) ||
	    !perf_sched_number_at(rest, &tid)) {
		return perf_sched_weird_event(state);
	}
	if (tid == 0) {
		return 0; // the idle task does not sleep
	}
	struct perf_sched_thread *thread = perf_sched_thread_of(state, tid);
	thread->offcpu = true;
	thread->chained = false;
	thread->chain.n = thread->stack.n = 0;
	decimal_parse(line->time, 0, &thread->slept_at);
	ids_add(&thread->stack, stack_ids(&state->callers), stack_depth(&state->callers));
	return 0;
}

/** Add the waker: its stack, leaf first, and then its name. */
static void perf_sched_add_waker(struct perf_sched_state *state, const struct perf_line *line,
				 struct ids *stack) {
	for (size_t i = stack_depth(&state->callers); i > 0; i--) {
		ids_push(stack, stack_ids(&state->callers)[i - 1]);
	}
	perf_sched_add_name(state, stack, str_trim(line->comm), line->ids);
}

/** If another thread has woken the waker while this thread slept, add the waker's chain. The result
 * becomes the chain of this thread. */
static void perf_sched_add_chain(struct perf_sched_state *state, const struct perf_line *line,
				 struct perf_sched_thread *thread) {
	struct str ids = line->ids;
	size_t slash = str_find(ids, '/');
	uint64_t tid = 0;
	num_parse_u64(slash == STR_NONE ? ids : str_from(ids, slash + 1), &tid);
	const struct perf_sched_thread *waker = perf_threads_find(&state->threads, (int64_t)tid);
	if (waker != NULL && waker != thread && waker->woken && waker->chained &&
	    decimal_compare(waker->woken_at, thread->slept_at) > 0) {
		bool fits = thread->stack.n + waker->chain.n < CHAIN_MOST;
		state->run->tallies[TALLY_LONG] += !fits;
		if (fits) {
			ids_push(&thread->stack, text_frame(state->run, &state->names, STR("-")));
			ids_add(&thread->stack, waker->chain.items, waker->chain.n);
		}
	}
	thread->chained = true;
	ids_add(&thread->chain, thread->stack.items, thread->stack.n);
}

static int perf_sched_end_wake(struct perf_sched_state *state, const struct perf_line *line) {
	struct str comm, rest, ignored;
	uint64_t tid, delay;
	if (!perf_sched_between(line->rest, STR(" comm="), STR(" pid="), true, &comm, &rest) ||
	    !perf_sched_number_at(rest, &tid) ||
	    !perf_sched_between(rest, STR(" "), STR("delay="), false, &ignored, &rest) ||
	    !perf_sched_number_at(rest, &delay)) {
		return perf_sched_weird_event(state);
	}
	struct perf_sched_thread *thread = perf_sched_thread_of(state, tid);
	if (!thread->offcpu) {
		state->run->tallies[TALLY_NOT_SEEN]++;
		return 0;
	}
	thread->offcpu = false;
	thread->woken = true;
	thread->chain.n = 0;
	decimal_parse(line->time, 0, &thread->woken_at);
	if (state->options->record_wake_stack || state->options->recurse) {
		perf_sched_add_waker(state, line, &thread->stack);
	}
	if (state->options->recurse) {
		perf_sched_add_chain(state, line, thread);
	}
	char text[NUM_U64_MAX];
	struct str ids = {text, num_format_u64(text, tid)};
	state->key.n = 0;
	perf_sched_add_name(state, &state->key, comm, ids);
	ids_add(&state->key, thread->stack.items, thread->stack.n);
	perf_sched_add_delay(state, delay);
	return 0;
}

static int perf_sched_end_sample(struct perf_sched_state *state) {
	int result = 0;
	if (state->event != EVENT_OTHER) {
		struct perf_line line;
		perf_line_split(buf_str(&state->line), &line);
		result = state->event == EVENT_SWITCH ? perf_sched_end_switch(state, &line)
						      : perf_sched_end_wake(state, &line);
	}
	state->event = EVENT_OTHER;
	state->in_sample = false;
	stack_clear(&state->callers);
	return result;
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** Return the event in a line: the first word after the time or after the period. */
static enum perf_sched_event perf_sched_event_of(struct str rest) {
	rest = str_trim_start(rest);
	struct str word = str_cut(&rest, ' ');
	if (word.n > 0 && str_all_digits(word)) {
		rest = str_trim_start(rest);
		word = str_cut(&rest, ' ');
	}
	if (str_eq(word, STR("sched:sched_switch:"))) {
		return EVENT_SWITCH;
	}
	bool wake = str_eq(word, STR("sched:sched_stat_sleep:")) ||
		    str_eq(word, STR("sched:sched_stat_blocked:"));
	return wake ? EVENT_WAKE : EVENT_OTHER;
}

static void perf_sched_start_sample(struct perf_sched_state *state, const struct perf_line *parts,
				    struct str line, uint64_t number) {
	state->in_sample = true;
	state->event = perf_sched_event_of(parts->rest);
	state->number = number;
	state->run->samples += state->event != EVENT_OTHER;
	if (perf_range_place(&state->range, parts->time) != PERF_INSIDE) {
		state->event = EVENT_OTHER;
	}
	buf_set_str(&state->line, line);
}

/** Return the function of a stack line: all words before the module, with one blank between two
 * words. */
static struct str perf_sched_function_of(struct perf_sched_state *state, struct str words) {
	buf_clear(&state->run->name);
	size_t last = STR_NONE;
	for (struct str rest = str_trim(words); rest.n > 0; rest = str_trim_start(rest)) {
		size_t end = 0;
		while (end < rest.n && rest.p[end] != ' ' && rest.p[end] != '\t') {
			end++;
		}
		last = state->run->name.n;
		if (last > 0) {
			buf_add_char(&state->run->name, ' ');
		}
		buf_add_str(&state->run->name, str_to(rest, end));
		rest = str_from(rest, end);
	}
	bool alone = last == STR_NONE || last == 0;
	return str_to(buf_str(&state->run->name), alone ? state->run->name.n : last);
}

static int perf_sched_stack_line(struct perf_sched_state *state, struct str line, uint64_t number) {
	struct str words = str_trim_start(line);
	size_t end = 0;
	while (end < words.n && words.p[end] != ' ' && words.p[end] != '\t') {
		end++;
	}
	words = str_from(words, end);
	struct meaning meaning = memo_find(&state->memo, words, 0);
	if (meaning.kind == MEANS_UNKNOWN) {
		struct str name = perf_sched_function_of(state, words);
		if (name.n == 0) {
			return run_warn(state->run, number, "weird stack line: '%s'",
					quote(line).text);
		}
		meaning = meaning_frame(text_frame(state->run, &state->names, name));
		memo_add(&state->memo, words, 0, meaning);
	}
	stack_push(&state->callers, meaning.id);
	return 0;
}

/** Read a line. A line that begins with a tab is a stack line. A line that begins with a blank may
 * be a stack line or an event line. */
static int perf_sched_line(void *memory, struct str line, uint64_t number) {
	struct perf_sched_state *state = memory;
	struct perf_line parts = {.certain = false};
	if (str_starts(line, STR("#"))) {
		return 0;
	}
	line = str_trim_end(line);
	if (line.n == 0) {
		return perf_sched_end_sample(state);
	}
	if (line.p[0] != '\t') {
		perf_line_split(line, &parts);
	}
	if (parts.certain && parts.time.n > 0) {
		int result = perf_sched_end_sample(state);
		perf_sched_start_sample(state, &parts, line, number);
		return result;
	}
	if (!state->in_sample || (line.p[0] != '\t' && line.p[0] != ' ')) {
		return run_warn(state->run, number, "weird event line: '%s'", quote(line).text);
	}
	return state->event == EVENT_OTHER ? 0 : perf_sched_stack_line(state, line, number);
}

/** Drop the threads, because ids and times are valid only in one input. */
static void perf_sched_end_of_input(struct perf_sched_state *state) {
	for (uint32_t i = 0; i < state->threads.tids.count; i++) {
		struct perf_sched_thread *thread = perf_threads_at(&state->threads, i);
		state->run->tallies[TALLY_ASLEEP] += thread->offcpu;
		ids_release(&thread->stack);
		ids_release(&thread->chain);
	}
	perf_threads_release(&state->threads);
}

static int perf_sched_block(void *memory, const struct block *block) {
	struct perf_sched_state *state = memory;
	int result = run_lines(state->run, block, state, perf_sched_line);
	if (result == 0 && block->last) {
		result = perf_sched_end_sample(state);
		perf_sched_end_of_input(state);
	}
	state->number -= state->run->lines; // make the line number relative to the next block
	return result;
}

static int perf_sched_decide(void *const *states, size_t n, struct diag *diag) {
	(void)n; // the order of the events matters, so there is only one worker
	return perf_range_check(&((struct perf_sched_state *)states[0])->range, diag);
}

static void perf_sched_finish(void *memory) {
	struct perf_sched_state *state = memory;
	for (uint32_t i = 0; i < state->sums.count; i++) {
		const struct intern_key *sum = state->sums.keys[i];
		state->run->tallies[TALLY_VANISHED] += sum->value < 1000;
		if (sum->value >= 1000) {
			profile_add(state->run->profile, (const uint32_t *)(const void *)sum->bytes,
				    sum->len / sizeof(uint32_t), sum->value / 1000);
		}
	}
}

static void perf_sched_release(void *memory) {
	struct perf_sched_state *state = memory;
	perf_sched_end_of_input(state);
	memo_release(&state->names);
	memo_release(&state->memo);
	intern_release(&state->sums);
	buf_release(&state->line);
	stack_release(&state->callers);
	ids_release(&state->key);
}

/** Search for both kinds of events. With only one kind, no time could be counted: then give weak
 * evidence, so that the format perf reads the input. */
static int perf_sched_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool met[EVENT_WAKE + 1] = {false}, events = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		struct perf_line parts;
		line = str_trim_end(line);
		if (line.n == 0 || line.p[0] == '#' || line.p[0] == '\t') {
			continue;
		}
		perf_line_split(line, &parts);
		if (parts.certain && parts.time.n > 0) {
			met[perf_sched_event_of(parts.rest)] = events = true;
			if (met[EVENT_SWITCH] && met[EVENT_WAKE]) {
				return 3 * SNIFF_SHAPE + SNIFF_HINT;
			}
		} else if (!events) {
			return SNIFF_NO;
		}
	}
	return !whole                                 ? SNIFF_MORE
	       : met[EVENT_SWITCH] || met[EVENT_WAKE] ? SNIFF_COULD_BE
						      : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct perf_sched_options, record_tid), .name = "record-tid",
	 .help = "add the thread id to the names of processes"},
	{OPT_IS_BOOL(struct perf_sched_options, record_wake_stack), .name = "record-wake-stack",
	 .help = "add the stack of the waker, the thread that woke the sleeping one"},
	{OPT_IS_BOOL(struct perf_sched_options, recurse), .name = "recurse",
	 .help = "add the stacks of the waker, of the waker's waker, and so on"},
	{OPT_IS_TEXT(struct perf_sched_options, from), .name = "from", .value = "SECONDS",
	 .check = perf_check_time,
	 .help = "leave out events before this time, as 'perf script' prints it"},
	{OPT_IS_TEXT(struct perf_sched_options, to), .name = "to", .value = "SECONDS",
	 .check = perf_check_time, .help = "leave out events at this time and later"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"echo 1 > /proc/sys/kernel/sched_schedstats", "make the kernel measure sleeps, as root"},
	{"perf record -g -e 'sched:sched_switch,sched:sched_stat_*' -a -- sleep 1", "record them"},
	{"perf script -F comm,pid,tid,time,event,ip,sym,dso,trace > out.perf", "print them"},
	{"inferno collapse perf-sched out.perf > out.folded", "fold the time asleep"},
	{NULL, NULL},
};

const struct collapser collapse_perf_sched = {
	.name = "perf-sched",
	.aliases = (const char *const[]){"stackcollapse-perf-sched", NULL},
	.brief = "fold time asleep from perf's scheduler events",
	.about = "Reads scheduler events that 'perf script' prints: sched:sched_switch, with the "
		 "stack of a thread that goes to sleep, and sched:sched_stat_sleep or "
		 "sched:sched_stat_blocked, which report how long a thread slept before its "
		 "wake-up. Counts are microseconds. When the format is guessed, text of 'perf "
		 "script' is read as perf-sched if it has both a switch and a wake-up, else as "
		 "perf.\n\nA sleep counts only if its start and its end were recorded.",
	.examples = examples,
	.options = {options, sizeof(struct perf_sched_options)},
	.state_size = sizeof(struct perf_sched_state),
	.sniff = perf_sched_sniff,
	.init = perf_sched_init,
	.block = perf_sched_block,
	.decide = perf_sched_decide,
	.finish = perf_sched_finish,
	.release = perf_sched_release,
	.unit = "microseconds",
	.tallies =
		{
			[TALLY_NOT_SEEN] =
				"left out wake-ups of threads that were not seen to go to sleep",
			[TALLY_ASLEEP] = "left out threads that were not seen to wake up",
			[TALLY_VANISHED] = "left out stacks of less than a microsecond",
			[TALLY_LONG] = "chains of wakers cut short",
			[TALLY_NO_FRAMES] = "left out sleeps without name and frames",
		},
	.expects = "the output of 'perf script' for sched:sched_switch and sched:sched_stat_sleep",
};
