/*
 * xdebug: the function trace of a PHP program that Xdebug writes, in its computer-readable format.
 *
 * A record has the time at which a function was entered or left. The time between two records is
 * added to the stack that was active then.
 */
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/text.h"
#include "collapse/times.h"

struct xdebug_options {
	bool time, count;
};

enum xdebug_tally { TALLY_VANISHED };

struct xdebug_state {
	STATE_HEAD(struct xdebug_options);
	struct times times;
	struct memo names; // memo of names, as Xdebug writes them
	bool in_trace;
	struct ids open;       // functions that were entered and have not been left yet
	bool entered;          // the last record entered a function
	struct decimal before; // time of the last record
};

/** The fields of a record that the reader uses. */
struct xdebug_record {
	struct str type, time, name;
};

static void xdebug_init(void *memory) {
	static const struct times_values time_first = {{STR_INIT("time"), STR_INIT("calls")},
						       {STR_INIT("microseconds"),
							STR_INIT("calls")}},
					 calls_first = {
						 {STR_INIT("calls"), STR_INIT("time")},
						 {STR_INIT("calls"), STR_INIT("microseconds")}};
	struct xdebug_state *state = memory;
	state->times.values = state->options->count ? &calls_first : &time_first;
}

static uint32_t xdebug_current(const struct xdebug_state *state) {
	return state->open.n == 0 ? TIMES_ROOT : state->open.items[state->open.n - 1];
}

/** Add a time or a call to the current stack. If `is_count` is set, add `value` to the count of the
 * stack. Otherwise, add it to the other value of the stack, which only a profile with all values
 * keeps. Leave out stacks in which no frame has a name. */
static void xdebug_add(struct xdebug_state *state, bool is_count, struct decimal value) {
	struct profile *profile = state->run->profile;
	uint32_t call = xdebug_current(state);
	if (call != TIMES_ROOT && is_count) {
		times_add(&state->times, profile, call, value);
	} else if (call != TIMES_ROOT && profile_wants_values(profile)) {
		times_add_other(&state->times, call, value);
	}
}

static void xdebug_enter(struct xdebug_state *state, struct str name) {
	uint32_t call = xdebug_current(state);
	if (name.n > 0) {
		call = times_call(&state->times, call, text_frame(state->run, &state->names, name));
	}
	ids_push(&state->open, call);
}

/** Add the time since the last record to the current stack. */
static int xdebug_pass_time(struct xdebug_state *state, struct decimal now, struct str text,
			    uint64_t number) {
	bool back = decimal_compare(now, state->before) < 0;
	if (state->open.n > 0) {
		xdebug_add(state, !state->options->count,
			   back ? (struct decimal){0} : decimal_minus(now, state->before));
	}
	state->before = now;
	return back && state->open.n > 0
		       ? run_warn(state->run, number, "the time goes backwards, to %s",
				  quote(text).text)
		       : 0;
}

static int xdebug_record_line(struct xdebug_state *state, const struct xdebug_record *record,
			      uint64_t number) {
	struct decimal now;
	bool entry = str_eq(record->type, STR("0"));
	if (!decimal_parse(record->time, 6, &now)) {
		return run_warn(state->run, number, "expected a time in seconds, found '%s'",
				quote(record->time).text);
	}
	state->run->samples++;
	if (!entry && state->open.n == 0) {
		return run_warn(state->run, number, "a function ends that did not start");
	}
	int result = xdebug_pass_time(state, now, record->time, number);
	if (entry) {
		xdebug_enter(state, record->name);
	} else {
		if (state->entered) {
			xdebug_add(state, state->options->count, (struct decimal){.whole = 1});
		}
		state->open.n--;
	}
	state->entered = entry;
	return result;
}

/** Split a line at its tabs. Return false if the line has too few fields. */
static bool xdebug_split(struct str line, struct xdebug_record *record) {
	struct str fields[6] = {{0}};
	size_t n = 0;
	for (bool more = true; more && n < 6; n++) {
		more = str_find(line, '\t') != STR_NONE;
		fields[n] = str_cut(&line, '\t');
	}
	*record = (struct xdebug_record){.type = fields[2], .time = fields[3], .name = fields[5]};
	if (n < 3 || fields[0].n == 0 || !str_all_digits(fields[0])) {
		return false;
	}
	return str_eq(record->type, STR("0")) ? n == 6 : !str_eq(record->type, STR("1")) || n > 4;
}

static int xdebug_end_trace(struct xdebug_state *state, uint64_t number) {
	size_t open = state->open.n;
	state->in_trace = state->entered = false;
	state->open.n = 0;
	return open == 0 ? 0
			 : run_warn(state->run, number,
				    "the trace ends inside %zu calls, which keep their time so far",
				    open);
}

static int xdebug_line(void *memory, struct str line, uint64_t number) {
	struct xdebug_state *state = memory;
	struct xdebug_record record;
	line = text_line(line);
	if (str_starts(line, STR("TRACE START"))) {
		int result = xdebug_end_trace(state, number);
		state->in_trace = true;
		return result;
	}
	if (!state->in_trace || line.n == 0) {
		return 0;
	}
	if (line.p[0] == '\t' || str_starts(line, STR("TRACE END"))) {
		return xdebug_end_trace(state, number);
	}
	if (str_starts(line, STR("Version: ")) || str_starts(line, STR("File format: "))) {
		return 0; // the next trace begins, although the last trace has not ended
	}
	if (!xdebug_split(line, &record)) {
		return run_warn(state->run, number, "weird record: '%s'", quote(line).text);
	}
	// Types 0 and 1 are entry and exit. Ignore all others, such as return values and
	// assignments.
	bool call = str_eq(record.type, STR("0")) || str_eq(record.type, STR("1"));
	return call ? xdebug_record_line(state, &record, number) : 0;
}

static int xdebug_block(void *memory, const struct block *block) {
	struct xdebug_state *state = memory;
	int result = run_lines(state->run, block, state, xdebug_line);
	return result == 0 && block->last ? xdebug_end_trace(state, RUN_AT_END) : result;
}

static void xdebug_finish(void *memory) {
	struct xdebug_state *state = memory;
	state->run->tallies[TALLY_VANISHED] = times_finish(&state->times, state->run->profile);
}

static void xdebug_release(void *memory) {
	struct xdebug_state *state = memory;
	times_release(&state->times);
	memo_release(&state->names);
	ids_release(&state->open);
}

/** Check the first record. The lines before it are the same in the human-readable format. */
static int xdebug_sniff(struct str bytes, bool whole) {
	enum { TOP = 5 };
	struct lines lines = {.rest = bytes};
	bool version = false, started = false;
	int sure = 0;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		struct xdebug_record record;
		if (started && line.n > 0 && line.p[0] != '\t') {
			bool fits = xdebug_split(line, &record) && str_eq(record.type, STR("0"));
			return fits ? sure + SNIFF_MAGIC : SNIFF_COULD_BE;
		}
		sure += version && str_starts(line, STR("File format: ")) ? SNIFF_MAGIC : 0;
		version = str_starts(line, STR("Version: "));
		started |= str_starts(line, STR("TRACE START"));
		if (!started && lines.number >= TOP) {
			return SNIFF_NO;
		}
	}
	return started || sure > 0 || version ? (whole ? SNIFF_COULD_BE : SNIFF_MORE) : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct xdebug_options, time), .name = "time", .letter = 't',
	 .help = "count microseconds (default)", .conflicts = "count"},
	{OPT_IS_BOOL(struct xdebug_options, count), .name = "count", .letter = 'c',
	 .help = "count calls to functions that call no other function", .conflicts = "time"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"time", "time", NULL, NULL},
	{"count", "calls", NULL, "calls"},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"XDEBUG_TRIGGER=1 XDEBUG_MODE=trace php -d xdebug.trace_format=1 a.php",
	 "trace a PHP program; Xdebug writes the trace to /tmp"},
	{"inferno collapse xdebug trace.xt.gz > trace.folded", "fold it"},
	{NULL, NULL},
};

const struct collapser collapse_xdebug = {
	.name = "xdebug",
	.aliases = (const char *const[]){"stackcollapse-xdebug", NULL},
	.brief = "fold the trace that Xdebug writes of a PHP program",
	.about = "Reads traces in the computer-readable format (xdebug.trace_format=1), compressed "
		 "by gzip or not. A file may hold several traces. The time between two records is "
		 "added to the stack of the active functions. Sums are exact, and are rounded to "
		 "microseconds at the end. A call without duration counts 0.",
	.examples = examples,
	.options = {options, sizeof(struct xdebug_options)},
	.values = values,
	.state_size = sizeof(struct xdebug_state),
	.sniff = xdebug_sniff,
	.init = xdebug_init,
	.block = xdebug_block,
	.finish = xdebug_finish,
	.release = xdebug_release,
	.unit = "microseconds",
	.tallies = {[TALLY_VANISHED] = "stacks that count 0, being less than half a microsecond"},
	.expects = "a trace that Xdebug wrote with xdebug.trace_format=1",
};
