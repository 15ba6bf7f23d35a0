/*
 * chrome-tracing: traces in the Trace Event format, which browsers, node and clang write.
 *
 * An event has the start and the duration of a function. The events of a thread, sorted by time,
 * show the caller of each function. So events are kept until the end of the file, with numbers in
 * place of texts.
 */
#include <stdlib.h>

#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/json_places.h"
#include "collapse/text.h"
#include "collapse/times.h"

struct chrome_tracing_options {
	bool begin_end;
	unsigned unit; // index in the choices: 0 microseconds, 1 nanoseconds
};

enum chrome_tracing_tally {
	TALLY_BEGIN,
	TALLY_NO_DURATION,
	TALLY_UNPAIRED,
	TALLY_OVERLAP,
	TALLY_VANISHED,
	TALLY_NO_FRAMES
};

enum chrome_tracing_place { IN_EVENTS = JSON_TOP + 1, IN_EVENT, IN_MEMBER };

/** The members of an event that are read. */
enum chrome_tracing_key {
	KEY_NAME,
	KEY_PHASE,
	KEY_START,
	KEY_DURATION,
	KEY_PROCESS,
	KEY_THREAD,
	KEYS
};

#define NO_FRAME UINT32_MAX // frame of an event with an empty name

struct chrome_tracing_event {
	struct decimal start, duration;
	uint32_t frame;
	uint32_t order; // order of arrival in the thread
	bool ends;      // this event ends the event that began last
};

struct events {
	struct chrome_tracing_event *items;
	size_t n, capacity;
};

struct chrome_tracing_thread {
	struct events events;
	struct events halves; // begin events and end events; each pair of them is one event
	uint32_t next;
	struct buf label; // text with the ids of the thread
};

struct chrome_tracing_state {
	STATE_HEAD(struct chrome_tracing_options);
	struct json_places json;
	bool has_events;                // whether the array of events was found
	struct json_field fields[KEYS]; // members of the event that is being read
	struct buf texts[KEYS];
	uint64_t line;  // line at which this event begins, counted from 1
	bool is_object; // whether this event is an object
	int result;
	struct memo names;                     // memo of names, as the file has them
	struct intern keys;                    // keys of threads: the process id and the thread id
	struct chrome_tracing_thread *threads; // the threads; the index is the id of the key
	size_t threads_capacity;
	struct times times;
	struct buf key;
};

/* --- Events, as they come ------------------------------------------------------------------- */

/** Return a line of the file as the number of a line of the block. */
static uint64_t chrome_tracing_run_line(const struct chrome_tracing_state *state, uint64_t line) {
	return run_line((int64_t)(line - state->json.lines_before));
}

static void chrome_tracing_warn(struct chrome_tracing_state *state, const char *what,
				struct str found) {
	state->result = run_warn(state->run, chrome_tracing_run_line(state, state->line),
				 "%s: '%s'", what, quote(found).text);
}

/** Add a process id or a thread id to the key. If the id is missing, add 0. Return false after a
 * warning if the id is not a number. */
static bool chrome_tracing_add_id(struct chrome_tracing_state *state, enum chrome_tracing_key key) {
	const struct json_field *field = &state->fields[key];
	struct str text = field->text;
	struct decimal id = {0};
	bool small = field->kind == JSON_MISSING || decimal_parse(text, 0, &id);
	if (field->kind == JSON_OTHER || (!small && (text.n == 0 || !str_all_digits(text)))) {
		chrome_tracing_warn(state, "the id of a process or thread is not a number", text);
		return false;
	}
	if (small) { // 1, "1" and 1.0 are the same id
		buf_add(&state->key, &id, sizeof(id));
	} else {
		buf_add_str(&state->key, text);
	}
	buf_add_char(&state->key, '/');
	return true;
}

/** Return the thread of an event, or NULL after a warning. */
static struct chrome_tracing_thread *chrome_tracing_thread_of(struct chrome_tracing_state *state) {
	struct str pid = state->fields[KEY_PROCESS].text, tid = state->fields[KEY_THREAD].text;
	buf_clear(&state->key);
	if (!chrome_tracing_add_id(state, KEY_PROCESS) ||
	    !chrome_tracing_add_id(state, KEY_THREAD)) {
		return NULL;
	}
	uint32_t n = state->keys.count;
	uint32_t id = intern_get(&state->keys, state->key.p, state->key.n)->id;
	if (id == n) {
		MEM_GROW(state->threads, state->threads_capacity, (size_t)n + 1);
		state->threads[id] = (struct chrome_tracing_thread){0};
		struct buf *label = &state->threads[id].label;
		buf_add_str(label, pid);
		if (!str_eq(pid, tid)) {
			buf_add_text(label, pid.n > 0 ? "/" : "");
			buf_add_str(label, tid.n > 0 ? tid : STR("?"));
		}
	}
	return &state->threads[id];
}

static bool chrome_tracing_read_time(struct chrome_tracing_state *state,
				     enum chrome_tracing_key key, struct decimal *time) {
	const struct json_field *field = &state->fields[key];
	int shift = state->options->unit == 1 ? 3 : 0;
	if ((field->kind == JSON_STRING || field->kind == JSON_NUMBER) &&
	    decimal_parse(field->text, shift, time)) {
		return true;
	}
	chrome_tracing_warn(state, "the time of an event is missing or not a number", field->text);
	return false;
}

/** Read the frame of an event. Return false after a warning. */
static bool chrome_tracing_read_name(struct chrome_tracing_state *state, uint32_t *frame) {
	const struct json_field *name = &state->fields[KEY_NAME];
	if (name->kind == JSON_MISSING || name->kind == JSON_OTHER) {
		chrome_tracing_warn(state, "an event has no name", name->text);
		return false;
	}
	*frame = name->text.n == 0 ? NO_FRAME : text_frame(state->run, &state->names, name->text);
	return true;
}

static void chrome_tracing_push(struct events *events, struct chrome_tracing_event event) {
	*MEM_APPEND(events->items, events->n, events->capacity) = event;
}

static void chrome_tracing_complete_event(struct chrome_tracing_state *state) {
	struct chrome_tracing_event event;
	struct chrome_tracing_thread *thread;
	if (state->fields[KEY_DURATION].kind == JSON_MISSING) {
		state->run->tallies[TALLY_NO_DURATION]++;
		return;
	}
	if (!chrome_tracing_read_time(state, KEY_START, &event.start) ||
	    !chrome_tracing_read_time(state, KEY_DURATION, &event.duration) ||
	    !chrome_tracing_read_name(state, &event.frame)) {
		return;
	}
	if (event.duration.whole < 0) {
		chrome_tracing_warn(state, "the duration of an event is negative",
				    state->fields[KEY_DURATION].text);
	} else if ((thread = chrome_tracing_thread_of(state)) != NULL) {
		event.order = thread->next++;
		chrome_tracing_push(&thread->events, event);
	}
}

static void chrome_tracing_half_event(struct chrome_tracing_state *state, bool ends) {
	struct chrome_tracing_event event = {.ends = ends};
	struct chrome_tracing_thread *thread;
	if (chrome_tracing_read_time(state, KEY_START, &event.start) &&
	    (ends || chrome_tracing_read_name(state, &event.frame)) &&
	    (thread = chrome_tracing_thread_of(state)) != NULL) {
		event.order = thread->next++;
		chrome_tracing_push(&thread->halves, event);
	}
}

/** Read an event. Return false if the run must end. */
static bool chrome_tracing_take_event(struct chrome_tracing_state *state) {
	struct str phase = state->fields[KEY_PHASE].text;
	bool pairs = state->options->begin_end;
	state->run->samples += state->fields[KEY_PHASE].kind == JSON_STRING;
	if (!state->is_object) {
		state->result = run_warn(state->run, chrome_tracing_run_line(state, state->line),
					 "an event is not an object");
	} else if (str_eq(phase, STR("X"))) {
		chrome_tracing_complete_event(state);
	} else if (str_eq(phase, STR("B")) || str_eq(phase, STR("E"))) {
		bool ends = phase.p[0] == 'E';
		state->run->tallies[TALLY_BEGIN] += !pairs && !ends;
		if (pairs) {
			chrome_tracing_half_event(state, ends);
		}
	}
	return state->result == 0;
}

/* --- Values, as they come ------------------------------------------------------------------- */

static bool chrome_tracing_fail(struct chrome_tracing_state *state, const char *what) {
	uint64_t line = json_parser_line(state->json.parser);
	run_error(state->run, chrome_tracing_run_line(state, line), "not a trace in JSON: %s",
		  what);
	return false;
}

static void chrome_tracing_begin_event(struct chrome_tracing_state *state, bool is_object) {
	state->line = json_parser_line(state->json.parser);
	state->is_object = is_object;
	memset(state->fields, 0, sizeof(state->fields));
}

static enum chrome_tracing_key chrome_tracing_find_key(struct str key) {
	return str_eq(key, STR("name"))  ? KEY_NAME
	       : str_eq(key, STR("ph"))  ? KEY_PHASE
	       : str_eq(key, STR("ts"))  ? KEY_START
	       : str_eq(key, STR("dur")) ? KEY_DURATION
	       : str_eq(key, STR("pid")) ? KEY_PROCESS
	       : str_eq(key, STR("tid")) ? KEY_THREAD
					 : KEYS;
}

/** Keep a member of an event. */
static void chrome_tracing_set_field(struct chrome_tracing_state *state, struct str name,
				     enum json_kind kind, struct str text) {
	enum chrome_tracing_key key = chrome_tracing_find_key(name);
	if (key != KEYS) {
		buf_set_str(&state->texts[key], text);
		state->fields[key] = (struct json_field){kind, buf_str(&state->texts[key])};
	}
}

static bool chrome_tracing_open(void *memory, unsigned place) {
	struct chrome_tracing_state *state = memory;
	bool is_array = json_places_in_array(&state->json);
	if (place == IN_EVENT) {
		chrome_tracing_begin_event(state, !is_array);
	} else if (place == IN_MEMBER) {
		chrome_tracing_set_field(state, buf_str(&state->json.key), JSON_OTHER, STR(""));
	} else if (place == IN_EVENTS) {
		state->has_events = true;
		return is_array ||
		       chrome_tracing_fail(state, "the member with the events is not an array");
	}
	return true;
}

static bool chrome_tracing_close(void *memory, unsigned place) {
	struct chrome_tracing_state *state = memory;
	return place != IN_EVENT || chrome_tracing_take_event(state);
}

static bool chrome_tracing_value(void *memory, unsigned place, struct str key, enum json_kind kind,
				 struct str text) {
	struct chrome_tracing_state *state = memory;
	if (place == IN_EVENT) {
		chrome_tracing_set_field(state, key, kind, text);
	} else if (place == IN_EVENTS) {
		chrome_tracing_begin_event(state, false);
		return chrome_tracing_take_event(state);
	} else if (place == JSON_TOP && str_eq(key, STR("traceEvents"))) {
		return chrome_tracing_fail(state, "the member with the events is not an array");
	}
	return true;
}

/* --- Calls, at the end of a file -------------------------------------------------------------- */

/** Compare events by their start. If two events start at the same time, the longer event comes
 * first. Equally long events keep their order of arrival. */
static int chrome_tracing_compare_events(const void *left, const void *right) {
	const struct chrome_tracing_event *a = left, *b = right;
	int order = decimal_compare(a->start, b->start);
	order = order != 0 ? order : decimal_compare(b->duration, a->duration);
	return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/** A call that has not ended yet. */
struct chrome_tracing_call {
	struct decimal end, self;
	uint32_t call;
};

struct calls_open {
	struct chrome_tracing_call *items;
	size_t n, capacity;
	struct decimal now; // all earlier time is counted already
	struct str thread;
};

/** Return a time in nanoseconds, or 0 if the time is negative or too large. */
static uint64_t chrome_tracing_ns(const struct chrome_tracing_state *state, struct decimal time) {
	const int64_t thousand = 1000;
	const uint64_t thousandth = 1000000000000000; // a thousandth of a microsecond, as a `part`
	if (time.whole < 0 || time.whole > INT64_MAX / thousand - 1) {
		return 0;
	}
	return state->options->unit == 1
		       ? (uint64_t)time.whole
		       : (uint64_t)(time.whole * thousand) + time.part / thousandth;
}

/** If the profile keeps times, add the time of the innermost call from `now` to `until`, or to the
 * end of the call if the call ends earlier. */
static void chrome_tracing_run(struct chrome_tracing_state *state, struct calls_open *open,
			       struct decimal until) {
	struct profile *profile = state->run->profile;
	const struct chrome_tracing_call *call = open->n == 0 ? NULL : &open->items[open->n - 1];
	if (!profile_wants_times(profile)) {
		return;
	}
	if (call != NULL && decimal_compare(until, call->end) > 0) {
		until = call->end;
	}
	if (call == NULL) {
		open->now = until;
	} else if (decimal_compare(open->now, until) < 0) {
		if (call->call != TIMES_ROOT) {
			times_span(&state->times, profile, call->call, open->thread,
				   chrome_tracing_ns(state, open->now),
				   chrome_tracing_ns(state, until));
		}
		open->now = until;
	}
}

static void chrome_tracing_complete(struct chrome_tracing_state *state, struct calls_open *open) {
	chrome_tracing_run(state, open, open->items[open->n - 1].end);
	const struct chrome_tracing_call *call = &open->items[--open->n];
	if (call->call != TIMES_ROOT) {
		times_add(&state->times, state->run->profile, call->call, call->self);
	} else {
		state->run->tallies[TALLY_NO_FRAMES]++;
	}
}

static void chrome_tracing_place(struct chrome_tracing_state *state, struct calls_open *open,
				 const struct chrome_tracing_event *event) {
	struct chrome_tracing_call call = {
		.end = event->start, .self = event->duration, .call = TIMES_ROOT};
	decimal_add(&call.end, event->duration); // the sum fits, because both times are below 2^62
	while (open->n > 0 && decimal_compare(open->items[open->n - 1].end, event->start) <= 0) {
		chrome_tracing_complete(state, open);
	}
	chrome_tracing_run(state, open, event->start);
	if (open->n > 0) {
		struct chrome_tracing_call *caller = &open->items[open->n - 1];
		bool outlasts = decimal_compare(call.end, caller->end) > 0;
		struct decimal inside =
			outlasts ? decimal_minus(caller->end, event->start) : event->duration;
		state->run->tallies[TALLY_OVERLAP] += outlasts;
		caller->self = decimal_minus(caller->self, inside);
		call.call = caller->call;
	}
	if (event->frame != NO_FRAME) {
		call.call = times_call(&state->times, call.call, event->frame);
	}
	*MEM_APPEND(open->items, open->n, open->capacity) = call;
}

static void chrome_tracing_sort_events(struct events *events) {
	if (events->n > 1) {
		qsort(events->items, events->n, sizeof(*events->items),
		      chrome_tracing_compare_events);
	}
}

/** Join pairs of begin and end events. An end event belongs to the last begin event that has no end
 * yet. */
static void chrome_tracing_pair_halves(struct chrome_tracing_state *state,
				       struct chrome_tracing_thread *thread) {
	struct events *halves = &thread->halves;
	size_t open = 0; // number of begin events without an end; they are at the start of the
			 // array
	chrome_tracing_sort_events(halves);
	for (size_t i = 0; i < halves->n; i++) {
		struct chrome_tracing_event half = halves->items[i];
		if (!half.ends) {
			halves->items[open++] = half;
		} else if (open > 0) {
			struct chrome_tracing_event event = halves->items[--open];
			event.duration = decimal_minus(half.start, event.start);
			chrome_tracing_push(&thread->events, event);
		} else {
			state->run->tallies[TALLY_UNPAIRED]++;
		}
	}
	state->run->tallies[TALLY_UNPAIRED] += open;
}

static void chrome_tracing_thread_release(struct chrome_tracing_thread *thread) {
	free(thread->events.items);
	free(thread->halves.items);
	buf_release(&thread->label);
}

/** At the end of a file, find the caller of each event, count the events, and drop them. */
static void chrome_tracing_end_file(struct chrome_tracing_state *state) {
	struct calls_open open = {0};
	for (size_t t = 0; t < state->keys.count; t++) {
		struct chrome_tracing_thread *thread = &state->threads[t];
		chrome_tracing_pair_halves(state, thread);
		chrome_tracing_sort_events(&thread->events);
		open.thread = buf_str(&thread->label);
		for (size_t i = 0; i < thread->events.n; i++) {
			chrome_tracing_place(state, &open, &thread->events.items[i]);
		}
		while (open.n > 0) {
			chrome_tracing_complete(state, &open);
		}
		chrome_tracing_thread_release(thread);
	}
	free(open.items);
	intern_release(&state->keys);
}

static void chrome_tracing_finish(void *memory) {
	struct chrome_tracing_state *state = memory;
	state->run->tallies[TALLY_VANISHED] = times_finish(&state->times, state->run->profile);
}

/* --- The collapser -------------------------------------------------------------------------- */

static const struct json_rule rules[] = {
	{JSON_TOP, "traceEvents", IN_EVENTS},
	{IN_EVENTS, NULL, IN_EVENT},
	{IN_EVENT, JSON_ANY_KEY, IN_MEMBER},
	{JSON_NOWHERE, NULL, JSON_NOWHERE},
};

static const struct json_places_calls calls = {rules, chrome_tracing_open, chrome_tracing_close,
					       chrome_tracing_value, .list = IN_EVENTS};

static int chrome_tracing_block(void *memory, const struct block *block) {
	struct chrome_tracing_state *state = memory;
	state->has_events &= !block->first;
	int result = json_places_block(&state->json, &calls, state, block, "a trace");
	if (result == 0 && block->last) {
		if (!state->has_events) {
			chrome_tracing_fail(state, "there is no array of events in it");
			return -1;
		}
		chrome_tracing_end_file(state);
	}
	return result;
}

static void chrome_tracing_release(void *memory) {
	struct chrome_tracing_state *state = memory;
	for (size_t t = 0; t < state->keys.count; t++) {
		chrome_tracing_thread_release(&state->threads[t]);
	}
	for (size_t i = 0; i < KEYS; i++) {
		buf_release(&state->texts[i]);
	}
	free(state->threads);
	json_places_release(&state->json);
	memo_release(&state->names);
	intern_release(&state->keys);
	times_release(&state->times);
	buf_release(&state->key);
}

/** Return whether the text after a `"ph"` is a colon and one letter in quotes. */
static bool chrome_tracing_is_phase(struct str rest) {
	rest = str_trim_start(rest);
	if (!str_starts(rest, STR(":"))) {
		return false;
	}
	rest = str_trim_start(str_from(rest, 1));
	return rest.n >= 3 && rest.p[0] == '"' && is_alpha(rest.p[1]) && rest.p[2] == '"';
}

static int chrome_tracing_sniff(struct str bytes, bool whole) {
	bytes = str_trim_start(bytes);
	struct str inner = bytes.n == 0 ? bytes : str_trim_start(str_from(bytes, 1));
	bool list = str_starts(bytes, STR("["));
	if (!list && !str_starts(bytes, STR("{"))) {
		return SNIFF_NO;
	}
	if (inner.n > 0 && inner.p[0] != (list ? '{' : '"')) {
		return SNIFF_NO;
	}
	bool named = str_has(bytes, STR("\"traceEvents\""));
	for (size_t at; (at = str_find_str(bytes, STR("\"ph\""))) != STR_NONE;) {
		bytes = str_from(bytes, at + 4);
		if (chrome_tracing_is_phase(bytes)) {
			return 2 * SNIFF_MAGIC;
		}
	}
	return !whole ? SNIFF_MORE : named ? SNIFF_COULD_BE : SNIFF_NO;
}

static const char *const units[] = {"us", "ns", NULL};

static const struct opt options[] = {
	{OPT_IS_BOOL(struct chrome_tracing_options, begin_end), .name = "begin-end",
	 .help = "fold pairs of begin and end events (phases B and E), too"},
	{OPT_IS_CHOICE(struct chrome_tracing_options, unit), .name = "unit", .value = "UNIT",
	 .initial = "us", .choices = units, .help = "count microseconds or nanoseconds"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"clang -ftime-trace -c app.c", "make the compiler write a trace, app.json"},
	{"node --trace-event-categories v8,node app.js",
	 "write a trace of node to node_trace.1.log"},
	{"inferno collapse chrome-tracing app.json > app.folded", "fold a trace"},
	{NULL, NULL},
};

const struct collapser collapse_chrome_tracing = {
	.name = "chrome-tracing",
	.aliases = (const char *const[]){"stackcollapse-chrome-tracing", NULL},
	.brief = "fold traces of Chrome, node, clang and others",
	.about =
		"Reads JSON in the Trace Event format: an object with an array traceEvents, or the "
		"array alone, even without its closing bracket. Complete events (phase X) are "
		"folded, and with --begin-end, pairs of begin and end events (phases B and E). The "
		"count of an event is its duration minus the durations of the events inside it. "
		"Events of different threads never share a stack, but no frame names "
		"the thread. Several files are added up. Sums are exact and rounded at the end.",
	.examples = examples,
	.options = {options, sizeof(struct chrome_tracing_options)},
	.state_size = sizeof(struct chrome_tracing_state),
	.sniff = chrome_tracing_sniff,
	.block = chrome_tracing_block,
	.flags = FORMAT_ANY_CUT,
	.finish = chrome_tracing_finish,
	.release = chrome_tracing_release,
	.unit = "microseconds",
	.tallies =
		{
			[TALLY_BEGIN] = "left out begin events (--begin-end folds them)",
			[TALLY_NO_DURATION] = "left out complete events without a duration",
			[TALLY_UNPAIRED] = "left out begin events without an end, and ends without "
					   "a beginning",
			[TALLY_OVERLAP] = "events that end later than their caller",
			[TALLY_VANISHED] = "stacks that count 0, being less than half a unit",
			[TALLY_NO_FRAMES] = "left out events without names",
		},
	.expects = "a trace in JSON, with events",
};
