/*
 * perf: the text that `perf script` prints, and recordings.
 *
 * A sample consists of an event line, stack lines from the leaf to the root, and an empty line.
 * Most stack lines differ from an earlier stack line only in the address. So the text after the
 * address is looked up in a memo, and is parsed only if it is new.
 *
 * perf prints the fields and records that its options select. So a sample may lack its event line
 * or its empty line, and other lines may come before and after it.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "collapse/collapser.h"
#include "perf/event_select.h"
#include "perf/recording.h"
#include "perf/perf_sample.h"
#include "profile/memo.h"

struct perf_options {
	bool pid, tid, addrs, jit, kernel, all, by_package, srcline;
	const char *event_filter, *from, *to;
	struct opt_list skip_after;
	struct perf_recording_options recording;
};

enum perf_tally {
	TALLY_NO_FRAMES,
	TALLY_NO_FUNCTION,
	TALLY_SOURCE_LINES,
	TALLY_IDLE,
	TALLY_NO_TIME,
};

/** A kind of meaning, besides the kinds in perf/stack.h: the line is not a stack line. */
enum { LINE_IS_WEIRD = MEANS_IDLE + 1 };

/** The place of the next line in the text. */
enum place {
	PLACE_OUTSIDE,
	PLACE_NAMELESS, // outside of samples, where an empty line may stand for an event line
	PLACE_UNSURE,   // after a line that is an event line only if a stack line comes next
	PLACE_RECORD,   // after a record, or after the columns that end a sample
	PLACE_SAMPLE,
	PLACE_ONE_LINE, // after an event line that contains a stack line
};

struct perf_state {
	STATE_HEAD(struct perf_options);

	struct memo memo; // meanings of the text after the address of stack lines; the second
			  // meaning is for Java processes
	struct intern functions[2]; // meanings of the same text without the offset; the second
				    // table is for Java processes
	struct buf function;        // scratch memory for a text without the offset
	struct perf_names names;
	struct perf_range range;
	struct event_select select;
	struct perf_process process;
	struct perf_sample sample;
	size_t line_depth; // number of frames of the last stack line, for --srcline

	struct perf_last last; // text of the last event line
	// the time of the last event line was in the range, so `select` has met its event
	bool event_met;
	bool event_kept;
	bool has_period; // perf printed the period of the last event

	enum place place;
	bool skipped;  // skip the remaining lines of the sample
	bool rootless; // --skip-after has removed the root

	struct buf unsure; // in PLACE_UNSURE: the previous line
	uint64_t unsure_number;
};

/* --- Samples -------------------------------------------------------------------------------- */

static void perf_end_sample(struct perf_state *state) {
	if (state->place < PLACE_SAMPLE) {
		return;
	}
	state->place = PLACE_OUTSIDE;
	if (stack_depth(&state->sample.stack) == 0) {
		state->run->samples += state->skipped;
		state->run->tallies[TALLY_NO_FRAMES] += !state->skipped;
		return;
	}
	state->run->samples++;
	if (!state->rootless && state->sample.root.named) {
		stack_push(&state->sample.stack, state->sample.root.frame);
	}
	state->sample.event = event_select_current(&state->select);
	perf_sample_fold(&state->sample);
}

static void perf_start_sample(struct perf_state *state) {
	state->place = PLACE_SAMPLE;
	state->rootless = false;
	state->skipped = !state->event_kept;
	event_select_current(&state->select)->samples++;
	memo_start(&state->memo);
}

/* --- Stack lines ---------------------------------------------------------------------------- */

/** Return the meaning of a stack line. `parts` point into `run->text`, in which the caller has
 * repaired the UTF-8 of the line. */
static struct meaning perf_parse_stack_line(struct perf_state *state,
					    const struct perf_frame *parts) {
	const struct perf_options *options = state->options;
	struct str function = parts->function;
	if (str_starts(function, STR("(")) && !str_starts(function, STR("(anonymous namespace)"))) {
		return (struct meaning){.kind = MEANS_NOTHING}; // the line names a process, so it
								// has no frame
	}
	if (options->recording.symbols.no_inline && parts->inlined) {
		return (struct meaning){.kind = MEANS_NOTHING};
	}
	struct meaning meaning = perf_name_frame(&state->names, parts, state->sample.root.java);
	if (profile_wants_sites(state->names.profile)) {
		const struct site site = perf_site_of(&state->names, parts, STR(""));
		perf_add_site(&state->names, &meaning, &site);
	}
	return meaning;
}

/** Return whether the names of a line's frames contain the address of the line, so that other lines
 * must not share its meaning. Return false for a single frame: the mark PERF_SHOWS_ADDRESS says
 * that each line adds its own address. */
static bool perf_shows_address(const struct perf_state *state, struct meaning meaning,
			       struct str key) {
	return state->options->addrs && (meaning.mark & PERF_SHOWS_ADDRESS) == 0 &&
	       str_has(key, STR("[unknown]"));
}

/** Remember the meaning of a line for all lines that differ from it only in the offset. */
static void perf_learn_function(struct perf_state *state, struct str key, struct meaning meaning) {
	struct str text = perf_without_offset(key, &state->function);
	if (text.n > 0) {
		struct intern *functions = &state->functions[state->sample.root.java];
		memcpy(&intern_get(functions, text.p, text.n)->value, &meaning, sizeof(meaning));
	}
}

/**
 * Look up a line without its offset, if memo_step() has not found the line. Return the length of
 * the line with the line end. If the line must be parsed, return 0. With this function, folding a
 * recording of a compiler takes a sixth less time.
 */
static size_t perf_known_function(struct perf_state *state, struct str text) {
	size_t n = str_find(text, '\n');
	struct str line = str_to(text, n == STR_NONE || n == 0 ? 0 : n);
	struct str function = perf_without_offset(line, &state->function);
	const struct intern_key *key =
		function.n == 0 ? NULL
				: intern_find(&state->functions[state->sample.root.java],
					      function.p, function.n);
	if (key == NULL) {
		return 0;
	}
	struct meaning meaning;
	memcpy(&meaning, &key->value, sizeof(meaning));
	memo_learn(&state->memo, line, state->sample.root.java, meaning);
	return n + 1;
}

/** Return the meaning of a stack line, from the memo if it has the line. */
static struct meaning perf_look_up(struct perf_state *state, struct str line) {
	struct str key = str_trim_start(line);
	str_cut(&key, ' '); // remove the address; if the line has only one word, the key is empty
	struct meaning meaning = memo_find(&state->memo, key, state->sample.root.java);
	if (meaning.kind != MEANS_UNKNOWN) {
		return meaning;
	}
	struct perf_frame parts;
	struct str text = utf8_repaired(&state->run->text, line);
	bool split = perf_stack_split(text, &parts);
	if (split && (line.p[0] == '\t' || perf_is_address(parts.address) ||
		      perf_other_of(text) == PERF_WEIRD)) {
		meaning = perf_parse_stack_line(state, &parts);
		if (!perf_shows_address(state, meaning, key)) {
			memo_add(&state->memo, key, state->sample.root.java, meaning);
			perf_learn_function(state, key, meaning);
		}
		return meaning;
	}
	if (!perf_stack_split_part(text, state->place == PLACE_ONE_LINE, &parts)) {
		return (struct meaning){.kind = LINE_IS_WEIRD};
	}
	// do not remember the meaning, because each line without a function is counted
	if (parts.function.n == 0) {
		state->run->tallies[TALLY_NO_FUNCTION]++;
		if (parts.inlined) {
			return (struct meaning){.kind = MEANS_NOTHING};
		}
		parts.function = STR("[unknown]");
		return perf_parse_stack_line(state, &parts);
	}
	meaning = perf_parse_stack_line(state, &parts);
	memo_add(&state->memo, key, state->sample.root.java, meaning);
	return meaning;
}

/** Return whether the source lines after frames are used. */
static bool perf_takes_sources(const struct perf_state *state) {
	return state->options->srcline || profile_wants_sites(state->run->profile);
}

/** Add a source file and line to the innermost frame of the last stack line. */
static void perf_show_source(struct perf_state *state, struct str source) {
	struct stack *stack = &state->sample.stack;
	size_t depth = stack_depth(stack);
	if (depth > state->line_depth && source.n > 0) {
		uint32_t *frame = stack_ids(stack) + depth - state->line_depth - 1;
		*frame = perf_set_source(&state->names, *frame,
					 utf8_repaired(&state->run->text, source),
					 state->options->srcline);
	}
	state->line_depth = depth;
}

/** Read a line in a sample that is not a stack line. */
static int perf_other_line(struct perf_state *state, struct str line, uint64_t number) {
	switch (perf_other_of(line)) {
	case PERF_SOURCE:
		if (perf_takes_sources(state)) {
			perf_show_source(state, perf_source_of(line));
		} else {
			state->run->tallies[TALLY_SOURCE_LINES]++;
		}
		return 0;
	case PERF_COLUMNS:
		perf_end_sample(state);
		state->place = PLACE_RECORD;
		return 0;
	case PERF_INSTRUCTION:
		return 0;
	case PERF_WEIRD:
		break;
	}
	return run_warn(state->run, number, "weird stack line: '%s'", quote(line).text);
}

/** Push the frame of an unknown function at this address. `plain` is the frame without the address.
 */
static void perf_push_address(struct perf_state *state, uint32_t plain, struct str address) {
	stack_push(&state->sample.stack, perf_add_address(&state->names, plain, address));
}

static int perf_stack_line(struct perf_state *state, struct str line, uint64_t number) {
	struct meaning meaning = perf_look_up(state, line);
	if (meaning.kind == LINE_IS_WEIRD) {
		return perf_other_line(state, line, number);
	}
	if (meaning.kind == MEANS_IDLE) {
		state->run->tallies[TALLY_IDLE]++;
		state->skipped = true;
		return 0;
	}
	if (meaning.kind == MEANS_NOTHING) {
		return 0;
	}
	struct str rest = str_trim_start(line), address = str_cut(&rest, ' ');
	state->line_depth = stack_depth(&state->sample.stack);
	if ((meaning.mark & PERF_SHOWS_ADDRESS) != 0) {
		perf_push_address(state, meaning.id, utf8_repaired(&state->run->text, address));
	} else {
		stack_push_meaning(&state->sample.stack, &state->names.lists, meaning);
	}
	// Leave out the callers. With --skip-after, leave out the root, too.
	if ((meaning.mark & PERF_ENDS_STACK) != 0) {
		state->skipped = true;
		state->rootless = !state->options->by_package;
	}
	return 0;
}

/** Read the next stack lines as long as they have the usual form and are in the memo. Nearly all
 * lines are read by this function. */
static void perf_known_stack_lines(struct perf_state *state, struct lines *lines) {
	struct memo *memo = &state->memo;
	const struct ids *lists = &state->names.lists;
	struct str rest = lines->rest;
	uint64_t number = lines->number;
	size_t java = state->sample.root.java;
	while (perf_has_plain_address(rest)) {
		struct str text = str_from(rest, PERF_AFTER_ADDRESS);
		size_t n = memo_step(memo, text);
		if (n == 0) {
			n = perf_known_function(state, text);
			if (n == 0) {
				break;
			}
		}
		struct meaning meaning = memo_meaning(memo, java);
		if (meaning.mark == PERF_SHOWS_ADDRESS) {
			struct str address = {rest.p + 1, PERF_ADDRESS_COLUMNS};
			perf_push_address(state, meaning.id, str_trim_start(address));
		} else if (meaning.mark != 0 ||
			   !stack_push_meaning(&state->sample.stack, lists, meaning)) {
			break;
		}
		rest = str_from(text, n);
		number++;
	}
	*lines = (struct lines){rest, number};
}

/* --- Events --------------------------------------------------------------------------------- */

/** Set the time of the sample that starts. */
static void perf_note_time(struct perf_state *state, struct str text) {
	const uint64_t second = 1000000000;
	struct perf_sample *sample = &state->sample;
	struct decimal time;
	sample->timed = decimal_parse(text, 0, &time) && time.whole >= 0 &&
			(uint64_t)time.whole < UINT64_MAX / second;
	if (sample->timed) {
		sample->from = sample->to = (uint64_t)time.whole * second + time.part / second;
	}
}

/** Set the count of a sample from its period. */
static void perf_set_period(struct perf_state *state, uint64_t period) {
	bool alone = state->options->recording.weight == PERF_WEIGHT_SAMPLES;
	state->sample.count = alone ? 1 : period;
	state->sample.period = state->has_period ? period : 0;
}

/** Start a sample whose event line may have a stack line on it. */
static int perf_start_on_line(struct perf_state *state, struct str stack, uint64_t number) {
	perf_start_sample(state);
	if (stack.n == 0) {
		return 0;
	}
	state->place = PLACE_ONE_LINE;
	return state->skipped ? 0 : perf_stack_line(state, stack, number);
}

/** Return where a time is relative to the range. Count the samples without a time in a tally. */
static enum perf_place perf_place_of(struct perf_state *state, struct str time) {
	if (!state->range.given) {
		return PERF_INSIDE;
	}
	enum perf_place place = perf_range_place(&state->range, time);
	state->run->tallies[TALLY_NO_TIME] += place == PERF_WITHOUT_TIME;
	return place;
}

/** Start a sample that is left out because its time is missing, or outside of --from and --to. */
static void perf_start_outside(struct perf_state *state, bool one_line) {
	state->place = one_line ? PLACE_ONE_LINE : PLACE_SAMPLE;
	state->skipped = true;
	state->rootless = false;
}

/** Start a sample of the same event as the previous sample. Return false if `select` has not met
 * this event yet. */
static bool perf_start_again(struct perf_state *state, struct str time, uint64_t period) {
	if (perf_place_of(state, time) != PERF_INSIDE) {
		perf_start_outside(state, false);
		return true;
	}
	if (state->event_met) {
		perf_set_period(state, period);
		perf_start_sample(state);
	}
	return state->event_met;
}

/** Read the event in an event line, and start the sample. */
static int perf_read_event(struct perf_state *state, const struct perf_line *line, struct str whole,
			   uint64_t number) {
	uint64_t period;
	bool made;
	if (perf_last_has_event(&state->last, line, &period) &&
	    perf_start_again(state, line->time, period)) {
		perf_last_keep_process(&state->last, line);
		if (state->process.labels) {
			perf_note_time(state, line->time);
		}
		return 0;
	}
	struct perf_event event = perf_event_of(line);
	struct str stack = event.payload.n > 0 ? perf_stack_in(event.payload) : STR("");
	perf_last_keep(&state->last, line, &event);
	state->event_met = perf_place_of(state, line->time) == PERF_INSIDE;
	if (!state->event_met) {
		perf_start_outside(state, stack.n > 0);
		return 0;
	}
	state->event_kept = event_select_meet(&state->select, &event, &made);
	if (made) {
		(void)run_notice(state->run, NOTICE_NOTE, number, EVENT_SELECT_NOTE,
				 quote(perf_event_plain(event.name)).text);
	}
	state->has_period = event.has_period;
	perf_set_period(state, event.period);
	if (state->process.labels) {
		perf_note_time(state, line->time);
	}
	if (event.period_too_large &&
	    run_warn(state->run, number, "the period is too large and counts as 1: '%s'",
		     quote(whole).text) != 0) {
		return -1;
	}
	return perf_start_on_line(state, stack, number);
}

/** Decide whether the last line is an event line. The line is an event line if a stack line comes
 * next (`stack_follows`). */
static int perf_settle_unsure(struct perf_state *state, bool stack_follows) {
	struct str line = buf_str(&state->unsure);
	uint64_t number = run_line((int64_t)state->unsure_number);
	state->place = PLACE_OUTSIDE;
	if (!stack_follows) {
		return run_warn(state->run, number, "weird event line: '%s'", quote(line).text);
	}
	struct perf_line parts;
	perf_line_split(line, &parts);
	state->sample.root = perf_process_of_line(&state->process, &parts);
	return perf_read_event(state, &parts, line, number);
}

/** Keep a line that may be an event line until the next line decides it. */
static void perf_keep_unsure(struct perf_state *state, struct str line, uint64_t number) {
	buf_set_str(&state->unsure, line);
	state->unsure_number = number;
	state->place = PLACE_UNSURE;
}

static int perf_event_line(struct perf_state *state, struct str line, uint64_t number) {
	struct perf_line parts;
	perf_line_split(line, &parts);
	if (perf_line_is_record(line, &parts)) {
		state->place = PLACE_RECORD;
		return 0;
	}
	state->place = PLACE_OUTSIDE;
	if (parts.weak && perf_stack_in(parts.rest).n == 0 &&
	    perf_last_address(parts.rest).n == 0) {
		perf_keep_unsure(state, line, number);
		return 0;
	}
	state->sample.root = perf_process_of_line(&state->process, &parts);
	return perf_read_event(state, &parts, line, number);
}

/** If the next line has the form of the last event line, read it. Most event lines have this
 * form. */
static bool perf_known_event_line(struct perf_state *state, struct lines *lines) {
	struct perf_line line;
	uint64_t period;
	size_t n = perf_last_take(&state->last, lines->rest, &line, &period);
	if (n == 0 || !perf_start_again(state, line.time, period)) {
		return false;
	}
	if (state->process.labels) {
		perf_note_time(state, line.time);
	}
	if (line.ids.n > 0 && perf_process_has_ids(&state->process)) {
		state->sample.root = perf_process_of_line(&state->process, &line);
	}
	*lines = (struct lines){str_from(lines->rest, n), lines->number + 1};
	return true;
}

/* --- Lines ---------------------------------------------------------------------------------- */

static bool perf_is_stack_line(struct str line) {
	struct perf_frame parts;
	return line.p[0] == '\t' &&
	       ((perf_stack_split(line, &parts) && perf_is_address(parts.address)) ||
		perf_stack_split_part(line, false, &parts));
}

/** Return whether a line after a record is a part of this record. */
static bool perf_goes_on(struct str line) {
	struct perf_line parts;
	if (line.p[0] != '\t' && line.p[0] != ' ') {
		return false;
	}
	perf_line_split(line, &parts);
	return parts.time.n == 0;
}

static int perf_outside_line(struct perf_state *state, struct str line, uint64_t number) {
	bool stack = perf_is_stack_line(line);
	if (state->place == PLACE_UNSURE) {
		int result = perf_settle_unsure(state, stack);
		if (result != 0 || stack) {
			return result != 0 || state->skipped ? result
							     : perf_stack_line(state, line, number);
		}
	}
	if (state->place == PLACE_NAMELESS && stack) {
		struct perf_line none;
		perf_line_split(STR(""), &none);
		state->sample.root = perf_process_of_line(&state->process, &none);
		int result = perf_read_event(state, &none, STR(""), number);
		return result != 0 || state->skipped ? result
						     : perf_stack_line(state, line, number);
	}
	if (line.p[0] == '|') {
		state->run->tallies[TALLY_SOURCE_LINES]++;
		return 0;
	}
	if (state->place == PLACE_RECORD && perf_goes_on(line)) {
		return 0;
	}
	return perf_event_line(state, line, number);
}

/** Return whether a line in a sample starts another sample. This is so if perf has left out the
 * empty line between two samples. */
static bool perf_starts_another(const struct perf_state *state, struct str line) {
	if (line.p[0] == '\t') {
		return false;
	}
	if (state->place == PLACE_ONE_LINE) {
		return perf_other_of(line) != PERF_SOURCE;
	}
	struct perf_line parts;
	perf_line_split(line, &parts);
	return parts.certain || perf_line_is_record(line, &parts);
}

static int perf_sample_line(struct perf_state *state, struct str line, uint64_t number) {
	if (perf_starts_another(state, line)) {
		perf_end_sample(state);
		return perf_outside_line(state, line, number);
	}
	if (state->place == PLACE_ONE_LINE &&
	    line.p[0] == '\t') { // the event line ends in an address, not in a stack line
		state->place = PLACE_SAMPLE;
		stack_clear(&state->sample.stack);
		memo_start(&state->memo);
	}
	if (!state->skipped) {
		return perf_stack_line(state, line, number);
	}
	return line.p[0] == '\t' || perf_other_of(line) == PERF_WEIRD
		       ? 0
		       : perf_other_line(state, line, number);
}

static int perf_empty_line(struct perf_state *state) {
	if (state->place == PLACE_UNSURE) {
		return perf_settle_unsure(state, false);
	}
	bool ended = state->place >= PLACE_SAMPLE;
	perf_end_sample(state);
	state->place = ended ? PLACE_OUTSIDE : PLACE_NAMELESS;
	return 0;
}

static int perf_any_line(struct perf_state *state, struct str line, uint64_t number) {
	if (line.n > 0 && line.p[0] == '#') {
		return 0;
	}
	line = str_trim_end(line);
	if (line.n == 0) {
		return perf_empty_line(state);
	}
	return state->place >= PLACE_SAMPLE ? perf_sample_line(state, line, number)
					    : perf_outside_line(state, line, number);
}

/** After an empty line, prefetch for the first stack line of the next sample; see memo_expect(). */
static void perf_look_ahead(struct perf_state *state, struct str text) {
	text = str_from(text, 1);
	size_t event = str_find(text, '\n');
	struct str line = event == STR_NONE ? STR("") : str_from(text, event + 1);
	if (perf_has_plain_address(line)) {
		memo_expect(&state->memo, str_from(line, PERF_AFTER_ADDRESS));
	} else {
		memo_expect_nothing(&state->memo);
	}
}

/** Read the next lines as long as they have the usual form and are in the memo. */
static void perf_known_lines(struct perf_state *state, struct lines *lines) {
	uint64_t before = lines->number;
	do {
		if (state->place == PLACE_SAMPLE && !state->skipped && !perf_takes_sources(state)) {
			perf_known_stack_lines(state, lines);
		}
		if (state->place < PLACE_SAMPLE || lines->rest.n == 0 || lines->rest.p[0] != '\n') {
			break;
		}
		perf_look_ahead(state, lines->rest);
		perf_end_sample(state);
		*lines = (struct lines){str_from(lines->rest, 1), lines->number + 1};
	} while (perf_known_event_line(state, lines));
	memo_expect_nothing(&state->memo);
	state->run->known += lines->number - before;
}

/* --- The collapser -------------------------------------------------------------------------- */

static void perf_init(void *memory) {
	struct perf_state *state = memory;
	const struct perf_options *given = state->options;
	state->range = perf_range_of(given->from, given->to);
	bool timed = perf_counts_time(&given->recording) || given->recording.io != FILE_IO_NONE;
	event_select_init(&state->select, state->run->profile, timed ? 1 : state->run->inputs,
			  given->event_filter);
	state->select.by_value = state->run->value != NULL;
	state->select.parts = state->run->parts;
	struct profile *profile = event_select_profile(&state->select);
	state->names.profile = state->process.profile = profile;
	state->names.options = (struct perf_naming){.addrs = given->addrs,
						    .jit = given->jit || given->all,
						    .kernel = given->kernel || given->all,
						    .by_package = given->by_package,
						    .skip_after = &given->skip_after};
	state->process.pid = given->pid;
	state->process.tid = given->tid;
	state->process.labels = profile_wants_times(state->run->profile);
	state->process.hide_numbers = given->by_package;
}

/** Warn about given options that have an effect only on recordings. */
static int perf_warn_of_options(const struct perf_state *state) {
	const struct perfdata_options *symbols = &state->options->recording.symbols;
	const struct {
		const char *name;
		bool given;
	} options[] = {{"symfs", symbols->symfs != NULL},
		       {"debug-dir", symbols->debug_dir != NULL},
		       {"kallsyms", symbols->kallsyms != NULL},
		       {"debuginfod", symbols->debuginfod}};
	int result = 0;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]) && result == 0; i++) {
		if (options[i].given) {
			result = run_warn(state->run, 0,
					  "--%s has no effect on text: perf has already looked up "
					  "its names",
					  options[i].name);
		}
	}
	return result;
}

static int perf_block(void *memory, const struct block *block) {
	struct perf_state *state = memory;
	struct lines lines = {.rest = block->bytes};
	int result = 0;
	if (state->options->recording.off_cpu || state->options->recording.wall) {
		return run_error(state->run, 0,
				 "--%s needs a recording; to fold text, use 'inferno collapse "
				 "perf-sched'",
				 state->options->recording.wall ? "wall" : "off-cpu");
	}
	if (state->options->recording.io != FILE_IO_NONE) {
		return run_error(state->run, 0,
				 "--io needs a recording, which tells how many bytes were read; "
				 "record with: inferno record --io -o out.data -- COMMAND");
	}
	if (state->options->recording.latency) {
		return run_error(state->run, 0,
				 "--latency needs a recording, which tells when each thread ran; "
				 "record with: inferno record --latency -o out.data -- COMMAND");
	}
	if (state->options->recording.gil) {
		return run_error(
			state->run, 0,
			"--gil needs a recording, which tells when each thread held the GIL; "
			"record with: inferno record -o out.data -- python3 PROGRAM");
	}
	if (state->options->recording.per_cpu) {
		return run_error(state->run, 0,
				 "--per-cpu needs a recording: name its file, such as perf.data, "
				 "instead of the output of 'perf script'");
	}
	if (state->options->recording.weight == PERF_WEIGHT_TIME) {
		return run_error(state->run, 0,
				 "--weight time needs a recording: text does not say how much time "
				 "a sample stands for");
	}
	if (block->first) {
		result = perf_warn_of_options(state);
		state->select.input_starts = true;
		perf_last_forget(&state->last);
		state->place = PLACE_NAMELESS;
	}
	for (struct str line; result == 0 && lines_next(&lines, &line);) {
		result = perf_any_line(state, line, lines.number);
		perf_known_lines(state, &lines);
	}
	if (block->last && result == 0) {
		result = perf_empty_line(state);
	}
	state->unsure_number -= lines.number; // make the line number relative to the next block
	state->run->lines = lines.number;
	return result;
}

static int perf_read(void *memory, struct input *input, struct diag *diag) {
	struct perf_state *state = memory;
	const struct perf_options *options = state->options;
	const struct perf_folding folding = {
		.options = &options->recording,
		.srcline = options->srcline,
		.range = &state->range,
		.profile = state->run->profile,
		.samples = &state->run->samples,
		.names = &state->names,
		.select = &state->select,
		.process = &state->process,
		.watch = state->run->watch,
	};
	return perf_fold_recording(&folding, input, diag);
}

static bool perf_ready(const void *memory) {
	return event_select_ready(&((const struct perf_state *)memory)->select);
}

static void perf_follow(void *memory, const void *first) {
	event_select_follow(&((struct perf_state *)memory)->select,
			    &((const struct perf_state *)first)->select);
}

/** Return the end of the last complete sample in some bytes. An empty line ends a sample. Of
 * several empty lines in a row, the second may start the next sample. Empty lines at the start of
 * the input end no sample: the last of them may start the first sample. */
static size_t perf_cut(struct str bytes) {
	for (size_t end = bytes.p == NULL ? 0 : bytes.n; end > 1;) {
		const char *newline = memrchr(bytes.p, '\n', end);
		if (newline == NULL || newline == bytes.p) {
			return 0;
		}
		const char *last = newline;
		while (newline - bytes.p > 1 && newline[-1] == '\n' && newline[-2] == '\n') {
			newline--;
		}
		if (newline[-1] == '\n') {
			bool starts = newline - bytes.p == 1 && last > newline;
			return (size_t)((starts ? last - 1 : newline) - bytes.p) + 1;
		}
		end = (size_t)(newline - bytes.p);
	}
	return 0;
}

static int perf_decide(void *const *states, size_t n, struct diag *diag) {
	struct event_select **selects = mem_new(n, sizeof(struct event_select *));
	for (size_t i = 0; i < n; i++) {
		selects[i] = &((struct perf_state *)states[i])->select;
	}
	int result = event_select_decide(selects, n, diag);
	free(selects);
	struct perf_range all = ((struct perf_state *)states[0])->range;
	for (size_t i = 1; i < n; i++) {
		perf_range_merge(&all, &((struct perf_state *)states[i])->range);
	}
	return result == 0 ? perf_range_check(&all, diag) : result;
}

static void perf_finish(void *memory) {
	event_select_finish(&((struct perf_state *)memory)->select);
}

static void perf_release(void *memory) {
	struct perf_state *state = memory;
	event_select_release(&state->select);
	perf_process_release(&state->process);
	stack_release(&state->sample.stack);
	perf_last_release(&state->last);
	perf_names_release(&state->names);
	memo_release(&state->memo);
	intern_release(&state->functions[0]);
	intern_release(&state->functions[1]);
	buf_release(&state->function);
	buf_release(&state->unsure);
}

static void perf_find_unit(const void *memory, struct buf *unit) {
	const struct perf_state *state = memory;
	const struct perf_recording_options *options = &state->options->recording;
	const char *time = state->select.time_unit == NULL ? "" : state->select.time_unit;
	if (*time == '\0' && options->weight == PERF_WEIGHT_TIME) {
		time = "nanoseconds";
	}
	buf_add_text(unit, time);
	if (*time == '\0') {
		event_select_find_unit(&state->select, unit);
	}
}

/* --- Sniffing ------------------------------------------------------------------------------- */

/** Return how strong a stack line is as evidence. After an event line, any stack line is evidence.
 * After a line that may be an event line, and after any other line, only a stack line with the
 * usual address and a module is evidence. */
static int perf_sniff_stack_line(struct str line, bool event, bool weak, bool certain) {
	enum { PROOF = 3 * SNIFF_SHAPE };
	struct perf_frame stack;
	bool plain = perf_has_plain_address(line);
	bool module = perf_stack_split(line, &stack) && perf_is_address(stack.address);
	if (!event || weak) { // other tools print addresses, too, but they print no module after
			      // the function
		return !plain || !module ? SNIFF_NO : event ? PROOF : SNIFF_SHAPE;
	}
	bool fits = module || perf_stack_split_part(line, false, &stack);
	// Give weak evidence: other text, for example "a (b)", may look like a function and its
	// module.
	return !fits ? SNIFF_NO : plain || certain ? PROOF : SNIFF_SHAPE;
}

static int perf_sniff_read(struct str start) {
	return perf_is_recording(start) ? SNIFF_MAGIC : SNIFF_NO;
}

/** Search for an event line with a stack line in it or after it: this proves that perf has printed
 * the input. Any other line after an event line, except another event line or a record, is evidence
 * against perf. */
static int perf_sniff(struct str bytes, bool whole) {
	if (perf_is_recording(bytes)) {
		return SNIFF_MAGIC;
	}
	struct lines lines = {.rest = bytes};
	bool event = false, weak = true, certain = false, events = false, record = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		struct perf_line parts = {.certain = false};
		line = str_trim_end(line);
		bool indented = str_starts(line, STR("\t"));
		if (str_starts(line, STR("#")) || (record && indented)) {
			continue;
		}
		record = false;
		if (line.n == 0) {
			event = certain = false;
			continue;
		}
		if (!event && indented && events) {
			return SNIFF_HINT; // give weak evidence: stacks without event lines may
					   // come from another tool
		}
		if (!indented) {
			perf_line_split(line, &parts);
		}
		if (indented || (event && (weak || !parts.certain))) {
			int sure = perf_sniff_stack_line(line, event, weak, certain);
			return sure >= SNIFF_SHAPE ? sure : events ? SNIFF_HINT : SNIFF_NO;
		}
		if (perf_line_is_record(line, &parts)) {
			record = true;
			continue;
		}
		struct perf_event named = perf_event_of(&parts);
		if (named.payload.n > 0 && perf_stack_in(named.payload).n > 0) {
			return parts.ids.n > 0 ? 3 * SNIFF_SHAPE : SNIFF_HINT;
		}
		event = true;
		weak = parts.weak;
		certain = parts.certain;
		events |= named.named && parts.certain;
	}
	return !whole ? SNIFF_MORE : events ? SNIFF_HINT : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct perf_options, pid), .name = "pid",
	 .help = "add the process id to the root frame"},
	{OPT_IS_BOOL(struct perf_options, tid), .name = "tid", .also = "per-thread",
	 .help = "add the process and thread ids to the root frame"},
	{OPT_IS_BOOL(struct perf_options, addrs), .name = "addrs",
	 .help = "show the address of frames without a symbol"},
	{OPT_IS_BOOL(struct perf_options, jit), .name = "jit",
	 .help = "mark functions of a just-in-time compiler with _[j]"},
	{OPT_IS_BOOL(struct perf_options, kernel), .name = "kernel",
	 .help = "mark kernel functions with _[k]"},
	{OPT_IS_BOOL(struct perf_options, all), .name = "all",
	 .help = "the same as --kernel --jit"},
	{OPT_IS_BOOL(struct perf_options, srcline), .name = "srcline",
	 .help = "add source lines to names; text of perf must be written by 'perf script -F "
		 "+srcline'"},
	{OPT_IS_TEXT(struct perf_options, event_filter), .name = "event-filter", .also = "event",
	 .value = "NAME",
	 .help = "count only samples of this event; by default, those of the first event"},
	{OPT_IS_LIST(struct perf_options, skip_after), .name = "skip-after", .value = "NAME",
	 .help = "start stacks at this function, leaving out its callers"},
	{OPT_IS_BOOL(struct perf_options, by_package), .name = "by-package",
	 .help = "show the packages of the innermost function instead of its callers",
	 .conflicts = "skip-after"},
	{OPT_IS_TEXT(struct perf_options, from), .name = "from", .value = "SECONDS",
	 .check = perf_check_time,
	 .help = "leave out samples before this time, as 'perf script' prints it"},
	{OPT_IS_TEXT(struct perf_options, to), .name = "to", .value = "SECONDS",
	 .check = perf_check_time, .help = "leave out samples at this time and later"},
	PERF_RECORDING_ROWS(struct perf_options, recording),
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"weight", "period", "period", NULL},
	{"weight", "samples", "samples", NULL},
	{"weight", "time", "time", NULL},
	{"event-filter", NULL, NULL, NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"perf script | inferno collapse perf | inferno flamegraph > out.svg",
	 "draw a recording of 'perf record -g'"},
	{"inferno collapse perf perf.data > out.folded", "fold a recording directly"},
	{"inferno collapse perf --kernel --tid out.perf",
	 "mark kernel functions, and fold each thread separately"},
	{"inferno collapse perf --by-package out.perf | inferno flamegraph > out.svg",
	 "draw the packages of a Java or Go program, also from a recording without -g"},
	{NULL, NULL},
};

const struct collapser collapse_perf = {
	.name = "perf",
	.flags = FORMAT_BY_SAMPLE | FORMAT_FROM_START,
	.aliases = (const char *const[]){"stackcollapse-perf", NULL},
	.brief = "fold recordings of perf, or the output of 'perf script'",
	.about = "Record with 'perf record -g -- COMMAND' (or '--call-graph dwarf'). Then fold the "
		 "recording, perf.data, or the output of 'perf script'. The first frame of every "
		 "stack is the name of the process.\n\nIf the input has several events, only the "
		 "samples of one event are counted: the event that --event-filter names, or the "
		 "first event. In text, the first event is that of the first sample. In a "
		 "recording, it is the first listed event that has samples. If the inputs have "
		 "different first events, the event with the most samples is counted.\n\n"
		 "The count of a stack is the sum of its samples' periods, or the number of "
		 "samples if perf printed no period; --weight chooses another count.\n\n"
		 "With --by-package, a stack has only the process and the innermost function. The "
		 "packages of the function are frames, too: java/util/ArrayList::get becomes the "
		 "frames java, util and ArrayList::get. Numbers in the name of the process become "
		 "X, and samples of the kernel's idle loop are left out.",
	.examples = examples,
	.usual = "pid tid addrs kernel all srcline event-filter skip-after from to weight off-cpu "
		 "wall latency no-inline output nthreads",
	.options = {options, sizeof(struct perf_options)},
	.values = values,
	.state_size = sizeof(struct perf_state),
	.sniff = perf_sniff,
	.init = perf_init,
	.sniff_read = perf_sniff_read,
	.read = perf_read,
	.block = perf_block,
	.ready = perf_ready,
	.follow = perf_follow,
	.find_unit = perf_find_unit,
	.decide = perf_decide,
	.finish = perf_finish,
	.cut = perf_cut,
	.release = perf_release,
	.tallies =
		{
			[TALLY_NO_FRAMES] = "left out samples without frames",
			[TALLY_NO_FUNCTION] =
				"lines without a function ('perf script -F +sym' prints functions)",
			[TALLY_SOURCE_LINES] = "left out lines that name a source line",
			[TALLY_IDLE] = "left out samples of the idle loop",
			[TALLY_NO_TIME] =
				"left out samples without a time, which --from and --to need",
		},
	.expects = "the output of 'perf script', with the fields ip and sym, from 'perf record -g'",
};
