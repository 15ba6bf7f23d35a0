/* vsprof: the CallTreeSummary CSV of Visual Studio's profiler (vsperfreport /summary:calltree). */
#include <stdlib.h>

#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"
#include "collapse/csv.h"

/** A function on the path from the root to the current line. The count of the function is the
 * number of its calls minus the calls of its last callee. */
struct vsprof_call {
	uint32_t id;
	uint64_t calls;
};

struct vsprof_state {
	STATE_HEAD(void);
	bool in_tree;
	struct vsprof_call *calls;
	size_t depth, capacity;
	struct ids ids; // frames of the stack that is added
};

#define HEADER                                                                                     \
	STR("Level,Function Name,Number of Calls,Elapsed Inclusive Time %,Elapsed Exclusive Time " \
	    "%,"                                                                                   \
	    "Avg Elapsed Inclusive Time,Avg Elapsed Exclusive Time,Module Name,")

/* --- Numbers -------------------------------------------------------------------------------- */

/** Return the length of the thousands separator at the start of `s`, or 0. The separator is a
 * comma, a point or a blank, which may have several bytes. */
static size_t vsprof_separator_length(struct str s) {
	if (s.n > 0 && (s.p[0] == ',' || s.p[0] == '.' || s.p[0] == ' ')) {
		return 1;
	}
	return str_starts(s, STR("\xc2\xa0")) ? 2 : str_starts(s, STR("\xe2\x80\xaf")) ? 3 : 0;
}

/** Read digits in groups of three. Return NULL, or the reason why the text is not a number. */
static const char *vsprof_parse_grouped(struct str text, uint64_t *value) {
	struct str separator = STR("");
	size_t digits = 0, groups = 0; // number of digits in this group; number of earlier groups
	*value = 0;
	while (text.n > 0) {
		size_t len = vsprof_separator_length(text);
		if (is_digit(text.p[0])) {
			uint64_t digit = (uint64_t)(text.p[0] - '0');
			if (*value > (UINT64_MAX - digit) / 10) {
				return "unable to parse integer";
			}
			*value = *value * 10 + digit;
			len = 1;
			if (++digits > 3) {
				return "missing thousands separator";
			}
		} else if (len == 0 || (groups > 0 && !str_eq(str_to(text, len), separator))) {
			return "unable to parse integer";
		} else if (digits == 0 || (groups > 0 && digits < 3)) {
			return "missing thousands separator";
		} else {
			separator = str_to(text, len);
			digits = 0;
			groups++;
		}
		text = str_from(text, len);
	}
	return groups > 0 && digits < 3 ? "missing thousands separator" : NULL;
}

/** Remove a number, which may be in quotes, from the start of a line. Return NULL, or the reason
 * why there is no number. */
static const char *vsprof_take_number(struct str *line, uint64_t *value) {
	if (!str_starts(*line,
			STR("\""))) { // a number without quotes has no separators of thousands
		struct str plain = str_cut(line, ',');
		return num_parse_u64(plain, value) ? NULL : vsprof_parse_grouped(plain, value);
	}
	struct str rest = str_from(*line, 1);
	if (str_find(rest, '"') == STR_NONE) {
		return "invalid number, its quote is not closed";
	}
	struct str text = str_cut(&rest, '"');
	*line = str_starts(rest, STR(",")) ? str_from(rest, 1) : rest;
	return vsprof_parse_grouped(text, value);
}

/* --- The tree ------------------------------------------------------------------------------- */

static void vsprof_emit(struct vsprof_state *state) {
	uint64_t calls = state->depth == 0 ? 0 : state->calls[state->depth - 1].calls;
	if (calls == 0) {
		return;
	}
	state->ids.n = 0;
	for (size_t i = 0; i < state->depth; i++) {
		ids_push(&state->ids, state->calls[i].id);
	}
	profile_add(state->run->profile, state->ids.items, state->ids.n, calls);
}

/**
 * Remove all functions at `level` and at deeper levels from the path, and add their stacks.
 * Subtract the count of each function from the calls of its caller, if the caller has more calls.
 * If the caller has as many calls, add no stack of the caller.
 */
static void vsprof_unwind(struct vsprof_state *state, uint64_t level) {
	uint64_t previous = 0;
	for (uint64_t times = state->depth - level + 1; times > 0 && state->depth > 0; times--) {
		uint64_t calls = state->calls[state->depth - 1].calls;
		if (previous != calls) {
			vsprof_emit(state);
		}
		previous = calls;
		state->depth--;
		if (state->depth > 0 && previous < state->calls[state->depth - 1].calls) {
			state->calls[state->depth - 1].calls -= previous;
		}
	}
}

static void vsprof_place(struct vsprof_state *state, uint64_t level, struct vsprof_call call) {
	if (level == state->depth) {
		vsprof_emit(state);
		state->depth -= state->depth > 0;
	} else if (level < state->depth) {
		vsprof_unwind(state, level);
	}
	*MEM_APPEND(state->calls, state->depth, state->capacity) = call;
}

static int vsprof_tree_line(struct vsprof_state *state, struct str line, uint64_t number) {
	struct run *run = state->run;
	struct str rest = line;
	uint64_t level;
	struct vsprof_call call;
	if (str_starts(rest, STR(","))) {
		rest = str_from(rest, 1);
	}
	const char *wrong = vsprof_take_number(&rest, &level);
	if (wrong != NULL) {
		return run_bad(run, number, "%s: the level in '%s'", wrong, quote(line).text);
	}
	if (rest.n == 0) {
		return run_bad(run, number, "missing function name: '%s'", quote(line).text);
	}
	struct csv csv = csv_start(rest);
	struct str name;
	if (rest.p[0] != '"' || csv_next(&csv, &state->run->name, &name) != CSV_FIELD) {
		return run_bad(run, number, "unable to parse function name: '%s'",
			       quote(line).text);
	}
	wrong = vsprof_take_number(&csv.rest, &call.calls);
	if (wrong != NULL) {
		return run_bad(run, number, "%s: the number of calls in '%s'", wrong,
			       quote(line).text);
	}
	if (level > state->depth + 1) {
		return run_bad(run, number, "skipped level: expected at most %zu, found %llu",
			       state->depth + 1, (unsigned long long)level);
	}
	call.id = profile_frame(run->profile, name);
	run->samples++;
	vsprof_place(state, level, call);
	return 0;
}

/** Return the first line of some bytes, without the blanks around it. */
static struct str vsprof_first_line(struct str bytes) {
	return str_trim(str_cut(&bytes, '\n'));
}

static int vsprof_header_line(struct vsprof_state *state, struct str line, uint64_t number) {
	state->in_tree = true;
	return str_starts(vsprof_first_line(line), HEADER)
		       ? 0
		       : run_error(state->run, number,
				   "expected first line to be header ('%.40s...'), found '%s'",
				   HEADER.p, quote(line).text);
}

static int vsprof_line(void *memory, struct str raw, uint64_t number) {
	struct vsprof_state *state = memory;
	struct str line = utf8_repaired(&state->run->text, raw);
	if (!state->in_tree) {
		return vsprof_header_line(state, line, number);
	}
	line = str_trim_end(line);
	return line.n == 0 ? 0 : vsprof_tree_line(state, line, number);
}

static int vsprof_block(void *memory, const struct block *block) {
	struct vsprof_state *state = memory;
	int result = run_lines(state->run, block, state, vsprof_line);
	if (result == 0 && block->last) {
		result = state->in_tree
				 ? 0
				 : run_warn(state->run, 0, "file ended before start of call graph");
		vsprof_emit(state);
		state->in_tree = false;
		state->depth = 0;
	}
	return result;
}

static void vsprof_release(void *memory) {
	struct vsprof_state *state = memory;
	free(state->calls);
	ids_release(&state->ids);
}

static int vsprof_sniff(struct str bytes, bool whole) {
	(void)whole;
	struct str line = vsprof_first_line(bytes);
	return str_starts(line, HEADER)                        ? 4 * SNIFF_MAGIC
	       : str_starts(line, STR("Level,Function Name,")) ? SNIFF_COULD_BE
							       : SNIFF_NO;
}

static const struct example examples[] = {
	{"vsperfreport app.vsp /summary:calltree", "write app_CallTreeSummary.csv"},
	{"inferno collapse vsprof app_CallTreeSummary.csv > app.folded", "fold it"},
	{NULL, NULL},
};

const struct collapser collapse_vsprof = {
	.name = "vsprof",
	.aliases = (const char *const[]){"stackcollapse-vsprof", NULL},
	.brief = "fold the call tree summary of Visual Studio's profiler",
	.about = "Reads the CSV file whose name ends in CallTreeSummary, in English. Counts are "
		 "numbers of calls. The count of a function is the number of its calls minus the "
		 "number of calls of its last callee.",
	.examples = examples,
	.state_size = sizeof(struct vsprof_state),
	.flags = FORMAT_FROM_START,
	.sniff = vsprof_sniff,
	.block = vsprof_block,
	.release = vsprof_release,
	.unit = "calls",
};
