/*
 * callgrind: functions and calls, as counted by valgrind's tool callgrind and by Xdebug's profiler.
 *
 * A function has lines with its self costs. A call has a line with the total costs of the callee.
 * The format has no stacks. Stacks are estimated only with --estimate-stacks.
 */
#include <stdlib.h>

#include "collapse/callgraph.h"
#include "collapse/collapser.h"
#include "collapse/text.h"

struct callgrind_options {
	bool estimate_stacks;
	const char *event;
};

/** Names by their numbers. In a file, `(5) main` gives the name `main` the number 5. From then on,
 * `(5)` stands for `main`. */
struct callgrind_names {
	struct intern ids;
	struct str *items;
	size_t n, capacity;
};

struct callgrind_state {
	STATE_HEAD(struct callgrind_options);
	struct arena texts;
	struct callgrind_names functions, objects;
	struct callgraph graph;
	struct buf key, unit;
	struct memo names;
	size_t positions, events, event; // number of positions and number of counts in a line;
					 // index of the count that is used
	bool has_events;
	struct str object, callee_object; // objects of the caller and of the next callee; if the
					  // second is empty, both are in one object
	uint32_t function, callee;
	bool has_function, has_callee;
	uint64_t calls;
	bool is_call;     // the next line of costs belongs to a call
	bool lacks_total; // a part by valgrind, whose last line is not read yet
};

/* --- Names ----------------------------------------------------------------------------------- */

/** Read `(ID) NAME`, which defines a name, `(ID)`, which stands for a defined name, or a name
 * alone. Set `*name`. Return false if no name has the number ID. */
static bool callgrind_name(struct callgrind_state *state, struct callgrind_names *names,
			   struct str text, struct str *name) {
	*name = text;
	size_t digits = text.n > 0 && text.p[0] == '(' ? text_digits(str_from(text, 1)) : 0;
	if (digits == 0 || digits + 1 >= text.n || text.p[digits + 1] != ')') {
		*name = (struct str){arena_copy(&state->texts, text.p, text.n), text.n};
		return true;
	}
	struct str id = str_to(str_from(text, 1), digits),
		   rest = text_trim_start(str_from(text, digits + 2));
	struct intern_key *key = intern_get(&names->ids, id.p, id.n);
	if (key->value == 0 && rest.n == 0) {
		return false;
	}
	if (rest.n > 0) {
		*MEM_APPEND(names->items, names->n, names->capacity) =
			(struct str){arena_copy(&state->texts, rest.p, rest.n), rest.n};
		key->value = names->n;
	}
	*name = names->items[key->value - 1];
	return true;
}

/** Return the function with this name in this object. */
static uint32_t callgrind_function(struct callgrind_state *state, struct str object,
				   struct str name) {
	bool is_new;
	buf_set_str(&state->key, object);
	buf_add_char(&state->key, '\n');
	buf_add_str(&state->key, name);
	uint32_t function = callgraph_find(&state->graph, buf_str(&state->key), &is_new);
	if (is_new) {
		state->graph.functions[function].frame =
			text_frame(state->run, &state->names, name.n > 0 ? name : STR("[unknown]"));
	}
	return function;
}

/* --- Lines ----------------------------------------------------------------------------------- */

/** Return the word with this index in a text; the first word has index 0. */
static struct str callgrind_word(struct str text, size_t n) {
	struct str word = text_next_word(&text);
	for (; n > 0; n--) {
		word = text_next_word(&text);
	}
	return word;
}

/** Find the index of the event to count in the list of all events. */
static int callgrind_events(struct callgrind_state *state, struct str rest, uint64_t number) {
	const char *wanted = state->options->event;
	// the unit may come from a previous part or file
	if (wanted == NULL && state->unit.n > 0) {
		wanted = buf_text(&state->unit);
	}
	struct str word;
	bool found = false;
	state->events = 0;
	struct str all = rest;
	while ((word = text_next_word(&rest)).n > 0) {
		if (!found && (wanted == NULL || str_eq(word, str_of(wanted)))) {
			found = true;
			state->event = state->events;
		}
		state->events++;
	}
	state->has_events = true;
	if (found && state->unit.n == 0) {
		struct str name = callgrind_word(all, state->event);
		buf_add_str(&state->unit, name);
	}
	return found ? 0
		     : run_error(state->run, number, "no event '%s' among '%s'",
				 quote(str_of(wanted == NULL ? "" : wanted)).text,
				 quote(text_trim(all)).text);
}

/** Read a number in decimal or hexadecimal digits. Return false if a word is not such a number, or
 * if the number has more than 63 bits. */
static bool callgrind_number(struct str word, uint64_t *value) {
	bool is_hex_number = str_starts(word, STR("0x")) || str_starts(word, STR("0X"));
	struct str digits = str_from(word, is_hex_number ? 2 : 0);
	const uint64_t base = is_hex_number ? 16 : 10;
	*value = 0;
	for (size_t i = 0; i < digits.n; i++) {
		char c = digits.p[i];
		bool good = is_hex_number ? is_hex(c) : is_digit(c);
		uint64_t digit = (uint64_t)(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
		if (!good || *value > (INT64_MAX - digit) / base) {
			return false;
		}
		*value = *value * base + digit;
	}
	return digits.n > 0;
}

/** Return whether a word is a position: a number, a number with a sign, or `*`. */
static bool callgrind_is_place(struct str word) {
	uint64_t number;
	bool is_signed = word.n > 0 && (word.p[0] == '+' || word.p[0] == '-');
	return str_eq(word, STR("*")) || callgrind_number(str_from(word, is_signed), &number);
}

/** Read a line of costs: positions, and then a count for each event. Counts at the end of the line
 * may be missing. */
static int callgrind_costs(struct callgrind_state *state, struct str line, uint64_t number) {
	struct str rest = line;
	uint64_t cost = 0;
	bool good = true;
	for (size_t i = 0; i < state->positions && good; i++) {
		good = callgrind_is_place(text_next_word(&rest));
	}
	for (size_t i = 0; good; i++) {
		struct str word = text_next_word(&rest);
		uint64_t value;
		if (word.n == 0) {
			break;
		}
		good = i < state->events && callgrind_number(word, &value);
		cost = good && i == state->event ? value : cost;
	}
	if (!good) {
		return run_bad(state->run, number,
			       "expected a place and counts up to 63 bits: '%s'", quote(line).text);
	}
	bool fits = true;
	if (state->is_call) {
		fits = callgraph_add_call(&state->graph,
					  (struct callgraph_call){state->function, state->callee,
								  state->calls, cost});
	} else if (state->has_function) {
		fits = callgraph_add_self(&state->graph, state->function, cost);
	} else {
		return run_bad(state->run, number, "counts before the first function: '%s'",
			       quote(line).text);
	}
	state->is_call = false;
	return fits ? 0 : run_error(state->run, number, "a sum goes over 63 bits");
}

/** Read `calls=N POSITIONS`, which comes before the line with the costs of the call. */
static int callgrind_calls(struct callgrind_state *state, struct str rest, uint64_t number) {
	struct str word = text_next_word(&rest);
	if (!callgrind_number(word, &state->calls) || !state->has_function || !state->has_callee) {
		return run_bad(state->run, number, "expected the number of calls of a function");
	}
	state->is_call = true;
	state->has_callee = false;
	state->callee_object = STR("");
	return 0;
}

enum callgrind_key {
	CALLGRIND_OTHER,
	CALLGRIND_OBJECT,
	CALLGRIND_CALLEE_OBJECT,
	CALLGRIND_FUNCTION,
	CALLGRIND_CALLEE,
	CALLGRIND_CALLS,
	CALLGRIND_POSITIONS,
	CALLGRIND_EVENTS,
	CALLGRIND_TRIGGER,
	CALLGRIND_TOTALS,
};

/** Determine the kind of a line from its key, and remove the key from the line. */
static enum callgrind_key callgrind_key(struct str *line) {
	static const struct {
		struct str head;
		enum callgrind_key key;
	} keys[] = {
		{STR_INIT("ob="), CALLGRIND_OBJECT},
		{STR_INIT("cob="), CALLGRIND_CALLEE_OBJECT},
		{STR_INIT("fn="), CALLGRIND_FUNCTION},
		{STR_INIT("cfn="), CALLGRIND_CALLEE},
		{STR_INIT("calls="), CALLGRIND_CALLS},
		{STR_INIT("positions:"), CALLGRIND_POSITIONS},
		{STR_INIT("events:"), CALLGRIND_EVENTS},
		{STR_INIT("desc: Trigger:"), CALLGRIND_TRIGGER},
		{STR_INIT("totals:"), CALLGRIND_TOTALS},
	};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (text_take(line, keys[i].head)) {
			return keys[i].key;
		}
	}
	return CALLGRIND_OTHER;
}

/** Read a line that names an object or a function. */
static int callgrind_named(struct callgrind_state *state, enum callgrind_key key, struct str text,
			   uint64_t number) {
	struct str name;
	bool is_object = key == CALLGRIND_OBJECT || key == CALLGRIND_CALLEE_OBJECT;
	if (!callgrind_name(state, is_object ? &state->objects : &state->functions, text_trim(text),
			    &name)) {
		return run_error(state->run, number, "the number '%s' stands for no name",
				 quote(text_trim(text)).text);
	}
	switch (key) {
	case CALLGRIND_OBJECT:
		state->object = name;
		break;
	case CALLGRIND_CALLEE_OBJECT:
		state->callee_object = name;
		break;
	case CALLGRIND_FUNCTION:
		state->function = callgrind_function(state, state->object, name);
		state->has_function = true;
		break;
	default:
		state->callee = callgrind_function(
			state, state->callee_object.n > 0 ? state->callee_object : state->object,
			name);
		state->has_callee = true;
		break;
	}
	return 0;
}

static int callgrind_line(void *memory, struct str line, uint64_t number) {
	struct callgrind_state *state = memory;
	line = text_trim(text_line(line));
	if (line.n == 0 || line.p[0] == '#') {
		return 0;
	}
	char c = line.p[0];
	if (is_digit(c) || c == '+' || c == '-' || c == '*') {
		state->run->samples++;
		return state->has_events
			       ? callgrind_costs(state, line, number)
			       : run_error(state->run, number, "counts before a line 'events:'");
	}
	enum callgrind_key key = callgrind_key(&line);
	switch (key) {
	case CALLGRIND_OTHER:
		return 0;
	case CALLGRIND_POSITIONS:
		for (state->positions = 0; text_next_word(&line).n > 0;) {
			state->positions++;
		}
		return 0;
	case CALLGRIND_EVENTS:
		return callgrind_events(state, line, number);
	case CALLGRIND_CALLS:
		return callgrind_calls(state, line, number);
	case CALLGRIND_TRIGGER: // the head of a part, which ends in a line with totals
	case CALLGRIND_TOTALS:
		state->lacks_total = key == CALLGRIND_TRIGGER;
		return 0;
	default:
		return callgrind_named(state, key, line, number);
	}
}

/* --- The collapser --------------------------------------------------------------------------- */

static void callgrind_init(void *memory) {
	struct callgrind_state *state = memory;
	state->positions = 1;
}

/** Drop the names of the previous file. */
static void callgrind_start(struct callgrind_state *state) {
	struct callgrind_names *names[] = {&state->functions, &state->objects};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		intern_release(&names[i]->ids);
		names[i]->n = 0;
	}
	arena_release(&state->texts);
	state->object = state->callee_object = STR("");
	state->has_function = state->has_callee = state->is_call = state->has_events = false;
	state->lacks_total = false;
	state->positions = 1;
}

static int callgrind_block(void *memory, const struct block *block) {
	struct callgrind_state *state = memory;
	if (block->first) {
		callgrind_start(state);
	}
	if (block->first && block->bytes.n > 0 && !state->options->estimate_stacks &&
	    !profile_wants_table(state->run->profile)) {
		return run_error(state->run, 0,
				 "callgrind counts functions and calls, but has no stacks; "
				 "--estimate-stacks makes likely ones");
	}
	int result = run_lines(state->run, block, state, callgrind_line);
	if (result == 0 && block->last && state->is_call) {
		result = run_bad(state->run, RUN_AT_END,
				 "the file ends after 'calls=', before the costs of the call");
	} else if (result == 0 && block->last && state->lacks_total) {
		result = run_bad(state->run, RUN_AT_END,
				 "the file ends early: the line 'totals:' is missing");
	}
	return result;
}

static void callgrind_finish(void *memory) {
	struct callgrind_state *state = memory;
	callgraph_finish(&state->graph, state->options->estimate_stacks, state->run->profile);
}

/** Warn that the stacks are estimated. */
static int callgrind_decide(void *const *states, size_t n, struct diag *diag) {
	const struct callgrind_state *state = states[0];
	(void)n;
	return state->graph.functions_n == 0 || !state->options->estimate_stacks
		       ? 0
		       : diag_warn(diag, "the stacks are estimates: callgrind counts functions and "
					 "calls, but no stacks");
}

static void callgrind_find_unit(const void *memory, struct buf *unit) {
	const struct callgrind_state *state = memory;
	buf_add_str(unit, buf_str(&state->unit));
}

static void callgrind_release(void *memory) {
	struct callgrind_state *state = memory;
	struct callgrind_names *names[] = {&state->functions, &state->objects};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		intern_release(&names[i]->ids);
		free(names[i]->items);
	}
	arena_release(&state->texts);
	callgraph_release(&state->graph);
	buf_release(&state->key);
	buf_release(&state->unit);
	memo_release(&state->names);
}

/** Search for a header with the lines `creator:` and `events:`, and for the first function or file
 * after it. */
static int callgrind_sniff(struct str bytes, bool whole) {
	enum { FEW = 200 };
	struct lines lines = {.rest = bytes};
	bool has_creator = false, has_events = false;
	if (str_starts(bytes, STR("# callgrind format"))) {
		return SNIFF_MAGIC;
	}
	for (struct str line; lines.number < FEW && lines_next_whole(&lines, whole, &line);) {
		has_creator |= str_starts(line, STR("creator: "));
		has_events |= str_starts(line, STR("events: "));
		if (has_events && (str_starts(line, STR("fn=")) || str_starts(line, STR("fl=")))) {
			return has_creator ? SNIFF_MAGIC : SNIFF_SHAPE;
		}
	}
	return has_creator && has_events ? SNIFF_SHAPE : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct callgrind_options, estimate_stacks), .name = "estimate-stacks",
	 .help = "estimate stacks: divide the self cost of a function among its callers, in "
		 "proportion to the inclusive costs of their calls"},
	{OPT_IS_TEXT(struct callgrind_options, event), .name = "event", .value = "EVENT",
	 .help = "count this event, such as Ir or Dr, instead of the first one"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"event", NULL, NULL, NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"valgrind --tool=callgrind ./program", "count its instructions"},
	{"inferno collapse callgrind --estimate-stacks callgrind.out.123 > program.folded",
	 "make likely stacks"},
	{NULL, NULL},
};

const struct collapser collapse_callgrind = {
	.name = "callgrind",
	.brief = "fold call graphs of callgrind, as estimated stacks",
	.about =
		"Reads what 'valgrind --tool=callgrind' and the profiler of Xdebug write: the self "
		"cost of each function, and the inclusive cost of each of its calls. Such a file "
		"has no stacks. With --estimate-stacks, a function's self cost is divided among "
		"its callers in proportion to the inclusive costs of their calls, or, if these are "
		"all 0, to the numbers of calls. The self cost of each function stays exact.",
	.examples = examples,
	.options = {options, sizeof(struct callgrind_options)},
	.values = values,
	.state_size = sizeof(struct callgrind_state),
	.sniff = callgrind_sniff,
	.init = callgrind_init,
	.block = callgrind_block,
	.decide = callgrind_decide,
	.find_unit = callgrind_find_unit,
	.finish = callgrind_finish,
	.release = callgrind_release,
	.expects = "a file of callgrind, with functions and costs",
};
