/*
 * pstats: profiles of Python's cProfile, in the format of Python's module marshal.
 *
 * A file is a dictionary. Its keys are functions. A value has numbers of calls, times, and a
 * dictionary with the same numbers for each caller. The format has no stacks. Stacks are estimated
 * only with --estimate-stacks.
 */
#include <math.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/num.h"
#include "collapse/callgraph.h"
#include "collapse/collapser.h"
#include "collapse/number_list.h"
#include "collapse/text.h"
#include "collapse/wire.h"

struct pstats_options {
	bool estimate_stacks;
};

struct pstats_value {
	enum {
		PSTATS_OTHER,
		PSTATS_OPEN, // a tuple or a dictionary that is still being read
		PSTATS_NUMBER,
		PSTATS_TEXT,
		PSTATS_TUPLE,
		PSTATS_DICT, // a dictionary; its items are keys and values in turn
	} kind;
	double number;
	struct str text;
	size_t items, n; // index of its first item in `items`; number of items
};

struct pstats_state {
	STATE_HEAD(struct pstats_options);
	struct input *input;
	struct diag *diag;
	struct buf bytes;
	size_t at; // number of bytes that were read
	struct pstats_value *values;
	size_t values_n, values_capacity;
	// items of complete tuples and dictionaries; items of incomplete tuples and dictionaries
	struct number_list items, pending;
	struct number_list references, strings; // objects to which the file can refer again
	struct callgraph graph;
	struct memo names;
	struct buf name;
	uint64_t negative; // number of negative times
	size_t callers; // total number of callers; a file can refer to the same callers many times
};

/* --- Objects --------------------------------------------------------------------------------- */

enum { PSTATS_DEPTH = 16 };

static int pstats_fail(struct pstats_state *state, const char *what) {
	return diag_error(state->diag, "%s: byte %zu: %s", input_name(state->input), state->at,
			  what);
}

/** Read `n` bytes. Return NULL if the file has fewer bytes. */
static const char *pstats_take(struct pstats_state *state, size_t n) {
	if (n > state->bytes.n - state->at) {
		return NULL;
	}
	state->at += n;
	return state->bytes.p + state->at - n;
}

/** Read a number of `n` bytes, the lowest byte first. Return false if the file has fewer bytes. */
static bool pstats_take_number(struct pstats_state *state, size_t n, uint64_t *number) {
	const char *p = pstats_take(state, n);
	*number = 0;
	for (size_t i = n; p != NULL && i > 0; i--) {
		*number = *number << 8 | (unsigned char)p[i - 1];
	}
	return p != NULL;
}

/** Read an integer that is stored as groups of two bytes with 15 bits each. A large number loses
 * its lowest digits. */
static bool pstats_take_long(struct pstats_state *state, double *number) {
	const double base = 32768;
	uint64_t n, digit;
	if (!pstats_take_number(state, 4, &n)) {
		return false;
	}
	bool is_negative = (int32_t)(uint32_t)n < 0;
	n = is_negative ? (uint32_t)0 - (uint32_t)n : n;
	*number = 0;
	double unit = 1;
	for (uint64_t i = 0; i < n; i++, unit *= base) {
		if (!pstats_take_number(state, 2, &digit)) {
			return false;
		}
		*number += (double)digit * unit;
	}
	*number = is_negative ? -*number : *number;
	return true;
}

/** Read a floating-point number. The number is stored as eight bytes, the lowest byte first. If
 * `is_text` is set, the number is stored as text. */
static bool pstats_take_real(struct pstats_state *state, bool is_text, double *number) {
	uint64_t bits;
	if (is_text) {
		const char *p;
		return pstats_take_number(state, 1, &bits) &&
		       (p = pstats_take(state, (size_t)bits)) != NULL &&
		       num_parse_real((struct str){p, (size_t)bits}, number);
	}
	if (!pstats_take_number(state, 8, &bits)) {
		return false;
	}
	memcpy(number, &bits, sizeof(*number));
	return true;
}

/** Store an object, and return its index. */
static size_t pstats_keep(struct pstats_state *state, struct pstats_value value) {
	MEM_GROW(state->values, state->values_capacity, state->values_n + 1);
	state->values[state->values_n] = value;
	return state->values_n++;
}

static int pstats_value(struct pstats_state *state, unsigned depth, size_t *place);

/** Read the `n` items of a tuple, or the items of a dictionary up to its end mark. */
static int pstats_items(struct pstats_state *state, unsigned depth, size_t place, bool is_dict,
			uint64_t n) {
	size_t start = state->pending.n;
	for (uint64_t i = 0; is_dict || i < n; i++) {
		if (is_dict && i % 2 == 0 && state->at < state->bytes.n &&
		    state->bytes.p[state->at] == '0') {
			state->at++;
			break;
		}
		size_t item;
		if (pstats_value(state, depth + 1, &item) != 0) {
			return -1;
		}
		number_list_push(&state->pending, item);
	}
	struct pstats_value *value = &state->values[place];
	value->kind = is_dict ? PSTATS_DICT : PSTATS_TUPLE;
	value->items = state->items.n;
	value->n = state->pending.n - start;
	for (size_t i = start; i < state->pending.n; i++) {
		number_list_push(&state->items, state->pending.items[i]);
	}
	state->pending.n = start;
	return 0;
}

/** Read the rest of an object that contains no other objects. Return false if the object is
 * damaged. */
static bool pstats_plain(struct pstats_state *state, char type, struct pstats_value *value) {
	uint64_t n;
	const char *p;
	value->kind = PSTATS_NUMBER;
	switch (type) {
	case 'i':
		p = pstats_take_number(state, 4, &n) ? "" : NULL;
		value->number = (double)(int32_t)(uint32_t)n;
		return p != NULL;
	case 'I':
		p = pstats_take_number(state, 8, &n) ? "" : NULL;
		value->number = (double)(int64_t)n;
		return p != NULL;
	case 'l':
		return pstats_take_long(state, &value->number);
	case 'g':
	case 'f':
		return pstats_take_real(state, type == 'f', &value->number);
	case 'N':
	case 'T':
	case 'F':
		value->kind = PSTATS_OTHER;
		return true;
	default:
		value->kind = PSTATS_TEXT;
		if (!pstats_take_number(state, type == 'z' || type == 'Z' ? 1 : 4, &n) ||
		    (p = pstats_take(state, (size_t)n)) == NULL) {
			return false;
		}
		value->text = (struct str){p, (size_t)n};
		return true;
	}
}

/** Read a reference to an object that was read before. */
static int pstats_again(struct pstats_state *state, const struct number_list *list, size_t *place) {
	uint64_t index;
	if (!pstats_take_number(state, 4, &index)) {
		return pstats_fail(state, "the file ends early");
	}
	if (index >= list->n || state->values[list->items[index]].kind == PSTATS_OPEN) {
		return pstats_fail(state, "an object that was not read before");
	}
	*place = (size_t)list->items[index];
	return 0;
}

static int pstats_value(struct pstats_state *state, unsigned depth, size_t *place) {
	enum { REFERENCE = 0x80 };
	const char *p = pstats_take(state, 1);
	if (p == NULL || depth > PSTATS_DEPTH) {
		return pstats_fail(state,
				   p == NULL ? "the file ends early" : "objects nest too deep");
	}
	char type = (char)((unsigned char)*p & ~REFERENCE);
	bool is_named = ((unsigned char)*p & REFERENCE) != 0;
	if (type == 'r' || type == 'R') {
		return pstats_again(state, type == 'r' ? &state->references : &state->strings,
				    place);
	}
	if (strchr("iIlgfNTFsutaAzZ({)", type) == NULL || type == '\0') {
		return pstats_fail(state, "an object that is not part of a profile of Python");
	}
	bool is_dict = type == '{', is_tuple = type == '(' || type == ')';
	*place = pstats_keep(state, (struct pstats_value){.kind = PSTATS_OPEN});
	if (is_named) {
		number_list_push(&state->references, *place);
	} else if (type == 't') { // a type that only Python 2 writes
		number_list_push(&state->strings, *place);
	}
	if (is_dict || is_tuple) {
		uint64_t n = 0;
		return is_tuple && !pstats_take_number(state, type == ')' ? 1 : 4, &n)
			       ? pstats_fail(state, "the file ends early")
			       : pstats_items(state, depth, *place, is_dict, n);
	}
	struct pstats_value value = {.kind = PSTATS_OTHER};
	if (!pstats_plain(state, type, &value)) {
		return pstats_fail(state, "a number or text that ends early");
	}
	state->values[*place] = value;
	return 0;
}

/* --- Functions ------------------------------------------------------------------------------- */

/** Return an item of a tuple or a dictionary, or NULL if there is no such item. */
static const struct pstats_value *pstats_item(const struct pstats_state *state,
					      const struct pstats_value *value, size_t i) {
	return i < value->n ? &state->values[state->items.items[value->items + i]] : NULL;
}

/** Return whether a value is a tuple of `n` items in which the items `from` to `to` are numbers. */
static bool pstats_has_numbers(const struct pstats_state *state, const struct pstats_value *value,
			       size_t n, size_t from, size_t to) {
	bool good = value->kind == PSTATS_TUPLE && value->n == n;
	for (size_t i = from; i <= to && good; i++) {
		good = pstats_item(state, value, i)->kind == PSTATS_NUMBER;
	}
	return good;
}

/** Find or add a function by its file, line and name. Return false if the key is not a tuple of
 * these three. */
static bool pstats_function(struct pstats_state *state, const struct pstats_value *key,
			    uint32_t *function) {
	enum { FILE_, LINE, NAME, PARTS };
	struct buf *name = &state->name;
	if (!pstats_has_numbers(state, key, PARTS, LINE, LINE) ||
	    pstats_item(state, key, FILE_)->kind != PSTATS_TEXT ||
	    pstats_item(state, key, NAME)->kind != PSTATS_TEXT) {
		return false;
	}
	struct str file = pstats_item(state, key, FILE_)->text,
		   text = pstats_item(state, key, NAME)->text;
	double line = pstats_item(state, key, LINE)->number;
	buf_clear(name);
	if (!str_eq(file, STR("~")) || line != 0) {
		buf_add_str(name, file);
		buf_printf(name, ":%.0f(", line);
		buf_add_str(name, text);
		buf_add_char(name, ')');
	} else if (text.n > 1 && text.p[0] == '<' && text.p[text.n - 1] == '>') {
		buf_add_char(name, '{');
		buf_add_str(name, str_to(str_from(text, 1), text.n - 2));
		buf_add_char(name, '}');
	} else {
		buf_add_str(name, text);
	}
	bool is_new;
	*function = callgraph_find(&state->graph, buf_str(name), &is_new);
	if (is_new) {
		state->graph.functions[*function].frame = text_frame(
			state->run, &state->names, name->n > 0 ? buf_str(name) : STR("[unknown]"));
	}
	return true;
}

/** Convert seconds to nanoseconds. For a negative number, return 0. If the value is not a finite
 * number, or the result has more than 63 bits, return UINT64_MAX. */
static uint64_t pstats_nanoseconds(struct pstats_state *state, double seconds) {
	const double second = 1e9, most = 9.2e18, half = 0.5;
	if (!isfinite(seconds) || seconds * second >= most) {
		return UINT64_MAX;
	}
	state->negative += seconds < 0;
	return seconds > 0 ? (uint64_t)(seconds * second + half) : 0;
}

/** Return a number of calls as an integer. For a negative number, or a number of over 63 bits,
 * return 0. */
static uint64_t pstats_calls(double calls) {
	const double most = 9.2e18;
	return calls > 0 && calls < most ? (uint64_t)calls : 0;
}

/** Add the calls to a function: for each caller, the number of its calls and their total time.
 * Return false if a caller is damaged, or if a sum has more than 63 bits. */
static bool pstats_callers(struct pstats_state *state, uint32_t callee,
			   const struct pstats_value *callers) {
	enum { CALLS = 1, TOTAL = 3, NUMBERS };
	state->callers += callers->n;
	// stop if there are more callers than items in the file: a crafted file could take for ever
	if (state->callers > state->items.n) {
		return false;
	}
	for (size_t i = 0; i < callers->n; i += 2) {
		const struct pstats_value *of = pstats_item(state, callers, i + 1);
		struct callgraph_call call = {.callee = callee};
		if (!pstats_function(state, pstats_item(state, callers, i), &call.caller)) {
			return false;
		}
		if (of->kind == PSTATS_NUMBER) { // the module profile, unlike cProfile, stores only
						 // the number of calls
			call.calls = pstats_calls(of->number);
		} else if (pstats_has_numbers(state, of, NUMBERS, 0, TOTAL)) {
			call.calls = pstats_calls(pstats_item(state, of, CALLS)->number);
			call.total =
				pstats_nanoseconds(state, pstats_item(state, of, TOTAL)->number);
		} else {
			return false;
		}
		if (!callgraph_add_call(&state->graph, call)) {
			return false;
		}
	}
	return true;
}

/** Add the functions of a profile. */
static int pstats_functions(struct pstats_state *state, const struct pstats_value *all) {
	enum { SELF = 2, TOTAL, CALLERS, NUMBERS };
	if (all->kind != PSTATS_DICT) {
		return pstats_fail(state, "not a profile of Python, which is a dictionary");
	}
	for (size_t i = 0; i < all->n; i += 2) {
		const struct pstats_value *of = pstats_item(state, all, i + 1);
		uint32_t function;
		if (!pstats_function(state, pstats_item(state, all, i), &function) ||
		    !pstats_has_numbers(state, of, NUMBERS, 0, CALLERS - 1) ||
		    pstats_item(state, of, CALLERS)->kind != PSTATS_DICT) {
			return diag_error(state->diag,
					  "%s: item %zu of the profile is not a function with its "
					  "calls, times and callers",
					  input_name(state->input), i / 2);
		}
		uint64_t self = pstats_nanoseconds(state, pstats_item(state, of, SELF)->number);
		double total = pstats_item(state, of, TOTAL)->number;
		if (!callgraph_add_self(&state->graph, function, self) ||
		    !pstats_callers(state, function, pstats_item(state, of, CALLERS))) {
			return diag_error(
				state->diag,
				"%s: item %zu of the profile has a bad caller, or a time over "
				"63 bits",
				input_name(state->input), i / 2);
		}
		uint64_t whole = total > 0 ? pstats_nanoseconds(state, total) : 0;
		state->graph.functions[function].total = whole == UINT64_MAX ? 0 : whole;
		state->run->samples++;
	}
	return 0;
}

/* --- The collapser --------------------------------------------------------------------------- */

static int pstats_load(struct pstats_state *state) {
	ptrdiff_t got = wire_read(state->input, &state->bytes, LIMIT_PYTHON_PROFILE + 1);
	return got < 0 ? -1
	       : (uint64_t)got > LIMIT_PYTHON_PROFILE
		       ? diag_error(state->diag, "%s: a profile of Python of over %llu MiB",
				    input_name(state->input),
				    (unsigned long long)(LIMIT_PYTHON_PROFILE / LIMIT_MIB))
		       : 0;
}

static int pstats_read(void *memory, struct input *input, struct diag *diag) {
	struct pstats_state *state = memory;
	size_t all;
	state->input = input;
	state->diag = diag;
	if (!state->options->estimate_stacks && !profile_wants_table(state->run->profile)) {
		return diag_error(diag,
				  "%s: cProfile counts functions and calls, but has no stacks; "
				  "--estimate-stacks makes likely ones",
				  input_name(input));
	}
	buf_clear(&state->bytes);
	state->at = state->values_n = state->items.n = state->pending.n = state->callers = 0;
	state->references.n = state->strings.n = 0;
	if (pstats_load(state) != 0 || pstats_value(state, 0, &all) != 0) {
		return -1;
	}
	if (state->at < state->bytes.n) {
		return pstats_fail(state, "more after the end of the profile");
	}
	int result = pstats_functions(state, &state->values[all]);
	if (result == 0 && state->negative > 0) {
		result = run_warn(state->run, 0, "%llu negative times count as 0",
				  (unsigned long long)state->negative);
		state->negative = 0;
	}
	return result;
}

/** Refuse text, because a file of cProfile is binary. */
static int pstats_block(void *memory, const struct block *block) {
	struct pstats_state *state = memory;
	return block->bytes.n == 0
		       ? 0
		       : run_error(state->run, 1,
				   "not a profile of cProfile; write one with: python3 -m cProfile "
				   "-o FILE ...");
}

/** Warn that the stacks are estimated. */
static int pstats_decide(void *const *states, size_t n, struct diag *diag) {
	const struct pstats_state *state = states[0];
	(void)n;
	return state->graph.functions_n == 0 || !state->options->estimate_stacks
		       ? 0
		       : diag_warn(diag, "the stacks are estimates: cProfile counts functions and "
					 "calls, but no stacks");
}

static void pstats_finish(void *memory) {
	struct pstats_state *state = memory;
	callgraph_finish(&state->graph, state->options->estimate_stacks, state->run->profile);
}

static void pstats_release(void *memory) {
	struct pstats_state *state = memory;
	struct number_list *lists[] = {&state->items, &state->pending, &state->references,
				       &state->strings};
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		free(lists[i]->items);
	}
	free(state->values);
	callgraph_release(&state->graph);
	buf_release(&state->bytes);
	buf_release(&state->name);
	memo_release(&state->names);
}

/** Search for a dictionary whose first key is a tuple of three items. The first item must be a
 * text. */
static int pstats_sniff_read(struct str start) {
	enum { REFERENCE = 0x80, SHORT = 4, LONG = 7 };
	if (start.n < LONG + 1 || ((unsigned char)start.p[0] & ~REFERENCE) != '{') {
		return SNIFF_NO;
	}
	char tuple = (char)((unsigned char)start.p[1] & ~REFERENCE);
	bool is_short = tuple == ')' && start.p[2] == 3,
	     is_long = tuple == '(' && memcmp(start.p + 2, "\3\0\0", SHORT) == 0;
	char text = (char)((unsigned char)start.p[is_short ? 3 : LONG - 1] & ~REFERENCE);
	return (is_short || is_long) && text != '\0' && strchr("sutaAzZ", text) != NULL
		       ? SNIFF_MAGIC
		       : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct pstats_options, estimate_stacks), .name = "estimate-stacks",
	 .help = "estimate stacks: divide the self time of a function among its callers, in "
		 "proportion to the cumulative times of their calls"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"python3 -m cProfile -o app.pstats app.py", "profile a Python program"},
	{"inferno collapse pstats --estimate-stacks app.pstats > app.folded", "make likely stacks"},
	{NULL, NULL},
};

const struct collapser collapse_pstats = {
	.name = "pstats",
	.brief = "fold call graphs of cProfile, as estimated stacks",
	.about = "Reads what Python's modules cProfile and profile store: the self "
		 "time of each function, and the number of its calls from each caller; cProfile "
		 "also stores the cumulative time of these calls. Such a file has no stacks. With "
		 "--estimate-stacks, a function's self time is divided among its callers in "
		 "proportion to the cumulative times of their calls, or, if these are all 0 or "
		 "missing, to the numbers of calls. The self time of each function stays exact.",
	.examples = examples,
	.options = {options, sizeof(struct pstats_options)},
	.state_size = sizeof(struct pstats_state),
	.unit = "nanoseconds",
	.sniff_read = pstats_sniff_read,
	.read = pstats_read,
	.block = pstats_block,
	.decide = pstats_decide,
	.finish = pstats_finish,
	.release = pstats_release,
	.expects = "a profile of cProfile, with functions",
};
