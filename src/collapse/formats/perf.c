/*
 * perf: the text that `perf script` prints.
 *
 * A sample is an event line, stack lines from the leaf to the root, and an empty line. Almost every
 * stack line has been seen before, but for its address: what follows the address is looked up in a
 * memo, and only a line that is new there is parsed. So the rules for names run once for each
 * distinct line, and may be plain.
 *
 * perf prints the fields that it is asked for, and records if it is asked for them. So a sample may
 * lack its event line or its empty line, and lines of other shapes may come before and after it.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "collapse/collapser.h"
#include "collapse/packages.h"
#include "collapse/perf_line.h"
#include "collapse/perf_stack.h"

struct options {
	bool pid, tid, addrs, jit, kernel, all, by_package, srcline;
	const char *event_filter, *from, *to;
	struct opt_list skip_after;
};

enum tally {
	TALLY_NO_FRAMES,
	TALLY_NO_FUNCTION,
	TALLY_SOURCE_LINES,
	TALLY_IDLE,
	TALLY_NO_TIME,
};

/*
 * What the memo knows of a line: nothing yet, something special, or its frames. A name depends on
 * whether the process is Java, so a memo's value holds two of these.
 */
enum {
	LINE_IS_NEW,
	LINE_HAS_NO_FRAME,
	LINE_IS_OTHER, // no stack line; never remembered: there may be any number
	LINE_IS_IDLE,
};

/** In the frame of a line whose name shows its address: the frame is called as without it. */
#define FRAMES_ADDRESS UINT32_C(0x20000000)

/** What is said, to those who asked for more, of the event that is kept. */
#define FILTER_NOTE "filtering for events of type: %s"

/** Where the next line stands. */
enum place {
	PLACE_OUTSIDE,
	PLACE_NAMELESS, // a sample may start without an event line: an empty line stands for it
	PLACE_UNSURE,   // after a line that is an event line if a stack line follows
	PLACE_RECORD,   // after a record, or after the columns that end a sample
	PLACE_SAMPLE,
	PLACE_ONE_LINE, // after an event line with a stack line on it
};

/** An event that was met. Of each input's events the first one starts it. */
struct met {
	uint64_t samples;
	bool starts_input;
	bool weighed;            // some sample counts more than 1
	struct profile *profile; // of its samples, where it is not known yet whether they are kept
};

/** In the id of a frame: it stands for an address that was not looked up, in `news`. */
#define FRAME_IS_NEW UINT32_C(0x80000000)

/** A frame of an unknown function, whose name shows its address. Most come only once. */
struct new_frame {
	uint32_t plain; // the frame without its address
	uint32_t n;
	char address[PERF_ADDRESS_COLUMNS];
};

struct state {
	const struct options *options;
	struct run *run;

	struct memo memo;        // stack lines, by what follows the address
	struct intern processes; // what event lines say of the process
	struct perf_names names;
	struct perf_range range;

	struct buf filter; // the event to keep, without modifier
	bool filter_set;
	bool keep_all;        // until all inputs are read; then one event is chosen
	bool input_starts;    // no event of this input was met
	struct intern events; // names, to the index in `met` minus 1
	struct met *met;      // met[0] is of samples whose event was not printed
	size_t met_n, met_capacity, current;
	struct profile holder; // the names of all events, while all are kept

	struct buf process; // the start of the last event line, up to the ids, if a time follows
	frames root;        // the frame of the process; 0: none
	bool java;

	struct buf
		event; // the end of the last event line, from the time's colon on, if it is plain
	bool event_kept;

	enum place place;
	bool skipped;  // the sample's remaining lines are not looked at
	bool rootless; // --skip-after has cut the root off
	uint64_t period;
	struct stack stack;
	struct new_frame *news; // of the stack
	size_t news_n, news_capacity;
	size_t line_depth; // frames of the stack line before this one, for --srcline

	struct buf unsure; // the line before, in PLACE_UNSURE
	uint64_t unsure_number;
	struct buf text; // for lines that are parsed
};

/** Add an event, and returns where it stands in `met`. */
static size_t perf_add_met(struct state *state) {
	struct profile *profile = state->run->profile;
	if (state->keep_all) {
		profile = mem_new(1, sizeof(*profile));
		profile_init_like(profile, state->run->profile);
	}
	state->met =
		mem_grow(state->met, &state->met_capacity, state->met_n + 1, sizeof(*state->met));
	state->met[state->met_n] = (struct met){.profile = profile};
	return state->met_n++;
}

/* --- Samples -------------------------------------------------------------------------------- */

static struct str perf_address_of(const struct new_frame *frame) {
	return (struct str){frame->address, frame->n};
}

/** Look up the frames of the stack that were not. */
static void perf_look_up_new(struct state *state) {
	uint32_t *ids = stack_ids(&state->stack);
	for (size_t d = 0; d < stack_depth(&state->stack) && state->news_n > 0; d++) {
		if ((ids[d] & FRAME_IS_NEW) != 0) {
			const struct new_frame *frame = &state->news[ids[d] & ~FRAME_IS_NEW];
			ids[d] = perf_add_address(&state->names, frame->plain,
						  perf_address_of(frame));
		}
	}
	state->news_n = 0;
}

/** Add the stack as text: looking up names of which most are new would be wasted. */
static void perf_add_text(struct state *state, struct profile *profile) {
	const uint32_t *ids = stack_ids(&state->stack);
	buf_clear(&state->text);
	for (size_t d = 0; d < stack_depth(&state->stack); d++) {
		if (d > 0) {
			buf_add_char(&state->text, ';');
		}
		if ((ids[d] & FRAME_IS_NEW) == 0) {
			buf_add_str(&state->text, profile_name(state->names.profile, ids[d]));
		} else {
			const struct new_frame *frame = &state->news[ids[d] & ~FRAME_IS_NEW];
			perf_address_text(&state->text,
					  profile_name(state->names.profile, frame->plain),
					  perf_address_of(frame));
		}
	}
	profile_add_text(profile, buf_str(&state->text), state->period);
	state->news_n = 0;
}

static void perf_end_sample(struct state *state) {
	if (state->place < PLACE_SAMPLE) {
		return;
	}
	state->place = PLACE_OUTSIDE;
	size_t depth = stack_depth(&state->stack);
	if (depth == 0) {
		state->run->samples += state->skipped;
		state->run->tallies[TALLY_NO_FRAMES] += !state->skipped;
		return;
	}
	state->run->samples++;
	if (!state->rootless && state->root != 0) {
		stack_push_frames(&state->stack, &state->names.lists, state->root);
	}
	struct met *met = &state->met[state->current];
	met->weighed |= state->period > 1;
	if (2 * state->news_n > depth && profile_takes_texts(met->profile)) {
		perf_add_text(state, met->profile);
	} else {
		perf_look_up_new(state);
		profile_add(met->profile, stack_ids(&state->stack), stack_depth(&state->stack),
			    state->period);
	}
	stack_clear(&state->stack);
}

static void perf_start_sample(struct state *state) {
	state->place = PLACE_SAMPLE;
	state->rootless = false;
	state->skipped = !state->event_kept;
	state->met[state->current].samples++;
	memo_start(&state->memo);
}

/* --- Stack lines ---------------------------------------------------------------------------- */

static bool perf_ends_stack(const struct options *options, struct str name) {
	for (size_t i = 0; i < options->skip_after.n; i++) {
		if (str_eq(name, str_of(options->skip_after.items[i]))) {
			return true;
		}
	}
	return false;
}

/** Read the line that was repaired into `state->text`. */
static frames perf_parse_stack_line(struct state *state, const struct perf_stack_line *parts) {
	const struct options *options = state->options;
	struct str function = parts->function;
	if (str_starts(function, STR("(")) && !str_starts(function, STR("(anonymous namespace)"))) {
		return LINE_HAS_NO_FRAME; // the name of a process
	}
	struct str raw = perf_raw_name(&state->names, parts);
	if (options->by_package && perf_is_kernel_module(parts->module) && packages_is_idle(raw)) {
		return LINE_IS_IDLE;
	}
	frames what = perf_name_line(&state->names, parts, raw, state->java);
	if (options->addrs && str_eq(raw, STR("[unknown]"))) {
		what |= FRAMES_ADDRESS;
	}
	return what | (options->by_package || perf_ends_stack(options, raw) ? FRAMES_MARK : 0);
}

/** Return whether frames depend on more than what follows the address: some, of several, show it.
 */
static bool perf_shows_address(const struct state *state, frames what, struct str key) {
	return state->options->addrs && (what & FRAMES_ADDRESS) == 0 &&
	       str_has(key, STR("[unknown]"));
}

/** Return what a stack line means, from the memo if it is there. */
static frames perf_look_up(struct state *state, struct str line) {
	struct str key = str_trim_start(line);
	str_cut(&key, ' '); // empty for a line of one word
	frames what = memo_find(&state->memo, key, state->java);
	if (what != LINE_IS_NEW) {
		return what;
	}
	struct perf_stack_line parts;
	buf_clear(&state->text);
	utf8_repair(&state->text, line);
	struct str text = buf_str(&state->text);
	bool split = perf_stack_split(text, &parts);
	if (split && (line.p[0] == '\t' || str_all_hex(parts.address) ||
		      perf_other_of(text) == PERF_WEIRD)) {
		what = perf_parse_stack_line(state, &parts);
		if (!perf_shows_address(state, what, key)) {
			memo_add(&state->memo, key, state->java, what);
		}
		return what;
	}
	if (!perf_stack_split_part(text, state->place == PLACE_ONE_LINE, &parts)) {
		return LINE_IS_OTHER;
	}
	if (parts.function.n == 0) { // no name to be remembered
		state->run->tallies[TALLY_NO_FUNCTION]++;
		if (str_eq(parts.module, STR("inlined"))) {
			return LINE_HAS_NO_FRAME;
		}
		parts.function = STR("[unknown]");
		return perf_parse_stack_line(state, &parts);
	}
	what = perf_parse_stack_line(state, &parts);
	memo_add(&state->memo, key, state->java, what);
	return what;
}

/** Return whether a line means one frame whose name shows the address. */
static inline bool perf_is_addressed(frames what) {
	return (what & (FRAMES_LIST | FRAMES_ADDRESS)) == FRAMES_ADDRESS;
}

/** Add the frame of a line with this address. */
static void perf_push_addressed(struct state *state, frames what, struct str address) {
	uint32_t frame = (what & ~(FRAMES_ADDRESS | FRAMES_MARK)) - FRAMES_FIRST;
	address = str_trim_start(address);
	if (address.n > PERF_ADDRESS_COLUMNS || !str_all_hex(address)) {
		buf_clear(&state->text);
		utf8_repair(&state->text, address);
		stack_push(&state->stack,
			   perf_add_address(&state->names, frame, buf_str(&state->text)));
		return;
	}
	struct new_frame new = {.plain = frame, .n = (uint32_t)address.n};
	memcpy(new.address, address.p, address.n);
	state->news = mem_grow(state->news, &state->news_capacity, state->news_n + 1,
			       sizeof(*state->news));
	stack_push(&state->stack, (uint32_t)state->news_n | FRAME_IS_NEW);
	state->news[state->news_n++] = new;
}

/** Add the source that a line names to the frame before it, if that is wanted. */
static void perf_source_line(struct state *state, struct str line) {
	size_t depth = stack_depth(&state->stack), before = state->line_depth;
	struct str source = perf_source_of(line);
	if (!state->options->srcline) {
		state->run->tallies[TALLY_SOURCE_LINES]++;
	} else if (depth > before && source.n > 0) {
		perf_look_up_new(state);
		uint32_t *frame = stack_ids(&state->stack) + depth - before - 1; // the innermost
		buf_clear(&state->text);
		utf8_repair(&state->text, source);
		*frame = perf_add_source(&state->names, *frame, buf_str(&state->text));
	}
	state->line_depth = depth;
}

/** Take a line in a sample that is no stack line. */
static int perf_other_line(struct state *state, struct str line, uint64_t number) {
	switch (perf_other_of(line)) {
	case PERF_SOURCE:
		perf_source_line(state, line);
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

static int perf_stack_line(struct state *state, struct str line, uint64_t number) {
	frames what = perf_look_up(state, line);
	if (what >= FRAMES_FIRST) {
		struct str rest = str_trim_start(line), address = str_cut(&rest, ' ');
		state->line_depth = stack_depth(&state->stack);
		if (perf_is_addressed(what)) {
			perf_push_addressed(state, what, address);
		} else {
			stack_push_frames(&state->stack, &state->names.lists, what);
		}
		if ((what & FRAMES_MARK) != 0) { // no callers; with --skip-after, no root
			state->skipped = true;
			state->rootless = !state->options->by_package;
		}
	} else if (what == LINE_IS_OTHER) {
		return perf_other_line(state, line, number);
	} else if (what == LINE_IS_IDLE) {
		state->run->tallies[TALLY_IDLE]++;
		state->skipped = true;
	}
	return 0;
}

/** Take the stack lines that come next as long as they are ordinary and known, which nearly all
 * are. */
static void perf_known_stack_lines(struct state *state, struct lines *lines) {
	struct memo *memo = &state->memo;
	const struct ids *lists = &state->names.lists;
	struct str rest = lines->rest;
	uint64_t number = lines->number;
	size_t java = state->java;
	while (perf_has_plain_address(rest)) {
		struct str text = str_from(rest, PERF_AFTER_ADDRESS);
		size_t n = memo_step(memo, text);
		frames what = n == 0 ? LINE_IS_NEW : memo_meaning(memo, java);
		if (what >= FRAMES_FIRST && (what & (FRAMES_MARK | FRAMES_ADDRESS)) == 0) {
			stack_push_frames(&state->stack, lists, what);
		} else if (perf_is_addressed(what) && (what & FRAMES_MARK) == 0) {
			perf_push_addressed(state, what,
					    (struct str){rest.p + 1, PERF_ADDRESS_COLUMNS});
		} else {
			break;
		}
		rest = str_from(text, n);
		number++;
	}
	*lines = (struct lines){rest, number};
}

/* --- Processes ------------------------------------------------------------------------------ */

/** Make numbers an X, so that threads whose names differ in nothing else add up. */
static void perf_hide_numbers(struct buf *name) {
	size_t n = 0;
	bool inside = false;
	for (size_t i = 0; i < name->n; i++) {
		bool digit = is_digit(name->p[i]);
		if (!digit || !inside) {
			name->p[n++] = digit ? 'X' : name->p[i];
		}
		inside = digit;
	}
	name->n = n;
}

/** Return the frame at the root of the stacks of a process, which is a name and ids. */
static frames perf_name_root(struct state *state, struct str comm, struct str ids) {
	const struct options *options = state->options;
	size_t slash = str_find_last(ids, '/');
	buf_clear(&state->text);
	utf8_repair(&state->text, str_trim(comm));
	buf_replace(&state->text, ' ', '_');
	if (options->by_package) {
		perf_hide_numbers(&state->text);
	}
	if (options->pid || options->tid) {
		buf_add_char(&state->text, '-');
		buf_add_str(&state->text, slash == STR_NONE ? STR("?") : str_to(ids, slash));
	}
	if (options->tid) {
		buf_add_char(&state->text, '/');
		buf_add_str(&state->text, slash == STR_NONE ? ids : str_from(ids, slash + 1));
	}
	state->java = str_starts(buf_str(&state->text), STR("java"));
	return FRAMES_FIRST + profile_frame(state->names.profile, buf_str(&state->text));
}

/** Find the root frame; a process that was met before is not named again. */
static void perf_set_process(struct state *state, const struct perf_line *line) {
	bool by_ids = state->options->pid || state->options->tid;
	buf_clear(&state->process);
	buf_add_str(&state->process, line->certain ? line->head : STR(""));
	state->root = 0;
	state->java = false;
	if (line->nameless && !by_ids) {
		return;
	}
	// Without ids in the name, the comm decides.
	struct str key = by_ids && line->head.n > 0 ? line->head : line->comm;
	struct intern_key *memo = intern_get(&state->processes, key.p, key.n);
	if (memo->value == 0) {
		state->root = perf_name_root(state, line->comm, line->ids);
		memo->value = (uint64_t)state->java << 32 | state->root;
	}
	state->root = (frames)memo->value;
	state->java = memo->value >> 32 != 0;
}

/* --- Events --------------------------------------------------------------------------------- */

/** Return what was met of an event. */
static struct met *perf_met_event(struct state *state, struct str name) {
	struct intern_key *key = intern_get(&state->events, name.p, name.n);
	if (key->value == 0) {
		key->value = perf_add_met(state);
	}
	state->current = (size_t)key->value;
	return &state->met[state->current];
}

/** Return whether the samples of an event are kept. The first event met is, unless an option named
 * one, or all are until all inputs are read. */
static bool perf_keep_event(struct state *state, const struct perf_event *event, uint64_t number) {
	state->current = 0;
	if (!event->named) {
		return true;
	}
	struct str plain = perf_event_plain(event->name);
	bool chosen = state->options->event_filter != NULL;
	perf_met_event(state, chosen ? event->name : plain)->starts_input |= state->input_starts;
	state->input_starts = false;
	if (state->keep_all) {
		return true;
	}
	if (!state->filter_set) {
		state->filter_set = true;
		buf_add_str(&state->filter, plain);
		run_note(state->run, number, FILTER_NOTE, quote(plain).text);
	}
	struct str filter = buf_str(&state->filter);
	return str_eq(plain, filter) || str_eq(event->name, filter);
}

/** Start a sample, of which the event line may have a stack line on it. */
static int perf_start_on_line(struct state *state, struct str stack, uint64_t number) {
	perf_start_sample(state);
	if (stack.n == 0) {
		return 0;
	}
	state->place = PLACE_ONE_LINE;
	return state->skipped ? 0 : perf_stack_line(state, stack, number);
}

/** Read an event line whose end is not the same as that of the line before. */
static int perf_read_event(struct state *state, const struct perf_line *line, struct str whole,
			   uint64_t number) {
	struct perf_event event = perf_event_of(line);
	enum perf_place place = perf_range_place(&state->range, line->time);
	state->run->tallies[TALLY_NO_TIME] += place == PERF_WITHOUT_TIME;
	buf_clear(&state->event);
	struct str stack = event.payload.n > 0 ? perf_stack_in(event.payload) : STR("");
	if (place != PERF_INSIDE) {
		state->place = stack.n > 0 ? PLACE_ONE_LINE : PLACE_SAMPLE;
		state->skipped = true;
		state->rootless = false;
		return 0;
	}
	state->event_kept = perf_keep_event(state, &event, number);
	state->period = event.period;
	if (str_trim(event.payload).n == 0 && !event.period_too_large && line->time.n > 0) {
		buf_add_char(&state->event, ':');
		buf_add_str(&state->event, line->rest);
	}
	if (event.period_too_large &&
	    run_warn(state->run, number, "the period is over 64 bits and counts as 1: '%s'",
		     quote(whole).text) != 0) {
		return -1;
	}
	return perf_start_on_line(state, stack, number);
}

/** Take the line before, which is an event line if a stack line follows. */
static int perf_settle_unsure(struct state *state, bool stack_follows) {
	struct str line = buf_str(&state->unsure);
	uint64_t number = run_line((int64_t)state->unsure_number);
	state->place = PLACE_OUTSIDE;
	if (!stack_follows) {
		return run_warn(state->run, number, "weird event line: '%s'", quote(line).text);
	}
	struct perf_line parts;
	perf_line_split(line, &parts);
	perf_set_process(state, &parts);
	return perf_read_event(state, &parts, line, number);
}

/** Keep a line that is an event line if a stack line follows. */
static void perf_keep_unsure(struct state *state, struct str line, uint64_t number) {
	buf_clear(&state->unsure);
	buf_add_str(&state->unsure, line);
	state->unsure_number = number;
	state->place = PLACE_UNSURE;
}

/** Take an event line apart whose process may be that of the line before. Returns whether it is.
 */
static bool perf_split_event_line(const struct state *state, struct str line,
				  struct perf_line *parts) {
	struct str process = buf_str(&state->process);
	if (process.n > 0 && str_starts(line, process) && line.n > process.n &&
	    line.p[process.n] == ' ' && perf_line_set_time(str_from(line, process.n), parts)) {
		parts->weak = false;
		return true;
	}
	perf_line_split(line, parts);
	return false;
}

static int perf_event_line(struct state *state, struct str line, uint64_t number) {
	struct perf_line parts;
	bool known = perf_split_event_line(state, line, &parts);
	struct str event = buf_str(&state->event);
	bool known_event =
		event.n > 1 && parts.time.n > 0 && str_eq(parts.rest, str_from(event, 1));
	if (!known_event && perf_line_is_record(line, &parts)) {
		state->place = PLACE_RECORD;
		return 0;
	}
	state->place = PLACE_OUTSIDE;
	if (parts.weak && perf_stack_in(parts.rest).n == 0 &&
	    perf_last_address(parts.rest).n == 0) {
		perf_keep_unsure(state, line, number);
		return 0;
	}
	if (!known) {
		perf_set_process(state, &parts);
	}
	if (known_event && !state->range.given) {
		perf_start_sample(state);
		return 0;
	}
	return perf_read_event(state, &parts, line, number);
}

/**
 * Takes the event line that comes next if it differs in nothing but the CPU and the time from the
 * one before, as most do.
 */
static bool perf_known_event_line(struct state *state, struct lines *lines) {
	struct str process = buf_str(&state->process), event = buf_str(&state->event);
	struct str rest = lines->rest;
	if (event.n == 0 || process.n == 0 || state->range.given || !str_starts(rest, process)) {
		return false;
	}
	rest = str_from(rest, process.n);
	if (rest.n == 0 || rest.p[0] != ' ') {
		return false;
	}
	size_t start, end = perf_line_time(rest, &start);
	if (end == STR_NONE || !str_starts(str_from(rest, end), event)) {
		return false;
	}
	rest = str_from(rest, end + event.n);
	rest = str_from(rest, rest.n > 0 && rest.p[0] == ' '); // after the event
	if (rest.n == 0 || rest.p[0] != '\n') {
		return false;
	}
	perf_start_sample(state);
	*lines = (struct lines){str_from(rest, 1), lines->number + 1};
	return true;
}

/* --- Lines ---------------------------------------------------------------------------------- */

static bool perf_is_stack_line(struct str line) {
	struct perf_stack_line parts;
	return line.p[0] == '\t' &&
	       ((perf_stack_split(line, &parts) && str_all_hex(parts.address)) ||
		perf_stack_split_part(line, false, &parts));
}

/** Return whether a line that follows a record belongs to it. */
static bool perf_goes_on(struct str line) {
	struct perf_line parts;
	if (line.p[0] != '\t' && line.p[0] != ' ') {
		return false;
	}
	perf_line_split(line, &parts);
	return parts.time.n == 0;
}

/** Take a line that follows no line of a sample. */
static int perf_outside_line(struct state *state, struct str line, uint64_t number) {
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
		perf_set_process(state, &none);
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

/** Return whether a line in a sample starts another one: perf left out the empty line. */
static bool perf_starts_another(const struct state *state, struct str line) {
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

static int perf_sample_line(struct state *state, struct str line, uint64_t number) {
	if (perf_starts_another(state, line)) {
		perf_end_sample(state);
		return perf_outside_line(state, line, number);
	}
	if (state->place == PLACE_ONE_LINE && line.p[0] == '\t') { // it was an address, no stack
		state->place = PLACE_SAMPLE;
		stack_clear(&state->stack);
		state->news_n = 0;
		memo_start(&state->memo);
	}
	if (!state->skipped) {
		return perf_stack_line(state, line, number);
	}
	return line.p[0] == '\t' || perf_other_of(line) == PERF_WEIRD
		       ? 0
		       : perf_other_line(state, line, number);
}

static int perf_empty_line(struct state *state) {
	if (state->place == PLACE_UNSURE) {
		return perf_settle_unsure(state, false);
	}
	bool ended = state->place >= PLACE_SAMPLE;
	perf_end_sample(state);
	state->place = ended ? PLACE_OUTSIDE : PLACE_NAMELESS;
	return 0;
}

static int perf_any_line(struct state *state, struct str line, uint64_t number) {
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

/** Take what comes next as long as it is ordinary and known. */
static void perf_known_lines(struct state *state, struct lines *lines) {
	uint64_t before = lines->number;
	do {
		if (state->place == PLACE_SAMPLE && !state->skipped && !state->options->srcline) {
			perf_known_stack_lines(state, lines);
		}
		if (state->place < PLACE_SAMPLE || lines->rest.n == 0 || lines->rest.p[0] != '\n') {
			break;
		}
		perf_end_sample(state);
		*lines = (struct lines){str_from(lines->rest, 1), lines->number + 1};
	} while (perf_known_event_line(state, lines));
	state->run->known += lines->number - before;
}

/* --- The collapser -------------------------------------------------------------------------- */

static void perf_init(void *memory, const void *options, struct run *run) {
	struct state *state = memory;
	state->options = options;
	state->run = run;
	const struct options *given = state->options;
	state->range = perf_range_of(given->from, given->to);
	state->filter_set = given->event_filter != NULL;
	buf_add_text(&state->filter, state->filter_set ? given->event_filter : "");
	state->keep_all = run->inputs > 1 && !state->filter_set;
	profile_init_like(&state->holder, run->profile);
	state->names.profile = state->keep_all ? &state->holder : run->profile;
	state->names.options = (struct perf_naming){.addrs = given->addrs,
						    .jit = given->jit || given->all,
						    .kernel = given->kernel || given->all,
						    .by_package = given->by_package};
	perf_add_met(state); // of no event
}

static int perf_block(void *memory, const struct block *block) {
	struct state *state = memory;
	struct lines lines = {.rest = block->bytes};
	int result = 0;
	if (block->first) {
		state->input_starts = true;
		state->place = PLACE_NAMELESS;
	}
	for (struct str line; result == 0 && lines_next(&lines, &line);) {
		result = perf_any_line(state, line, lines.number);
		perf_known_lines(state, &lines);
	}
	if (block->last && result == 0) {
		result = perf_empty_line(state);
	}
	state->unsure_number -= lines.number; // seen from the next block
	state->run->lines = lines.number;
	return result;
}

static bool perf_ready(const void *memory) {
	const struct state *state = memory;
	return state->keep_all ? !state->input_starts : state->filter_set;
}

static void perf_follow(void *memory, const void *first) {
	struct state *state = memory;
	const struct state *learnt = first;
	buf_clear(&state->filter);
	buf_add_str(&state->filter, buf_str(&learnt->filter));
	state->filter_set = learnt->filter_set;
}

/** Samples end at empty lines, of which the next one may start with another. */
static size_t perf_cut(struct str bytes) {
	for (size_t end = bytes.n; end > 1;) {
		const char *newline = memrchr(bytes.p, '\n', end);
		if (newline == NULL || newline == bytes.p) {
			return 0;
		}
		while (newline - bytes.p > 1 && newline[-1] == '\n' && newline[-2] == '\n') {
			newline--;
		}
		if (newline[-1] == '\n') {
			return (size_t)(newline - bytes.p) + 1;
		}
		end = (size_t)(newline - bytes.p);
	}
	return 0;
}

/* --- Which event ---------------------------------------------------------------------------- */

/** An event that was met, by all workers. */
struct total {
	struct str name;
	uint64_t samples;
	bool starts_input;
};

/** Add up what the workers met. Returns the events, which free() releases; not those without a
 * name. */
static struct total *perf_add_up_events(void *const *states, size_t n, size_t *events_n) {
	struct total *totals = NULL;
	size_t capacity = 0;
	struct intern names = {0};
	for (size_t i = 0; i < n; i++) {
		const struct state *state = states[i];
		for (uint32_t e = 0; e < state->events.count; e++) {
			const struct intern_key *event = state->events.keys[e];
			const struct met *met = &state->met[event->value];
			struct intern_key *key = intern_get(&names, event->bytes, event->len);
			totals = mem_grow(totals, &capacity, names.count, sizeof(*totals));
			if (key->value == 0) {
				totals[key->id] = (struct total){.name = intern_str(event)};
				key->value = 1;
			}
			totals[key->id].samples += met->samples;
			totals[key->id].starts_input |= met->starts_input;
		}
	}
	*events_n = names.count;
	intern_release(&names);
	return totals;
}

/** The most samples first. */
static int perf_compare_totals(const void *a, const void *b) {
	const struct total *x = a, *y = b;
	if (x->samples != y->samples) {
		return x->samples < y->samples ? 1 : -1;
	}
	return str_compare(x->name, y->name);
}

/** List events with their samples: 'cycles' (12), 'faults' (3). */
static void perf_list_events(struct buf *text, const struct total *events, size_t n) {
	enum { LISTED = 10 };
	for (size_t i = 0; i < n && i < LISTED; i++) {
		buf_printf(text, "%s'%s' (%llu)", i > 0 ? ", " : "", quote(events[i].name).text,
			   (unsigned long long)events[i].samples);
	}
	if (n > LISTED) {
		buf_printf(text, " and %zu more", n - LISTED);
	}
}

/** Move the events of this name, with or without a modifier, to the front; returns how many. */
static size_t perf_move_kept(struct total *events, size_t n, struct str name) {
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		struct total event = events[i];
		if (str_eq(event.name, name) || str_eq(perf_event_plain(event.name), name)) {
			memmove(events + kept + 1, events + kept, (i - kept) * sizeof(*events));
			events[kept++] = event;
		}
	}
	return kept;
}

/** Say which event was kept, and which were not. */
static int perf_tell_events(const struct state *state, const struct total *events, size_t n,
			    size_t kept, bool nameless, struct diag *diag) {
	struct buf left = {0}, used = {0};
	int result = 0;
	perf_list_events(&left, events + kept, n - kept);
	perf_list_events(&used, events, kept);
	if (kept == 0 && n > 0 && !nameless) {
		result = diag_warn(diag, "no sample is of the event '%s'; there are samples of %s",
				   quote(buf_str(&state->filter)).text, buf_text(&left));
	} else if (n > kept) {
		result = diag_warn(diag,
				   "kept samples of %s, left out those of %s; --event-filter "
				   "chooses",
				   used.n > 0 ? buf_text(&used) : "no event", buf_text(&left));
	}
	buf_release(&left);
	buf_release(&used);
	return result;
}

/** Choose the event that is kept, if all were until now: of those that start an input, the one
 * with the most samples. */
static int perf_decide(void *const *states, size_t n, struct diag *diag) {
	struct state *first = states[0];
	size_t events_n;
	struct total *events = perf_add_up_events(states, n, &events_n);
	if (events_n > 1) {
		qsort(events, events_n, sizeof(*events), perf_compare_totals);
	}
	for (size_t i = 0; i < events_n && first->keep_all && !first->filter_set; i++) {
		if (events[i].starts_input) {
			first->filter_set = true;
			buf_add_str(&first->filter, events[i].name);
			diag_note(diag, FILTER_NOTE, quote(events[i].name).text);
		}
	}
	size_t kept = perf_move_kept(events, events_n, buf_str(&first->filter));
	bool nameless = first->met[0].samples > 0;
	for (size_t i = 1; i < n; i++) {
		perf_follow(states[i], first);
		nameless |= ((const struct state *)states[i])->met[0].samples > 0;
	}
	int result = perf_tell_events(first, events, events_n, kept, nameless, diag);
	free(events);
	return result;
}

/** Add the stacks of the event that was chosen, and of samples whose event was not printed. */
static void perf_finish(void *memory) {
	struct state *state = memory;
	struct str name = buf_str(&state->filter);
	const struct intern_key *chosen = intern_find(&state->events, name.p, name.n);
	for (size_t i = 0; i < state->met_n && state->keep_all; i++) {
		if (i == 0 || (chosen != NULL && chosen->value == i)) {
			struct profile *profile = state->met[i].profile;
			profile->names = state->holder.names; // lent
			profile_merge(state->run->profile, profile);
			profile->names = (struct names){0};
		}
	}
}

static void perf_release(void *memory) {
	struct state *state = memory;
	for (size_t i = 0; i < state->met_n && state->keep_all; i++) {
		profile_release(state->met[i].profile);
		free(state->met[i].profile);
	}
	free(state->met);
	free(state->news);
	profile_release(&state->holder);
	memo_release(&state->memo);
	perf_names_release(&state->names);
	intern_release(&state->processes);
	intern_release(&state->events);
	buf_release(&state->filter);
	buf_release(&state->process);
	buf_release(&state->event);
	buf_release(&state->unsure);
	buf_release(&state->text);
	stack_release(&state->stack);
}

static void perf_find_unit(const void *memory, struct buf *unit) {
	const struct state *state = memory;
	struct str event = buf_str(&state->filter);
	bool is_clock = str_eq(event, STR("cpu-clock")) || str_eq(event, STR("task-clock"));
	const struct intern_key *kept = intern_find(&state->events, event.p, event.n);
	if (kept != NULL && state->met[kept->value].weighed && event.n > 0) {
		buf_add_text(unit, is_clock ? "nanoseconds of " : "");
		utf8_repair(unit, event);
	}
}

/* --- Sniffing ------------------------------------------------------------------------------- */

/** How sure a line makes that follows an event line, or what may be one. */
static int perf_sniff_stack_line(struct str line, bool weak) {
	enum { PROOF = 3 * SNIFF_SHAPE };
	struct perf_stack_line stack;
	bool plain = perf_has_plain_address(line);
	bool module = perf_stack_split(line, &stack) && str_all_hex(stack.address);
	if (weak) { // others print addresses, too, but no modules after functions
		return plain && module ? PROOF : SNIFF_NO;
	}
	return module || perf_stack_split_part(line, false, &stack) ? PROOF : SNIFF_HINT;
}

/** An event line followed by a stack line, or with one on it, is proof; anything else in its place
 * is against it. */
static int perf_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool event = false, weak = true, events = false, record = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		struct perf_line parts;
		line = str_trim_end(line);
		bool indented = str_starts(line, STR("\t"));
		if (str_starts(line, STR("#")) || (record && indented)) {
			continue;
		}
		record = false;
		if (line.n == 0) {
			event = false;
			weak = true;
			continue;
		}
		if (!event && indented && events) {
			return SNIFF_HINT; // a stack without its event line, which others have
		}
		if (event || indented) {
			int sure = perf_sniff_stack_line(line, weak);
			return sure == SNIFF_NO && events ? SNIFF_HINT : sure;
		}
		perf_line_split(line, &parts);
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
		events |= named.named && parts.ids.n > 0;
	}
	return !whole ? SNIFF_MORE : events ? SNIFF_HINT : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct options, pid), .name = "pid",
	 .help = "add the process id to the root frame"},
	{OPT_IS_BOOL(struct options, tid), .name = "tid",
	 .help = "add the process and the thread id to the root frame"},
	{OPT_IS_BOOL(struct options, addrs), .name = "addrs",
	 .help = "show the address of frames without a symbol"},
	{OPT_IS_BOOL(struct options, jit), .name = "jit",
	 .help = "mark functions of a just-in-time compiler with _[j]"},
	{OPT_IS_BOOL(struct options, kernel), .name = "kernel",
	 .help = "mark kernel functions with _[k]"},
	{OPT_IS_BOOL(struct options, all), .name = "all", .help = "the same as --kernel --jit"},
	{OPT_IS_BOOL(struct options, srcline), .name = "srcline",
	 .help = "add the source line to names, which 'perf script -F +srcline' prints"},
	{OPT_IS_TEXT(struct options, event_filter), .name = "event-filter", .value = "NAME",
	 .help = "keep samples of this event only; by default of the one that starts the input"},
	{OPT_IS_LIST(struct options, skip_after), .name = "skip-after", .value = "NAME",
	 .help = "start stacks at this function, leaving out its callers"},
	{OPT_IS_BOOL(struct options, by_package), .name = "by-package",
	 .help = "fold the packages of the function that ran, in place of its callers",
	 .conflicts = "skip-after"},
	{OPT_IS_TEXT(struct options, from), .name = "from", .value = "SECONDS",
	 .check = perf_check_time,
	 .help = "leave out what comes before this time, as 'perf script' prints it"},
	{OPT_IS_TEXT(struct options, to), .name = "to", .value = "SECONDS",
	 .check = perf_check_time, .help = "leave out this time and what comes after it"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"perf script | inferno collapse perf | inferno flamegraph > out.svg",
	 "draw what 'perf record -g' recorded"},
	{"inferno collapse perf --kernel --tid out.perf",
	 "fold a file, kernel functions marked, threads apart"},
	{"inferno collapse perf --by-package out.perf | inferno flamegraph > out.svg",
	 "draw the packages of a Java or Go program; 'perf record' without -g will do"},
	{NULL, NULL},
};

const struct collapser collapse_perf = {
	.name = "perf",
	.by_sample = true,
	.aliases = (const char *const[]){"stackcollapse-perf", NULL},
	.brief = "fold the text that 'perf script' prints",
	.about = "Record with 'perf record -g -- COMMAND' (or '--call-graph dwarf'), then fold "
		 "what 'perf script' prints. "
		 "The first frame of every stack is the name of the process. If several events "
		 "were recorded, the samples "
		 "of one are kept: the first one met, or the one that --event-filter names. Of "
		 "several inputs that start with different events, the event with the most "
		 "samples is kept.\n\n"
		 "The count of a stack is the sum of its samples' periods, or the number of "
		 "samples where perf printed no "
		 "period.\n\n"
		 "With --by-package, java/util/ArrayList::get becomes three frames below the "
		 "process, whatever called it. Numbers in the name of the process become X, and "
		 "samples of the kernel's idle loop are left out.",
	.examples = examples,
	.options = options,
	.options_size = sizeof(struct options),
	.state_size = sizeof(struct state),
	.sniff = perf_sniff,
	.init = perf_init,
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
			[TALLY_NO_FRAMES] = "samples without a frame left out",
			[TALLY_NO_FUNCTION] = "lines without a function (print it with "
					      "'perf script -F +sym')",
			[TALLY_SOURCE_LINES] = "lines that name a source line left out",
			[TALLY_IDLE] = "samples of the idle loop left out",
			[TALLY_NO_TIME] = "samples without a time left out by --from and --to",
		},
	.expects = "the text that 'perf script' prints, with ip and sym, of what 'perf record -g' "
		   "recorded",
};
