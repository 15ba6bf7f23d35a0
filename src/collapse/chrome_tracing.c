/*
 * chrome-tracing: traces in the Trace Event format, which browsers, node and clang write.
 *
 * An event says when a function began and how long it took. Which one called which follows from
 * that, once the events of a thread are in order; so they are kept to the end, without their texts.
 */
#include <stdlib.h>

#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/json.h"
#include "collapse/text.h"
#include "collapse/times.h"

struct options {
	bool begin_end;
	unsigned unit; // index in the choices: 0 microseconds, 1 nanoseconds
};

enum tally {
	TALLY_BEGIN,
	TALLY_NO_DURATION,
	TALLY_UNPAIRED,
	TALLY_OVERLAP,
	TALLY_VANISHED,
	TALLY_NO_FRAMES
};

#define NO_FRAME UINT32_MAX // of an event whose name is empty

struct event {
	struct decimal start, duration;
	uint32_t frame;
	uint32_t order; // in its thread
};

struct events {
	struct event *items;
	size_t n, capacity;
};

struct thread {
	struct events events;
	struct events open; // those that have begun
	uint32_t next;
};

struct state {
	const struct options *options;
	struct run *run;
	struct json *json;
	uint64_t lines_before; // the current block
	bool open_line;        // the block before ended inside a line
	int result;
	struct text_names names;
	struct intern keys;     // process and thread ids
	struct thread *threads; // by the keys' ids
	size_t threads_capacity;
	struct times times;
	struct buf key;
};

static void init(void *memory, const void *options, struct run *run) {
	struct state *state = memory;
	state->options = options;
	state->run = run;
	state->names.stacks = run->stacks;
	state->times.stacks = run->stacks;
}

/* --- Events, as they come ------------------------------------------------------------------- */

static int warn(struct state *state, uint64_t line, const char *what, struct str found) {
	return run_warn(state->run, run_line((int64_t)(line - state->lines_before)), "%s: '%s'",
			what, quote(found).text);
}

/** Adds an id to the key; one that is missing is 0. False if it is no number. */
static bool add_id(struct state *state, struct json_item *item, const char *name,
		   struct str *text) {
	enum json_kind kind = json_member(item, name, text);
	struct decimal id = {0};
	bool small = kind == JSON_MISSING || decimal_parse(*text, 0, &id);
	if (kind == JSON_OTHER || (!small && (text->n == 0 || !str_all_digits(*text)))) {
		return false;
	}
	if (small) { // 1, "1" and 1.0 are one thread
		buf_add(&state->key, &id, sizeof(id));
	} else {
		buf_add_str(&state->key, *text);
	}
	buf_add_char(&state->key, '/');
	return true;
}

/** The thread of an event; NULL after a warning. */
static struct thread *thread_of(struct state *state, struct json_item *item, uint64_t line) {
	struct str text;
	buf_clear(&state->key);
	if (!add_id(state, item, "pid", &text) || !add_id(state, item, "tid", &text)) {
		state->result =
			warn(state, line, "the id of a process or thread is no number", text);
		return NULL;
	}
	uint32_t n = state->keys.count;
	uint32_t id = intern_get(&state->keys, state->key.p, state->key.n)->id;
	if (id == n) {
		state->threads = mem_grow(state->threads, &state->threads_capacity, (size_t)n + 1,
					  sizeof(*state->threads));
		state->threads[id] = (struct thread){0};
	}
	return &state->threads[id];
}

static bool read_time(struct state *state, struct json_item *item, const char *name, uint64_t line,
		      struct decimal *time) {
	struct str text;
	enum json_kind kind = json_member(item, name, &text);
	int shift = state->options->unit == 1 ? 3 : 0;
	if ((kind == JSON_STRING || kind == JSON_NUMBER) && decimal_parse(text, shift, time)) {
		return true;
	}
	state->result = warn(state, line, "the time of an event is missing or no number", text);
	return false;
}

/** The frame of an event. False after a warning. */
static bool read_name(struct state *state, struct json_item *item, uint64_t line, uint32_t *frame) {
	struct str name;
	enum json_kind kind = json_member(item, "name", &name);
	if (kind == JSON_MISSING || kind == JSON_OTHER) {
		state->result = warn(state, line, "an event has no name", name);
		return false;
	}
	*frame = name.n == 0 ? NO_FRAME : text_frame(&state->names, name);
	return true;
}

static void push(struct events *events, struct event event) {
	events->items =
		mem_grow(events->items, &events->capacity, events->n + 1, sizeof(*events->items));
	events->items[events->n++] = event;
}

static void complete_event(struct state *state, struct json_item *item, uint64_t line) {
	struct event event;
	struct str text;
	struct thread *thread;
	if (json_member(item, "dur", &text) == JSON_MISSING) {
		state->run->tallies[TALLY_NO_DURATION]++;
		return;
	}
	if (!read_time(state, item, "ts", line, &event.start) ||
	    !read_time(state, item, "dur", line, &event.duration) ||
	    !read_name(state, item, line, &event.frame)) {
		return;
	}
	if (event.duration.whole < 0) {
		state->result = warn(state, line, "the duration of an event is below 0", text);
	} else if ((thread = thread_of(state, item, line)) != NULL) {
		event.order = thread->next++;
		push(&thread->events, event);
	}
}

static void begin_event(struct state *state, struct json_item *item, uint64_t line) {
	struct event event = {0};
	struct thread *thread;
	if (read_time(state, item, "ts", line, &event.start) &&
	    read_name(state, item, line, &event.frame) &&
	    (thread = thread_of(state, item, line)) != NULL) {
		event.order = thread->next++;
		push(&thread->open, event);
	}
}

static void end_event(struct state *state, struct json_item *item, uint64_t line) {
	struct decimal end;
	struct thread *thread;
	if (!read_time(state, item, "ts", line, &end) ||
	    (thread = thread_of(state, item, line)) == NULL) {
		return;
	}
	if (thread->open.n == 0) {
		state->run->tallies[TALLY_UNPAIRED]++;
		return;
	}
	struct event event = thread->open.items[--thread->open.n];
	event.duration = decimal_minus(end, event.start);
	if (event.duration.whole < 0) {
		state->result = warn(state, line, "an event ends before it begins", STR("E"));
		return;
	}
	push(&thread->events, event);
}

static bool on_item(void *context, struct json_item *item, uint64_t line) {
	struct state *state = context;
	struct str phase;
	if (!json_is_object(item)) {
		state->result =
			run_warn(state->run, run_line((int64_t)(line - state->lines_before)),
				 "an event is not an object");
		return state->result == 0;
	}
	bool pairs = state->options->begin_end;
	state->run->samples += json_member(item, "ph", &phase) == JSON_STRING;
	if (str_eq(phase, STR("X"))) {
		complete_event(state, item, line);
	} else if (str_eq(phase, STR("B"))) {
		state->run->tallies[TALLY_BEGIN] += !pairs;
		if (pairs) {
			begin_event(state, item, line);
		}
	} else if (str_eq(phase, STR("E")) && pairs) {
		end_event(state, item, line);
	}
	return state->result == 0;
}

/* --- Calls, at the end ---------------------------------------------------------------------- */

/** By time; of those that start together the longest first, then as they came. */
static int compare_events(const void *left, const void *right) {
	const struct event *a = left, *b = right;
	int order = decimal_compare(a->start, b->start);
	order = order != 0 ? order : decimal_compare(b->duration, a->duration);
	return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/** A call that has not ended yet. */
struct call {
	struct decimal end, self;
	uint32_t call;
};

struct calls_open {
	struct call *items;
	size_t n, capacity;
};

static void complete(struct state *state, struct calls_open *open) {
	const struct call *call = &open->items[--open->n];
	if (call->call != TIMES_ROOT) {
		times_add(&state->times, call->call, call->self);
	} else {
		state->run->tallies[TALLY_NO_FRAMES]++;
	}
}

static void place(struct state *state, struct calls_open *open, const struct event *event) {
	struct call call = {.end = event->start, .self = event->duration, .call = TIMES_ROOT};
	decimal_add(&call.end, event->duration); // both are below 2^62
	while (open->n > 0 && decimal_compare(open->items[open->n - 1].end, event->start) <= 0) {
		complete(state, open);
	}
	if (open->n > 0) {
		struct call *caller = &open->items[open->n - 1];
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
	open->items = mem_grow(open->items, &open->capacity, open->n + 1, sizeof(*open->items));
	open->items[open->n++] = call;
}

static void finish(void *memory) {
	struct state *state = memory;
	struct calls_open open = {0};
	for (size_t t = 0; t < state->keys.count; t++) {
		struct thread *thread = &state->threads[t];
		struct events *events = &thread->events;
		if (events->n > 1) {
			qsort(events->items, events->n, sizeof(*events->items), compare_events);
		}
		for (size_t i = 0; i < events->n; i++) {
			place(state, &open, &events->items[i]);
		}
		while (open.n > 0) {
			complete(state, &open);
		}
		state->run->tallies[TALLY_UNPAIRED] += thread->open.n;
	}
	free(open.items);
	times_finish(&state->times);
	state->run->tallies[TALLY_VANISHED] = state->times.vanished;
}

/* --- The collapser -------------------------------------------------------------------------- */

static int block(void *memory, const struct block *block) {
	struct state *state = memory;
	if (block->first) {
		state->json = json_new("traceEvents", on_item, state);
		state->lines_before = 0;
		state->open_line = false;
	}
	int result = 0;
	if (!json_feed(state->json, block->bytes, block->last)) {
		uint64_t line = json_line(state->json) - state->lines_before;
		result = run_error(state->run, run_line((int64_t)line), "not a trace in JSON: %s",
				   json_error(state->json));
	}
	result = state->result != 0 ? state->result : result;
	state->run->lines = run_count_lines(block, &state->open_line);
	state->lines_before += state->run->lines;
	if (block->last) {
		json_free(state->json);
		state->json = NULL;
	}
	return result;
}

static void release(void *memory) {
	struct state *state = memory;
	for (size_t t = 0; t < state->keys.count; t++) {
		free(state->threads[t].events.items);
		free(state->threads[t].open.items);
	}
	free(state->threads);
	json_free(state->json);
	text_names_release(&state->names);
	intern_release(&state->keys);
	times_release(&state->times);
	buf_release(&state->key);
}

/** Whether a `"ph"` is followed by a colon and one letter in quotes. */
static bool is_phase(struct str rest) {
	rest = str_trim_start(rest);
	if (!str_starts(rest, STR(":"))) {
		return false;
	}
	rest = str_trim_start(str_from(rest, 1));
	return rest.n >= 3 && rest.p[0] == '"' && is_alpha(rest.p[1]) && rest.p[2] == '"';
}

static int sniff(struct str bytes, bool whole) {
	bytes = str_starts(bytes, STR("\xef\xbb\xbf")) ? str_from(bytes, 3) : bytes;
	bytes = str_trim_start(bytes);
	if (!str_starts(bytes, STR("{")) && !str_starts(bytes, STR("["))) {
		return SNIFF_NO;
	}
	bool named = str_has(bytes, STR("\"traceEvents\""));
	for (size_t at; (at = str_find_str(bytes, STR("\"ph\""))) != STR_NONE;) {
		bytes = str_from(bytes, at + 4);
		if (is_phase(bytes)) {
			return 2 * SNIFF_MAGIC;
		}
	}
	return !whole ? SNIFF_MORE : named ? SNIFF_COULD_BE : SNIFF_NO;
}

static const char *const units[] = {"us", "ns", NULL};

static const struct opt options[] = {
	{OPT_IS_BOOL(struct options, begin_end), .name = "begin-end",
	 .help = "fold pairs of begin and end events, too"},
	{OPT_IS_CHOICE(struct options, unit), .name = "unit", .value = "UNIT", .initial = "us",
	 .choices = units, .help = "count microseconds or nanoseconds"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"clang -ftime-trace -c app.c", "have the compiler write app.json, say"},
	{"node --trace-event-categories v8,node app.js", "trace node into node_trace.1.log"},
	{"inferno collapse chrome-tracing app.json > app.folded", "fold a trace"},
	{NULL, NULL},
};

const struct collapser collapse_chrome_tracing = {
	.name = "chrome-tracing",
	.aliases = (const char *const[]){"stackcollapse-chrome-tracing", NULL},
	.brief = "fold traces of Chrome, node, clang and others",
	.about = "Reads JSON in the Trace Event format: an object with an array traceEvents, or "
		 "the array alone, whose end may be missing. Counted are complete events (of phase "
		 "X): the time that passed in each and in none inside it. Processes and threads "
		 "are kept apart but not shown. Several files are read as one trace, since a "
		 "trace may be cut into files. Sums are exact and rounded at the end.",
	.examples = examples,
	.options = options,
	.options_size = sizeof(struct options),
	.state_size = sizeof(struct state),
	.sniff = sniff,
	.init = init,
	.block = block,
	.any_cut = true,
	.finish = finish,
	.release = release,
	.tallies =
		{
			[TALLY_BEGIN] = "begin events left out (--begin-end folds them)",
			[TALLY_NO_DURATION] = "complete events without a duration left out",
			[TALLY_UNPAIRED] = "begin or end events without the other left out",
			[TALLY_OVERLAP] = "events that end after the one that they began in",
			[TALLY_VANISHED] = "stacks of less than half a unit that count 0",
			[TALLY_NO_FRAMES] = "events without a name left out",
		},
	.expects = "a trace in JSON, with events",
};
