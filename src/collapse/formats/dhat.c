/*
 * dhat: heap profiles of valgrind's DHAT and of programs that write its JSON, such as the Rust
 * crate dhat. A program point is a stack that allocates memory, with its counts. The frames of the
 * stack are numbers, leaf first. The table with the texts of frames comes later in the file, so
 * numbers are kept until the file ends.
 */
#include <stdlib.h>

#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/frames.h"
#include "collapse/json_places.h"
#include "collapse/text.h"

struct dhat_options {
	unsigned value;
};

enum { DHAT_VALUES = 6 };

static const char *const value_names[] = {
	"alloc_space", "alloc_objects", "inuse_space", "inuse_objects",
	"peak_space",  "peak_objects",  NULL};

/** For each value, the member of a program point that has its count. */
static const char *const keys[DHAT_VALUES] = {"tb", "tbk", "eb", "ebk", "gb", "gbk"};

enum dhat_place { IN_POINTS = JSON_TOP + 1, IN_POINT, IN_STACK, IN_NAMES };

struct dhat_point {
	uint64_t counts[DHAT_VALUES];
	size_t end; // index after the point's last frame in `stacks`
};

struct dhat_state {
	STATE_HEAD(struct dhat_options);
	struct json_places json;
	struct memo names;
	struct dhat_point *points; // program points of the file
	size_t points_n, points_capacity;
	unsigned found;    // bit N: at least one point has the value N
	struct ids stacks; // numbers of the frames of all points
	struct ids frames; // frame of each number; NO_FRAME: the root
	struct buf mode, unit;
	struct ids stack;
};

#define NO_FRAME UINT32_MAX

/* --- Values, as they come ------------------------------------------------------------------- */

static bool dhat_fail(struct dhat_state *state, const char *what, struct str found) {
	run_error(state->run, 0, "program point %zu: %s, found '%s'", state->points_n, what,
		  quote(found).text);
	return false;
}

static bool dhat_open(void *memory, unsigned place) {
	struct dhat_state *state = memory;
	if (place == IN_POINT) {
		*MEM_APPEND(state->points, state->points_n, state->points_capacity) =
			(struct dhat_point){.end = state->stacks.n};
	} else if (place == IN_NAMES) {
		state->frames.n = 0;
	}
	return true;
}

static bool dhat_close(void *memory, unsigned place) {
	struct dhat_state *state = memory;
	if (place == IN_POINT) {
		state->points[state->points_n - 1].end = state->stacks.n;
	}
	return true;
}

/** Return the name of a frame such as "0x48C: f(int) (f.c:3)", without the address, the file and
 * the line. Set `*place` to the file and the line. */
static struct str dhat_name(struct str text, struct str *place) {
	struct str name = text;
	*place = STR("");
	if (!str_starts(text, STR("0x")) || !str_ends(text, STR(")"))) {
		return text;
	}
	size_t digits = text_hex_digits(str_from(text, 2));
	struct str rest = str_from(text, 2 + digits);
	if (digits == 0 || !str_starts(rest, STR(": "))) {
		return text;
	}
	name = str_from(rest, 2);
	for (size_t i = name.n - 2; i > 2 && i < name.n; i--) {
		if (name.p[i - 2] == ' ' && name.p[i - 1] == '(') {
			*place = str_to(str_from(name, i), name.n - i - 1);
			return str_to(name, i - 2);
		}
	}
	return text;
}

/** Return the frame for a text that is not empty. If the profile keeps sites, the frame has the
 * place in the text, such as "f.c:3" or "in /usr/lib/libf.so". */
static uint32_t dhat_frame(struct dhat_state *state, struct str text) {
	struct str rest;
	uint32_t name = text_frame(state->run, &state->names, dhat_name(text, &rest));
	struct frame_place place = {.file = rest};
	size_t colon = str_find_last(rest, ':');
	if (text_take(&rest, STR("in "))) {
		place = (struct frame_place){.module = rest};
	} else if (colon != STR_NONE && num_parse_u64(str_from(rest, colon + 1), &place.line)) {
		place.file = str_to(rest, colon);
	}
	return run_site(state->run, name, &place);
}

static bool dhat_read_count(struct dhat_state *state, struct str key, enum json_kind kind,
			    struct str text) {
	for (unsigned i = 0; i < DHAT_VALUES; i++) {
		if (str_eq(key, str_of(keys[i]))) {
			state->found |= 1U << i;
			uint64_t *count = &state->points[state->points_n - 1].counts[i];
			return (kind == JSON_NUMBER && num_parse_u64(text, count) &&
				*count <= INT64_MAX) ||
			       dhat_fail(state, "expected a count", text);
		}
	}
	return true;
}

static bool dhat_value(void *memory, unsigned place, struct str key, enum json_kind kind,
		       struct str text) {
	struct dhat_state *state = memory;
	uint64_t number;
	switch (place) {
	case JSON_TOP:
		if (str_eq(key, STR("bsu")) || str_eq(key, STR("mode"))) {
			struct buf *into = str_eq(key, STR("mode")) ? &state->mode : &state->unit;
			buf_set_str(into, text);
		}
		return true;
	case IN_POINT:
		return dhat_read_count(state, key, kind, text);
	case IN_STACK:
		if (kind != JSON_NUMBER || !num_parse_u64(text, &number) || number >= NO_FRAME) {
			return dhat_fail(state, "expected the number of a frame", text);
		}
		ids_push(&state->stacks, (uint32_t)number);
		return true;
	case IN_NAMES:
		if (kind != JSON_STRING) {
			return dhat_fail(state, "the name of a frame is not a text", text);
		}
		ids_push(&state->frames,
			 str_eq(text, STR("[root]"))
				 ? NO_FRAME
				 : dhat_frame(state, text.n > 0 ? text : STR("[unknown]")));
		return true;
	default:
		return true;
	}
}

/* --- Stacks, at the end of a file ----------------------------------------------------------- */

/** Put the frames of a program point into `state->stack`, root first. If a frame is missing, set
 * `*result` to the result of run_bad(), and return false. */
static bool dhat_find_stack(struct dhat_state *state, size_t first, size_t end, size_t point,
			    int *result) {
	state->stack.n = 0;
	for (size_t i = end; i-- > first;) {
		uint32_t number = state->stacks.items[i];
		if (number >= state->frames.n) {
			*result =
				run_bad(state->run, 0, "program point %zu: frame %lu is not there",
					point + 1, (unsigned long)number);
			return false;
		}
		if (state->frames.items[number] != NO_FRAME) {
			ids_push(&state->stack, state->frames.items[number]);
		}
	}
	if (state->stack.n == 0) {
		ids_push(&state->stack, text_frame(state->run, &state->names, STR("[unknown]")));
	}
	return true;
}

/** Pass all counts of a program point to the profile, if the profile keeps all values. */
static void dhat_add_values(struct dhat_state *state, const struct dhat_point *point) {
	for (unsigned i = 0; i < DHAT_VALUES && profile_wants_values(state->run->profile); i++) {
		if ((state->found & 1U << i) != 0) {
			profile_next_value(state->run->profile, str_of(value_names[i]),
					   i % 2 == 0 ? STR("bytes") : STR("objects"),
					   point->counts[i]);
		}
	}
}

static int dhat_end_file(struct dhat_state *state) {
	struct profile *profile = state->run->profile;
	unsigned value = state->options->value;
	int result = 0;
	if (state->points_n > 0 && (state->found & 1U << value) == 0) {
		return run_error(state->run, 0, "the profile does not count %s",
				 value_names[value]);
	}
	for (size_t i = 0, first = 0; i < state->points_n && result == 0; i++) {
		const struct dhat_point *point = &state->points[i];
		state->run->samples++;
		if (dhat_find_stack(state, first, point->end, i, &result)) {
			dhat_add_values(state, point);
			if (profile_wants_values(profile) || point->counts[value] > 0) {
				profile_add(profile, state->stack.items, state->stack.n,
					    point->counts[value]);
			}
		}
		first = point->end;
	}
	state->points_n = state->stacks.n = state->frames.n = 0;
	return result;
}

/* --- The collapser -------------------------------------------------------------------------- */

static const struct json_rule rules[] = {
	{JSON_TOP, "pps", IN_POINTS},       {IN_POINTS, NULL, IN_POINT},
	{IN_POINT, "fs", IN_STACK},         {JSON_TOP, "ftbl", IN_NAMES},
	{JSON_NOWHERE, NULL, JSON_NOWHERE},
};

static const struct json_places_calls calls = {rules, dhat_open, dhat_close, dhat_value,
					       .integers = NULL};

static int dhat_block(void *memory, const struct block *block) {
	struct dhat_state *state = memory;
	int result = json_places_block(&state->json, &calls, state, block, "a profile of DHAT");
	return result == 0 && block->last ? dhat_end_file(state) : result;
}

/** Set the name of the counted value. Counts have a fixed meaning only in the mode `heap`. In other
 * modes, the program defines their meaning. */
static void dhat_find_unit(const void *memory, struct buf *unit) {
	const struct dhat_state *state = memory;
	unsigned value = state->options->value;
	if (state->mode.n > 0 && !str_eq(buf_str(&state->mode), STR("heap")) &&
	    !str_eq(buf_str(&state->mode), STR("rust-heap"))) {
		buf_add_str(unit, state->unit.n > 0 ? buf_str(&state->unit) : STR(""));
		return;
	}
	buf_printf(unit, "%s of %s", value % 2 == 0 ? "bytes" : "objects", value_names[value]);
}

static void dhat_release(void *memory) {
	struct dhat_state *state = memory;
	json_places_release(&state->json);
	memo_release(&state->names);
	ids_release(&state->stacks);
	ids_release(&state->frames);
	ids_release(&state->stack);
	buf_release(&state->mode);
	buf_release(&state->unit);
	free(state->points);
}

static int dhat_sniff(struct str bytes, bool whole) {
	if (!str_starts(str_trim_start(bytes), STR("{"))) {
		return SNIFF_NO;
	}
	if (str_has(bytes, STR("\"dhatFileVersion\""))) {
		return 2 * SNIFF_MAGIC;
	}
	return whole ? SNIFF_NO : SNIFF_MORE;
}

static const struct opt options[] = {
	{OPT_IS_CHOICE(struct dhat_options, value), .name = "count", .value = "VALUE",
	 .initial = "alloc_space", .choices = value_names,
	 .help = "count bytes or objects: all that were allocated, those in use at the end, or "
		 "those in use at the peak"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"", "alloc_space", NULL, "bytes of alloc_space"},
	{"count", "alloc_objects", "alloc_objects", NULL},
	{"count", "inuse_space", "inuse_space", NULL},
	{"count", "inuse_objects", "inuse_objects", NULL},
	{"count", "peak_space", "peak_space", NULL},
	{"count", "peak_objects", "peak_objects", NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"valgrind --tool=dhat --dhat-out-file=app.dhat.json ./app", "profile a program's heap"},
	{"inferno collapse dhat app.dhat.json > app.folded", "fold the allocated bytes"},
	{"inferno collapse dhat --value peak_space app.dhat.json", "fold the bytes at the peak"},
	{NULL, NULL},
};

const struct collapser collapse_dhat = {
	.name = "dhat",
	.brief = "fold heap profiles of valgrind's DHAT",
	.about =
		"Reads the JSON that 'valgrind --tool=dhat' writes. Counts are the bytes that were "
		"allocated; --value chooses another count. Addresses and source positions are left "
		"out of the names.",
	.examples = examples,
	.options = {options, sizeof(struct dhat_options)},
	.values = values,
	.state_size = sizeof(struct dhat_state),
	.flags = FORMAT_ANY_CUT,
	.sniff = dhat_sniff,
	.block = dhat_block,
	.find_unit = dhat_find_unit,
	.release = dhat_release,
	.expects = "a profile of DHAT, with program points",
};
