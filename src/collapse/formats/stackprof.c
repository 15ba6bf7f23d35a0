/*
 * stackprof: profiles of the Ruby profiler stackprof, as JSON. The array `raw` has the stacks. A
 * stack in `raw` is the number of frames, the ids of the frames from the root to the leaf, and the
 * number of samples. The table of frames may come later, so numbers are kept until the file ends.
 */
#include <stdlib.h>

#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/json_places.h"
#include "collapse/text.h"
#include "collapse/times.h"

enum stackprof_place { IN_FRAMES = JSON_TOP + 1, IN_FRAME, IN_RAW, IN_DELTAS, IN_TIMESTAMPS };

struct stackprof_state {
	STATE_HEAD(void);
	struct json_places json;
	struct memo names;
	struct intern ids; // keys are ids of the file's frames; the value is 1 + the frame
	struct intern_key *frame;
	struct buf file;        // file of the frame that is being read
	uint64_t line;          // first line of this frame's function
	struct buf raw, deltas; // arrays of uint64_t
	struct buf mode;
	bool has_raw;
	struct times times;
};

static bool stackprof_fail(struct stackprof_state *state, const char *what, struct str found) {
	run_error(state->run, 0, "%s, found '%s'", what, quote(found).text);
	return false;
}

/* --- Values, as they come ------------------------------------------------------------------- */

static bool stackprof_open(void *memory, unsigned place) {
	struct stackprof_state *state = memory;
	if (place == IN_FRAME) {
		uint64_t id;
		struct str key = buf_str(&state->json.key);
		if (!num_parse_u64(key, &id)) {
			return stackprof_fail(state, "the id of a frame is not a number", key);
		}
		state->frame = intern_get(&state->ids, &id, sizeof(id));
		state->frame->value =
			1 + (uint64_t)text_frame(state->run, &state->names, STR("[unknown]"));
		buf_clear(&state->file);
		state->line = 0;
	} else if (place == IN_RAW) {
		state->has_raw = true;
		buf_clear(&state->raw);
	} else if (place == IN_DELTAS) {
		buf_clear(&state->deltas);
	}
	return true;
}

static bool stackprof_close(void *memory, unsigned place) {
	struct stackprof_state *state = memory;
	if (place == IN_FRAME) {
		const struct frame_place source = {.file = buf_str(&state->file),
						   .start_line = state->line};
		uint32_t name = (uint32_t)(state->frame->value - 1);
		state->frame->value = 1 + (uint64_t)run_site(state->run, name, &source);
	}
	return true;
}

static bool stackprof_value(void *memory, unsigned place, struct str key, enum json_kind kind,
			    struct str text) {
	struct stackprof_state *state = memory;
	uint64_t number;
	if (place == IN_FRAME && str_eq(key, STR("name")) && kind == JSON_STRING && text.n > 0) {
		state->frame->value = 1 + (uint64_t)text_frame(state->run, &state->names, text);
	} else if (place == IN_FRAME && str_eq(key, STR("file")) && kind == JSON_STRING) {
		buf_set_str(&state->file, text);
	} else if (place == IN_FRAME && str_eq(key, STR("line"))) {
		(void)num_parse_u64(text, &state->line); // if the value is null, the line is not
							 // known
	} else if (place == JSON_TOP && str_eq(key, STR("mode")) && kind == JSON_STRING) {
		buf_set_str(&state->mode, text);
	} else if (place == IN_RAW || place == IN_DELTAS) {
		if (kind != JSON_NUMBER || !num_parse_u64(text, &number)) {
			return stackprof_fail(state,
					      place == IN_RAW
						      ? "expected a number in raw"
						      : "expected a number in raw_timestamp_deltas",
					      text);
		}
		buf_add(place == IN_RAW ? &state->raw : &state->deltas, &number, sizeof(number));
	}
	return true;
}

static bool stackprof_integers(void *memory, unsigned place, const uint64_t *items, size_t n) {
	struct stackprof_state *state = memory;
	if (place == IN_RAW || place == IN_DELTAS) {
		buf_add(place == IN_RAW ? &state->raw : &state->deltas, items, n * sizeof(*items));
	}
	return true;
}

/* --- Stacks, folded when a file ends -------------------------------------------------------- */

static uint64_t stackprof_number(const struct buf *numbers, size_t at) {
	uint64_t number;
	memcpy(&number, numbers->p + at * sizeof(number), sizeof(number));
	return number;
}

/** Set `*call` to the call in which a stack ends, or to UINT32_MAX if a frame is missing. Return 0,
 * or -1 if the run must end. */
static int stackprof_call(struct stackprof_state *state, size_t first, uint64_t n, uint32_t *call) {
	*call = TIMES_ROOT;
	if (n == 0) {
		*call = times_call(&state->times, *call,
				   text_frame(state->run, &state->names, STR("[unknown]")));
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t id = stackprof_number(&state->raw, first + i);
		const struct intern_key *key = intern_find(&state->ids, &id, sizeof(id));
		if (key == NULL) {
			*call = UINT32_MAX;
			return run_bad(state->run, 0, "number %zu of raw: frame %llu is not there",
				       first + i + 1, (unsigned long long)id);
		}
		*call = times_call(&state->times, *call, (uint32_t)(key->value - 1));
	}
	return 0;
}

/** Count the samples of a stack, and pass their times to the profile. If the stack lacks a frame,
 * only advance `*now`, the time in ns. `sample` is the index of the stack's first sample. */
static void stackprof_count(struct stackprof_state *state, uint32_t call, uint64_t count,
			    size_t sample, uint64_t *now) {
	struct profile *profile = state->run->profile;
	size_t deltas = state->deltas.n / sizeof(uint64_t);
	enum { US = 1000 };
	for (uint64_t i = 0; i < count && sample + i < deltas && profile_wants_times(profile);
	     i++) {
		uint64_t delta = stackprof_number(&state->deltas, sample + (size_t)i);
		uint64_t most = INT64_MAX - *now;
		uint64_t until = *now + (delta > most / US ? most : delta * US);
		if (call != UINT32_MAX) {
			times_weight(&state->times, profile, call, STR("samples"), *now, until, 1);
		}
		*now = until;
	}
	if (call != UINT32_MAX && count > 0) {
		times_add(&state->times, profile, call, (struct decimal){(int64_t)count, 0});
	}
}

static int stackprof_end_file(struct stackprof_state *state) {
	size_t n = state->raw.n / sizeof(uint64_t), sample = 0, at = 0;
	uint64_t now = 0;
	int result = 0;
	if (!state->has_raw && state->mode.n > 0) {
		return run_error(state->run, 0,
				 "there is no raw: run stackprof with raw: true to have stacks");
	}
	while (at < n && result == 0) {
		uint64_t depth = stackprof_number(&state->raw, at);
		uint32_t call;
		if (depth > n - at || n - at - depth < 2) {
			return run_error(state->run, 0,
					 "raw ends inside a stack: number %zu says that it has "
					 "%llu frames",
					 at + 1, (unsigned long long)depth);
		}
		uint64_t count = stackprof_number(&state->raw, at + (size_t)depth + 1);
		if (count > INT64_MAX / 2) {
			return run_error(state->run, 0, "number %zu of raw: the count is too large",
					 at + (size_t)depth + 2);
		}
		result = stackprof_call(state, at + 1, depth, &call);
		if (result == 0) {
			stackprof_count(state, call, count, sample, &now);
		}
		sample += (size_t)count;
		at += (size_t)depth + 2;
		state->run->samples++;
	}
	intern_release(&state->ids);
	buf_clear(&state->raw);
	buf_clear(&state->deltas);
	state->has_raw = false;
	return result;
}

/* --- The collapser -------------------------------------------------------------------------- */

static const struct json_rule rules[] = {
	{JSON_TOP, "frames", IN_FRAMES},    {IN_FRAMES, JSON_ANY_KEY, IN_FRAME},
	{JSON_TOP, "raw", IN_RAW},          {JSON_TOP, "raw_timestamp_deltas", IN_DELTAS},
	{JSON_NOWHERE, NULL, JSON_NOWHERE},
};

static const struct json_places_calls calls = {rules, stackprof_open, stackprof_close,
					       stackprof_value, .integers = stackprof_integers};

static int stackprof_block(void *memory, const struct block *block) {
	struct stackprof_state *state = memory;
	int result =
		json_places_block(&state->json, &calls, state, block, "a profile of stackprof");
	return result == 0 && block->last ? stackprof_end_file(state) : result;
}

/** Set the unit of the counts: allocated objects in stackprof's mode `object`, and samples in all
 * other modes. */
static void stackprof_find_unit(const void *memory, struct buf *unit) {
	const struct stackprof_state *state = memory;
	buf_add_text(unit, str_eq(buf_str(&state->mode), STR("object")) ? "objects" : "samples");
}

static void stackprof_finish(void *memory) {
	struct stackprof_state *state = memory;
	(void)times_finish(&state->times, state->run->profile);
}

static void stackprof_release(void *memory) {
	struct stackprof_state *state = memory;
	json_places_release(&state->json);
	memo_release(&state->names);
	intern_release(&state->ids);
	buf_release(&state->raw);
	buf_release(&state->deltas);
	buf_release(&state->mode);
	buf_release(&state->file);
	times_release(&state->times);
}

static int stackprof_sniff(struct str bytes, bool whole) {
	static const char *const keys[] = {"\"mode\"",       "\"interval\"",
					   "\"gc_samples\"", "\"missed_samples\"",
					   "\"raw\"",        "\"raw_timestamp_deltas\""};
	size_t found = 0;
	enum { ENOUGH = 3 };
	if (!str_starts(str_trim_start(bytes), STR("{"))) {
		return SNIFF_NO;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		found += str_has(bytes, str_of(keys[i]));
	}
	return found >= ENOUGH && str_has(bytes, STR("\"frames\"")) ? SNIFF_MAGIC + SNIFF_SHAPE
	       : whole                                              ? SNIFF_NO
								    : SNIFF_MORE;
}

static const struct example examples[] = {
	{"stackprof --json tmp/stackprof.dump > app.json", "turn a dump of stackprof into JSON"},
	{"inferno collapse stackprof app.json > app.folded", "fold the profile"},
	{NULL, NULL},
};

const struct collapser collapse_stackprof = {
	.name = "stackprof",
	.brief = "fold profiles of Ruby's stackprof (JSON)",
	.about =
		"Reads the JSON of stackprof, a profiler for Ruby. The profile must have been made "
		"with 'raw: true', else it has no stacks. Samples are counted.",
	.examples = examples,
	.state_size = sizeof(struct stackprof_state),
	.flags = FORMAT_ANY_CUT,
	.sniff = stackprof_sniff,
	.block = stackprof_block,
	.find_unit = stackprof_find_unit,
	.finish = stackprof_finish,
	.release = stackprof_release,
	.expects = "a profile of stackprof, with samples",
};
