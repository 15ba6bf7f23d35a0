/*
 * speedscope: profiles in the file format of speedscope, which py-spy, rbspy and others write.
 *
 * A file has a table of frames, and profiles that refer to its frames by numbers. The table may
 * come after the profiles. In a profile, the unit may come after the samples. So profiles are kept
 * as numbers until the file ends.
 */
#include <stdlib.h>

#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/json_places.h"
#include "collapse/packed_list.h"
#include "collapse/text.h"
#include "collapse/times.h"

struct speedscope_options {
	struct opt_list label_frames;
	const char *unit;
};

enum speedscope_tally {
	TALLY_NEGATIVE,
	TALLY_CALLER_FIRST,
	TALLY_NOT_OPEN,
	TALLY_OPEN,
	TALLY_VANISHED
};

enum speedscope_place {
	IN_SHARED = JSON_TOP + 1,
	IN_FRAMES,
	IN_FRAME,
	IN_PROFILES,
	IN_PROFILE,
	IN_SAMPLES,
	IN_STACK,
	IN_WEIGHTS,
	IN_EVENTS,
	IN_EVENT
};

struct speedscope_unit {
	const char *name;
	unsigned shift; // for units of time: power of ten that converts a time to nanoseconds
	bool is_time;
};

static const struct speedscope_unit units[] = {
	{"none", 0, false},        {"nanoseconds", 0, true}, {"microseconds", 3, true},
	{"milliseconds", 6, true}, {"seconds", 9, true},     {"bytes", 0, false},
};

struct speedscope_profile {
	struct buf name;
	const struct speedscope_unit *unit;
	struct decimal start, end;
	struct ids stacks;          // stacks of the samples
	struct packed_list weights; // weights of the samples, as decimals
	struct packed_list frames;  // for each event, twice its frame, plus 1 if the event begins a
				    // call
	struct packed_list times;   // times of the events, as decimals
};

/** A call that has not ended. */
struct speedscope_call {
	uint32_t frame, call;
};

struct speedscope_state {
	STATE_HEAD(struct speedscope_options);
	struct json_places json;
	struct memo names;
	struct ids frames;    // frame of each number; NO_FRAME: the frame has no name
	struct site site;     // details of the frame that is being read
	struct intern stacks; // keys are stacks of the file: lists of numbers of frames
	struct ids stack;     // the stack that is being read
	struct ids calls;     // for each stack, its call; CALL_UNKNOWN: not looked up yet
	struct speedscope_profile *profiles; // profiles of the file
	size_t profiles_n, profiles_capacity;
	const struct speedscope_unit *unit; // unit of the counts; NULL: not known yet
	struct ids labels;                  // frames for --label-frames, for the current profile
	struct speedscope_call *open;
	size_t open_n, open_capacity;
	struct times times;
};

#define NO_FRAME UINT32_MAX
#define CALL_UNKNOWN UINT32_MAX

/* --- Values, as they come ------------------------------------------------------------------- */

static bool speedscope_fail(struct speedscope_state *state, const char *what, struct str found) {
	run_error(state->run, 0, "profile %zu: %s, found '%s'", state->profiles_n, what,
		  quote(found).text);
	return false;
}

static struct speedscope_profile *speedscope_last(struct speedscope_state *state) {
	return &state->profiles[state->profiles_n - 1];
}

static bool speedscope_open(void *memory, unsigned place) {
	struct speedscope_state *state = memory;
	if (place == IN_FRAME) {
		ids_push(&state->frames, NO_FRAME);
		state->site = (struct site){0};
	} else if (place == IN_PROFILE) {
		*MEM_APPEND(state->profiles, state->profiles_n, state->profiles_capacity) =
			(struct speedscope_profile){.unit = &units[0]};
	} else if (place == IN_STACK) {
		state->stack.n = 0;
	}
	return true;
}

/** Store the details of the frame that was read. */
static void speedscope_end_frame(struct speedscope_state *state) {
	uint32_t *frame = &state->frames.items[state->frames.n - 1];
	if (*frame != NO_FRAME && profile_wants_sites(state->run->profile)) {
		state->site.name = *frame;
		*frame = profile_site(state->run->profile, &state->site);
	}
}

static bool speedscope_close(void *memory, unsigned place) {
	struct speedscope_state *state = memory;
	if (place == IN_FRAME) {
		speedscope_end_frame(state);
	} else if (place == IN_STACK) {
		const struct ids *stack = &state->stack;
		ids_push(&speedscope_last(state)->stacks,
			 intern_get(&state->stacks, stack->items, stack->n * sizeof(*stack->items))
				 ->id);
		state->run->samples++;
	}
	return true;
}

/** Read the number of a frame. */
static bool speedscope_read_index(struct speedscope_state *state, enum json_kind kind,
				  struct str text, uint32_t *index) {
	uint64_t number = 0;
	bool good = kind == JSON_NUMBER && num_parse_u64(text, &number) && number < NO_FRAME;
	*index = (uint32_t)number;
	return good || speedscope_fail(state, "expected the number of a frame", text);
}

static bool speedscope_read_number(struct speedscope_state *state, const char *what,
				   enum json_kind kind, struct str text, struct decimal *number) {
	return (kind == JSON_NUMBER && decimal_parse(text, 0, number)) ||
	       speedscope_fail(state, what, text);
}

static bool speedscope_read_unit(struct speedscope_state *state, struct str text) {
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (str_eq(text, str_of(units[i].name))) {
			speedscope_last(state)->unit = &units[i];
			return true;
		}
	}
	return speedscope_fail(state, "expected a unit such as none, seconds or bytes", text);
}

static bool speedscope_read_profile(struct speedscope_state *state, struct str key,
				    enum json_kind kind, struct str text) {
	struct speedscope_profile *profile = speedscope_last(state);
	if (str_eq(key, STR("name")) && kind == JSON_STRING) {
		buf_set_str(&profile->name, text);
	} else if (str_eq(key, STR("unit"))) {
		return speedscope_read_unit(state, text);
	} else if (str_eq(key, STR("startValue"))) {
		return speedscope_read_number(state, "expected a startValue below 2^62", kind, text,
					      &profile->start);
	} else if (str_eq(key, STR("endValue"))) {
		return speedscope_read_number(state, "expected an endValue below 2^62", kind, text,
					      &profile->end);
	}
	return true;
}

enum { EVENT_TYPE, EVENT_FRAME, EVENT_AT };
static const char *const event_keys[] = {"type", "frame", "at", NULL};

static bool speedscope_take_event(void *memory, const struct json_field *fields) {
	struct speedscope_state *state = memory;
	struct speedscope_profile *profile = speedscope_last(state);
	struct json_field type = fields[EVENT_TYPE], frame = fields[EVENT_FRAME],
			  at = fields[EVENT_AT];
	bool begins = str_eq(type.text, STR("O"));
	struct decimal time;
	uint32_t number;
	if (type.kind == JSON_MISSING || frame.kind == JSON_MISSING || at.kind == JSON_MISSING) {
		run_error(state->run, 0, "profile %zu: event %zu has no type, frame or time",
			  state->profiles_n, profile->times.n + 1);
		return false;
	}
	if (!begins && !str_eq(type.text, STR("C"))) {
		return speedscope_fail(state, "the type of an event is neither O nor C", type.text);
	}
	if (!speedscope_read_index(state, frame.kind, frame.text, &number) ||
	    !speedscope_read_number(state, "expected the time of an event", at.kind, at.text,
				    &time)) {
		return false;
	}
	packed_list_push(&profile->frames, 2 * (uint64_t)number + begins);
	packed_list_push_decimal(&profile->times, time);
	state->run->samples++;
	return true;
}

static bool speedscope_read_weight(struct speedscope_state *state, enum json_kind kind,
				   struct str text) {
	struct decimal weight;
	if (!speedscope_read_number(state, "expected a weight below 2^62", kind, text, &weight)) {
		return false;
	}
	packed_list_push_decimal(&speedscope_last(state)->weights, weight);
	return true;
}

static void speedscope_read_detail(struct speedscope_state *state, struct str key,
				   enum json_kind kind, struct str text) {
	uint64_t number;
	if (!profile_wants_sites(state->run->profile)) {
		state->run->profile->skipped.lines |=
			str_eq(key, STR("file")) || str_eq(key, STR("line"));
	} else if (str_eq(key, STR("file")) && kind == JSON_STRING) {
		state->site.file = sites_text(state->run->profile->sites, text);
	} else if (kind == JSON_NUMBER && num_parse_u64(text, &number) && number <= UINT32_MAX) {
		uint32_t *field = str_eq(key, STR("line"))  ? &state->site.line
				  : str_eq(key, STR("col")) ? &state->site.column
							    : NULL;
		if (field != NULL) {
			*field = (uint32_t)number;
		}
	}
}

static bool speedscope_value(void *memory, unsigned place, struct str key, enum json_kind kind,
			     struct str text) {
	struct speedscope_state *state = memory;
	switch (place) {
	case IN_FRAME:
		if (str_eq(key, STR("name")) && kind == JSON_STRING) {
			state->frames.items[state->frames.n - 1] = text_frame(
				state->run, &state->names, text.n > 0 ? text : STR("[unknown]"));
		} else {
			speedscope_read_detail(state, key, kind, text);
		}
		return true;
	case IN_FRAMES: // the value is not an object
		ids_push(&state->frames, NO_FRAME);
		return true;
	case IN_PROFILE:
		return speedscope_read_profile(state, key, kind, text);
	case IN_STACK:
		ids_push(&state->stack, 0);
		return speedscope_read_index(state, kind, text,
					     &state->stack.items[state->stack.n - 1]);
	case IN_SAMPLES:
		return speedscope_fail(state, "a sample is not a list of frames", text);
	case IN_WEIGHTS:
		return speedscope_read_weight(state, kind, text);
	default:
		return true;
	}
}

static bool speedscope_integers(void *memory, unsigned place, const uint64_t *items, size_t n) {
	struct speedscope_state *state = memory;
	bool good = true;
	for (size_t i = 0; i < n && good; i++) {
		char text[NUM_U64_MAX];
		if (place == IN_STACK && items[i] < NO_FRAME) {
			ids_push(&state->stack, (uint32_t)items[i]);
		} else if (place == IN_WEIGHTS) {
			packed_list_push_decimal(&speedscope_last(state)->weights,
						 (struct decimal){(int64_t)items[i], 0});
		} else {
			struct str number = {text, num_format_u64(text, items[i])};
			good = speedscope_value(state, place, STR(""), JSON_NUMBER, number);
		}
	}
	return good;
}

/* --- Profiles, at the end of a file ----------------------------------------------------------- */

/** Return a time in nanoseconds, or 0 if the time is negative. */
static uint64_t speedscope_ns(struct decimal time) {
	return time.whole < 0 ? 0 : (uint64_t)time.whole;
}

static struct str speedscope_name(const struct speedscope_profile *profile) {
	return buf_str(&profile->name);
}

/** Report a sample or an event that names a missing frame. Return 0, or -1 if the run must end. */
static int speedscope_bad_frame(struct speedscope_state *state,
				const struct speedscope_profile *profile, const char *what,
				size_t number, uint32_t frame) {
	return run_bad(
		state->run, 0, "profile '%s': %s %zu: frame %lu is not there, or has no name",
		quote(speedscope_name(profile)).text, what, number + 1, (unsigned long)frame);
}

/** Return the frame with a number, or NO_FRAME if the frame is missing or has no name. */
static uint32_t speedscope_frame(const struct speedscope_state *state, uint32_t number) {
	return number < state->frames.n ? state->frames.items[number] : NO_FRAME;
}

/** Return the call of the last root frame for --label-frames. */
static uint32_t speedscope_root(struct speedscope_state *state) {
	uint32_t call = TIMES_ROOT;
	for (size_t i = 0; i < state->labels.n; i++) {
		call = times_call(&state->times, call, state->labels.items[i]);
	}
	return call;
}

/** Return the call in which a stack ends. If a frame is missing, set `*missing` to its number, and
 * return CALL_UNKNOWN. */
static uint32_t speedscope_call_of(struct speedscope_state *state, uint32_t stack,
				   uint32_t *missing) {
	uint32_t *known = &state->calls.items[stack];
	const struct intern_key *key = state->stacks.keys[stack];
	const uint32_t *numbers = (const void *)key->bytes;
	size_t n = key->len / sizeof(*numbers);
	if (*known != CALL_UNKNOWN) {
		return *known;
	}
	uint32_t call = speedscope_root(state);
	if (n == 0) {
		call = times_call(&state->times, call,
				  text_frame(state->run, &state->names, STR("[unknown]")));
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t frame = speedscope_frame(state, numbers[i]);
		if (frame == NO_FRAME) {
			*missing = numbers[i];
			return CALL_UNKNOWN;
		}
		call = times_call(&state->times, call, frame);
	}
	*known = call;
	return call;
}

/** Add a time or a weight to the count of a call. If it is a time and the profile keeps times, pass
 * its start and its end to the profile, too. */
static void speedscope_count(struct speedscope_state *state,
			     const struct speedscope_profile *profile, uint32_t call,
			     struct decimal from, struct decimal weight) {
	struct profile *into = state->run->profile;
	struct decimal until = from;
	if (weight.whole == 0 && weight.part == 0) {
		return;
	}
	if (profile_wants_times(into) && profile->unit->is_time && decimal_add(&until, weight)) {
		times_span(&state->times, into, call, speedscope_name(profile), speedscope_ns(from),
			   speedscope_ns(until));
	}
	times_add(&state->times, into, call, weight);
}

static int speedscope_too_large(struct speedscope_state *state,
				const struct speedscope_profile *profile) {
	return run_error(state->run, 0, "profile '%s': a weight or a time is too large",
			 quote(speedscope_name(profile)).text);
}

static int speedscope_count_samples(struct speedscope_state *state,
				    const struct speedscope_profile *profile) {
	struct decimal now = profile->start;
	if (profile->stacks.n != profile->weights.n) {
		return run_error(state->run, 0, "profile '%s': %zu samples have %zu weights",
				 quote(speedscope_name(profile)).text, profile->stacks.n,
				 profile->weights.n);
	}
	const uint16_t *at = profile->weights.units;
	for (size_t i = 0; i < profile->stacks.n; i++) {
		struct decimal weight = packed_list_next_decimal(&at);
		uint32_t missing = 0;
		if (!decimal_shift(&weight, profile->unit->shift)) {
			return speedscope_too_large(state, profile);
		}
		if (weight.whole < 0) {
			state->run->tallies[TALLY_NEGATIVE]++;
			continue;
		}
		uint32_t call = speedscope_call_of(state, profile->stacks.items[i], &missing);
		if (call != CALL_UNKNOWN) {
			speedscope_count(state, profile, call, now, weight);
		} else if (speedscope_bad_frame(state, profile, "sample", i, missing) != 0) {
			return -1;
		}
		if (!decimal_add(&now, weight)) {
			return speedscope_too_large(state, profile);
		}
	}
	return 0;
}

/** End a call. If some of its callees have not ended, make them callees of its caller: files of old
 * versions of dotnet-trace have such calls. If such a call is the outermost one, report the file as
 * bad first. Return 0, or -1 if the run must end. */
static int speedscope_end_call(struct speedscope_state *state,
			       const struct speedscope_profile *profile, uint32_t frame) {
	size_t at = state->open_n;
	while (at > 0 && state->open[at - 1].frame != frame) {
		at--;
	}
	if (at == 0) {
		state->run->tallies[TALLY_NOT_OPEN]++;
		return 0;
	}
	if (at == 1 && state->open_n > 1 &&
	    run_bad(state->run, 0,
		    "profile '%s': calls are not nested: the outermost one ends before those that "
		    "it made",
		    quote(speedscope_name(profile)).text) != 0) {
		return -1;
	}
	state->run->tallies[TALLY_CALLER_FIRST] += at > 1 && at < state->open_n;
	uint32_t call = at == 1 ? speedscope_root(state) : state->open[at - 2].call;
	state->open_n--;
	for (size_t i = at - 1; i < state->open_n; i++) {
		state->open[i].frame = state->open[i + 1].frame;
		call = times_call(&state->times, call,
				  speedscope_frame(state, state->open[i].frame));
		state->open[i].call = call;
	}
	return 0;
}

static void speedscope_begin_call(struct speedscope_state *state, uint32_t frame) {
	uint32_t caller =
		state->open_n == 0 ? speedscope_root(state) : state->open[state->open_n - 1].call;
	*MEM_APPEND(state->open, state->open_n, state->open_capacity) = (struct speedscope_call){
		frame, times_call(&state->times, caller, speedscope_frame(state, frame))};
}

/** Count the time from `*now` to the time of an event, for the innermost call. Return 0, or -1 if
 * the run must end. */
static int speedscope_pass(struct speedscope_state *state, const struct speedscope_profile *profile,
			   struct decimal *now, struct decimal until) {
	if (decimal_compare(until, *now) < 0) {
		return run_error(state->run, 0,
				 "profile '%s': an event is earlier than the one before it",
				 quote(speedscope_name(profile)).text);
	}
	if (state->open_n > 0) {
		speedscope_count(state, profile, state->open[state->open_n - 1].call, *now,
				 decimal_minus(until, *now));
	}
	*now = until;
	return 0;
}

static int speedscope_count_events(struct speedscope_state *state,
				   const struct speedscope_profile *profile) {
	struct decimal now = profile->start, end = profile->end;
	int result = 0;
	state->open_n = 0;
	const uint16_t *frames = profile->frames.units, *times = profile->times.units;
	for (size_t i = 0; i < profile->times.n && result == 0; i++) {
		uint64_t event = packed_list_next(&frames);
		uint32_t frame = (uint32_t)(event / 2);
		struct decimal at = packed_list_next_decimal(&times);
		if (!decimal_shift(&at, profile->unit->shift)) {
			return speedscope_too_large(state, profile);
		}
		now = i == 0 ? at : now;
		result = speedscope_pass(state, profile, &now, at);
		if (result == 0 && speedscope_frame(state, frame) == NO_FRAME) {
			result = speedscope_bad_frame(state, profile, "event", i, frame);
		} else if (result == 0 && event % 2 != 0) {
			speedscope_begin_call(state, frame);
		} else if (result == 0) {
			result = speedscope_end_call(state, profile, frame);
		}
	}
	state->run->tallies[TALLY_OPEN] += state->open_n;
	return result != 0 || state->open_n == 0 || decimal_compare(end, now) < 0
		       ? result
		       : speedscope_pass(state, profile, &now, end);
}

/** Set the root frames for --label-frames. */
static void speedscope_set_labels(struct speedscope_state *state,
				  const struct speedscope_profile *profile) {
	const struct opt_list *keys = &state->options->label_frames;
	state->labels.n = 0;
	for (size_t i = 0; i < keys->n; i++) {
		struct buf text = {0};
		bool is_thread = strcmp(keys->items[i], "thread") == 0 && profile->name.n > 0;
		if (is_thread) {
			buf_add_str(&text, speedscope_name(profile));
		} else {
			buf_printf(&text, "(no %s)", keys->items[i]);
		}
		ids_push(&state->labels, text_frame(state->run, &state->names, buf_str(&text)));
		buf_release(&text);
	}
}

/** Count a profile. Return 0, or -1 if the run must end. */
static int speedscope_count_profile(struct speedscope_state *state,
				    struct speedscope_profile *profile) {
	if (!decimal_shift(&profile->start, profile->unit->shift) ||
	    !decimal_shift(&profile->end, profile->unit->shift)) {
		return speedscope_too_large(state, profile);
	}
	speedscope_set_labels(state, profile);
	// The calls so far have the labels of other profiles as roots: make new calls.
	if (state->labels.n > 0) {
		state->calls.n = 0;
	}
	while (state->calls.n < state->stacks.count) {
		ids_push(&state->calls, CALL_UNKNOWN);
	}
	int result = speedscope_count_samples(state, profile);
	return result == 0 ? speedscope_count_events(state, profile) : result;
}

/** Return whether profiles with these two units can be added up. */
static bool speedscope_is_alike(const struct speedscope_unit *a, const struct speedscope_unit *b) {
	return a == b || (a->is_time && b->is_time);
}

/** Choose the unit to count. If the option names a unit, choose this unit. Otherwise, choose the
 * unit of the first profile. Return 0, or -1 after an error. */
static int speedscope_choose(struct speedscope_state *state) {
	const char *wanted = state->options->unit;
	bool is_there = false;
	for (size_t i = 0; i < state->profiles_n; i++) {
		const struct speedscope_unit *unit = state->profiles[i].unit;
		bool is_wanted = wanted == NULL || strcmp(unit->name, wanted) == 0 ||
				 (unit->is_time && strcmp(wanted, "nanoseconds") == 0);
		state->unit = state->unit == NULL && is_wanted ? unit : state->unit;
		is_there |= is_wanted;
	}
	return wanted == NULL || is_there || state->profiles_n == 0
		       ? 0
		       : run_error(state->run, 0, "no profile counts '%s'",
				   quote(str_of(wanted)).text);
}

static void speedscope_forget_file(struct speedscope_state *state) {
	for (size_t i = 0; i < state->profiles_n; i++) {
		struct speedscope_profile *profile = &state->profiles[i];
		buf_release(&profile->name);
		ids_release(&profile->stacks);
		free(profile->weights.units);
		free(profile->frames.units);
		free(profile->times.units);
	}
	state->profiles_n = state->frames.n = state->calls.n = 0;
	intern_release(&state->stacks);
}

/** Count the profiles of a file. Return 0, or -1 if the run must end. */
static int speedscope_end_file(struct speedscope_state *state) {
	int result = speedscope_choose(state);
	for (size_t i = 0; i < state->profiles_n && result == 0; i++) {
		struct speedscope_profile *profile = &state->profiles[i];
		if (speedscope_is_alike(profile->unit, state->unit)) {
			result = speedscope_count_profile(state, profile);
		} else if (state->options->unit == NULL) {
			result = run_warn(state->run, 0,
					  "left out the profile '%s', which counts %s (--value %s "
					  "counts it)",
					  quote(speedscope_name(profile)).text, profile->unit->name,
					  profile->unit->name);
		}
	}
	speedscope_forget_file(state);
	return result;
}

/* --- The collapser -------------------------------------------------------------------------- */

static const struct json_rule rules[] = {
	{JSON_TOP, "shared", IN_SHARED},    {IN_SHARED, "frames", IN_FRAMES},
	{IN_FRAMES, NULL, IN_FRAME},        {JSON_TOP, "profiles", IN_PROFILES},
	{IN_PROFILES, NULL, IN_PROFILE},    {IN_PROFILE, "samples", IN_SAMPLES},
	{IN_SAMPLES, NULL, IN_STACK},       {IN_PROFILE, "weights", IN_WEIGHTS},
	{IN_PROFILE, "events", IN_EVENTS},  {IN_EVENTS, NULL, IN_EVENT},
	{JSON_NOWHERE, NULL, JSON_NOWHERE},
};

static const struct json_records events = {IN_EVENT, event_keys, speedscope_take_event};

static const struct json_places_calls calls = {rules,
					       speedscope_open,
					       speedscope_close,
					       speedscope_value,
					       .integers = speedscope_integers,
					       .records = &events};

static int speedscope_block(void *memory, const struct block *block) {
	struct speedscope_state *state = memory;
	int result = json_places_block(&state->json, &calls, state, block, "a file of speedscope");
	return result == 0 && block->last ? speedscope_end_file(state) : result;
}

static void speedscope_find_unit(const void *memory, struct buf *unit) {
	const struct speedscope_state *state = memory;
	const struct speedscope_unit *counted = state->unit;
	buf_add_text(unit, counted == NULL || counted == &units[0] ? ""
			   : counted->is_time                      ? "nanoseconds"
								   : counted->name);
}

static void speedscope_finish(void *memory) {
	struct speedscope_state *state = memory;
	state->run->tallies[TALLY_VANISHED] = times_finish(&state->times, state->run->profile);
}

static void speedscope_release(void *memory) {
	struct speedscope_state *state = memory;
	speedscope_forget_file(state);
	json_places_release(&state->json);
	memo_release(&state->names);
	ids_release(&state->frames);
	ids_release(&state->stack);
	ids_release(&state->calls);
	ids_release(&state->labels);
	times_release(&state->times);
	free(state->profiles);
	free(state->open);
}

static int speedscope_sniff(struct str bytes, bool whole) {
	if (!str_starts(str_trim_start(bytes), STR("{"))) {
		return SNIFF_NO;
	}
	if (str_has(bytes, STR("speedscope.app/file-format-schema.json"))) {
		return 2 * SNIFF_MAGIC;
	}
	return whole ? SNIFF_NO : SNIFF_MORE;
}

static const struct opt options[] = {
	{OPT_IS_LIST(struct speedscope_options, label_frames), .name = "label-frames",
	 .value = "KEY",
	 .help = "add root frames: with 'thread', the name of the profile, which is a thread's"},
	{OPT_IS_TEXT(struct speedscope_options, unit), .name = "unit", .value = "UNIT",
	 .help = "use only profiles with this unit, such as bytes, none or nanoseconds "
		 "(nanoseconds: all units of time); by default, the unit of the first profile"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"unit", NULL, NULL, NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"py-spy record --format speedscope -o app.speedscope.json -- python3 app.py",
	 "sample a Python program"},
	{"inferno collapse speedscope app.speedscope.json > app.folded", "fold the profile"},
	{"inferno collapse speedscope --label-frames thread app.speedscope.json",
	 "tell threads apart"},
	{NULL, NULL},
};

const struct collapser collapse_speedscope = {
	.name = "speedscope",
	.brief = "fold files of speedscope, as py-spy and rbspy write",
	.about = "Reads JSON in the file format of speedscope, with sampled profiles and event "
		 "profiles. All profiles of a file are added up, times in nanoseconds. Profiles "
		 "that count something other than the first profile does are left out with a "
		 "warning.",
	.examples = examples,
	.options = {options, sizeof(struct speedscope_options)},
	.values = values,
	.state_size = sizeof(struct speedscope_state),
	.flags = FORMAT_ANY_CUT,
	.sniff = speedscope_sniff,
	.block = speedscope_block,
	.find_unit = speedscope_find_unit,
	.finish = speedscope_finish,
	.release = speedscope_release,
	.tallies = {[TALLY_NEGATIVE] = "left out samples with a negative weight",
		    [TALLY_CALLER_FIRST] =
			    "calls that are not nested: they end before those that they made",
		    [TALLY_NOT_OPEN] = "left out ends of calls that did not begin",
		    [TALLY_OPEN] =
			    "calls that never end, which are counted until their profile ends",
		    [TALLY_VANISHED] = "stacks that count 0, being less than half a unit"},
	.expects = "a file of speedscope, with samples",
};
