/*
 * sample: the call tree that macOS `sample` prints.
 *
 * Each line is a node: it has an indentation for the depth, a number of samples, and a description.
 * A node's own samples, those that are not in its children, are the count of a stack.
 */
#include <stdlib.h>

#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"
#include "profile/memo.h"
#include "profile/symbol.h"

struct sample_options {
	bool no_modules;
};

enum sample_section { BEFORE_GRAPH, IN_GRAPH, AFTER_GRAPH };

/** A node on the path from the root to the current node. */
struct sample_node {
	uint64_t samples, children; // samples of the node; sum of the samples of its children
	bool leaf, waiting;         // `waiting`: threads in this function only wait
};

struct sample_state {
	STATE_HEAD(struct sample_options);
	enum sample_section section;
	struct memo memo; // meanings of descriptions up to the module, with a mark if threads only
			  // wait there; the second meaning is for descriptions without a module
	struct str indentation; // indentation of the previous line, if it is in the same block
	struct ids ids;         // frames of the nodes
	struct sample_node *nodes;
	size_t nodes_capacity;
	struct buf scratch;
};

/** Return whether a thread in this function only waits. */
static bool sample_is_waiting(struct str function) {
	static const char *const names[] = {"__psynch_cvwait",
					    "__select",
					    "__semwait_signal",
					    "__ulock_wait",
					    "__wait4",
					    "__workq_kernreturn",
					    "kevent",
					    "mach_msg_trap",
					    "read",
					    "semaphore_wait_trap"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (str_eq(function, str_of(names[i]))) {
			return true;
		}
	}
	return false;
}

/** Return the function in a description: the text before the first parenthesis. Skip the
 * parentheses of an anonymous namespace. */
static struct str sample_function_of(struct str description) {
	static const struct str anonymous = STR_INIT("(anonymous namespace)");
	for (size_t i = 0; i < description.n; i++) {
		if (description.p[i] == '(') {
			if (!str_starts(str_from(description, i), anonymous)) {
				return str_trim_end(str_to(description, i));
			}
			i += anonymous.n - 1;
		}
	}
	return str_trim_end(description);
}

/** Return the module in a description: "libx" in "f (in libx.dylib) + 4". If the description has no
 * module, return an empty text. */
static struct str sample_module_of(struct str description) {
	size_t at = str_find_last_str(description, STR("(in "));
	if (at == STR_NONE) {
		return STR("");
	}
	struct str rest = str_from(description, at + 4);
	struct str module = str_cut(&rest, ')');
	return str_ends(module, STR(".dylib")) ? str_to(module, module.n - 6) : module;
}

static struct meaning sample_parse_description(struct sample_state *state, struct str description) {
	struct str text = utf8_repaired(&state->run->text, description),
		   module = sample_module_of(text);
	struct str function = symbol_repair_rust(sample_function_of(text), &state->scratch);
	buf_clear(&state->run->name);
	if (module.n > 0 && !state->options->no_modules) {
		buf_add_str(&state->run->name, module);
		buf_add_char(&state->run->name, '`');
	}
	buf_add_str(&state->run->name, function);
	struct meaning meaning =
		meaning_frame(profile_frame(state->run->profile, buf_str(&state->run->name)));
	meaning.mark = sample_is_waiting(function);
	return meaning;
}

/** Return the index at which the module of a description ends. An offset and an address may come
 * after the module. If the module is not in the last parentheses, return STR_NONE. */
static size_t sample_end_of_module(struct str description) {
	size_t open = str_find_last(description, '(');
	if (open == STR_NONE || !str_starts(str_from(description, open), STR("(in "))) {
		return STR_NONE;
	}
	size_t close = str_find(str_from(description, open), ')');
	return close == STR_NONE ? STR_NONE : open + close + 1;
}

/** Return the meaning of a description, or MEANS_UNKNOWN if it is new. */
static struct meaning sample_known_description(struct sample_state *state, struct str description) {
	struct memo *memo = &state->memo;
	struct intern_key *guess = memo_guess(memo);
	if (guess != NULL && str_starts(description, intern_str(guess)) &&
	    str_find(str_from(description, guess->len), '(') == STR_NONE) {
		memo_step_to(memo, guess);
		return memo_meaning(memo, 0);
	}
	size_t end = sample_end_of_module(description);
	guess = end == STR_NONE ? NULL : intern_find(&memo->lines, description.p, end);
	if (guess == NULL) {
		return (struct meaning){.kind = MEANS_UNKNOWN};
	}
	memo_step_to(memo, guess);
	return memo_meaning(memo, 0);
}

static struct meaning sample_look_up(struct sample_state *state, struct str description) {
	struct meaning meaning = sample_known_description(state, description);
	size_t end = sample_end_of_module(description);
	bool whole = end == STR_NONE;
	struct str key = whole ? description : str_to(description, end);
	if (meaning.kind == MEANS_UNKNOWN) {
		meaning = memo_find(&state->memo, key, whole);
	}
	if (meaning.kind == MEANS_UNKNOWN) {
		meaning = sample_parse_description(state, key);
		memo_add(&state->memo, key, whole, meaning);
	}
	return meaning;
}

/** Go from the current node to its parent, and make a stack of the node's own samples, unless its
 * threads only wait. */
static inline void sample_leave_node(struct sample_state *state) {
	const struct sample_node *node = &state->nodes[state->ids.n - 1];
	uint64_t own = node->samples > node->children ? node->samples - node->children : 0;
	if ((node->leaf || own > 0) && !node->waiting) {
		profile_add(state->run->profile, state->ids.items, state->ids.n, own);
	}
	state->run->samples++;
	state->ids.n--;
}

/** Remove all nodes from the path except the first `depth` nodes. */
static void sample_leave_nodes(struct sample_state *state, size_t depth) {
	while (state->ids.n > depth) {
		sample_leave_node(state);
	}
}

/** Add a node to the path after the first `depth` nodes. */
static void sample_enter_node(struct sample_state *state, size_t depth, uint64_t samples,
			      struct meaning meaning) {
	if (state->ids.n > depth) {
		sample_leave_nodes(state, depth);
	}
	if (depth > 0) {
		struct sample_node *parent = &state->nodes[depth - 1];
		parent->leaf = false;
		if (!num_add(parent->children, samples, &parent->children)) {
			parent->children = UINT64_MAX;
		}
	}
	MEM_GROW(state->nodes, state->nodes_capacity, depth + 1);
	state->nodes[depth] = (struct sample_node){
		.samples = samples, .leaf = true, .waiting = meaning.mark != 0};
	ids_push(&state->ids, meaning.id);
}

static bool sample_is_indentation(char c) {
	return c == ' ' || c == '+' || c == '|' || c == ':' || c == '!';
}

enum { MARGIN = 4 };

/** Return the length of a text's indentation. Start at the part that the text shares with the
 * previous line's indentation: the indentation of a line is usually the same or a little longer. */
static size_t sample_indentation(struct sample_state *state, struct str text) {
	size_t n = str_common_prefix(text, state->indentation);
	while (n < text.n && sample_is_indentation(text.p[n])) {
		n++;
	}
	state->indentation = str_to(text, n);
	return n;
}

static int sample_node_line(struct sample_state *state, struct str line, uint64_t number) {
	struct run *run = state->run;
	if (!str_starts(line, STR("    "))) {
		return run_bad(run, number, "stack line doesn't start with 4 spaces: '%s'",
			       quote(line).text);
	}
	size_t indent = sample_indentation(state, line) - MARGIN;
	struct str text = str_from(line, MARGIN + indent);
	if (text.n == 0) {
		return run_bad(run, number, "stack line has only indentation characters: '%s'",
			       quote(line).text);
	}
	if (indent % 2 != 0) {
		return run_bad(run, number, "odd number of indentation characters: '%s'",
			       quote(line).text);
	}
	if (indent / 2 > state->ids.n) {
		return run_bad(run, number, "skipped indentation level: '%s'", quote(line).text);
	}
	size_t blank = str_find(text, ' ');
	if (blank == STR_NONE) {
		return run_bad(run, number, "unable to parse stack line: '%s'", quote(line).text);
	}
	uint64_t samples;
	if (!num_parse_count(str_to(text, blank), &samples)) {
		return run_bad(run, number, "invalid samples field: expected a number, found '%s'",
			       quote(str_to(text, blank)).text);
	}
	sample_enter_node(state, indent / 2, samples,
			  sample_look_up(state, str_from(text, blank + 1)));
	return 0;
}

/** Read the next nodes as long as their lines have the usual form and their descriptions are known.
 * Most lines are read by this function. */
static void sample_known_nodes(struct sample_state *state, struct lines *lines) {
	enum { SAFE_DIGITS = 19 };
	while (str_starts(lines->rest, STR("    "))) {
		size_t at = sample_indentation(state, lines->rest), depth = (at - MARGIN) / 2;
		struct str text = str_from(lines->rest, at);
		uint64_t samples = 0;
		for (at = 0; at < text.n && at < SAFE_DIGITS && is_digit(text.p[at]); at++) {
			samples = samples * 10 + (uint64_t)(text.p[at] - '0');
		}
		if (at == 0 || at == text.n || text.p[at] != ' ' || depth > state->ids.n ||
		    state->indentation.n % 2 != 0) {
			return;
		}
		text = str_from(text, at + 1);
		size_t n = str_find(text, '\n');
		if (n == STR_NONE) {
			return;
		}
		struct meaning meaning = sample_known_description(state, str_to(text, n));
		if (meaning.kind == MEANS_UNKNOWN) {
			return;
		}
		sample_enter_node(state, depth, samples, meaning);
		*lines = (struct lines){str_from(text, n + 1), lines->number + 1};
	}
}

static int sample_any_line(struct sample_state *state, struct str line, uint64_t number) {
	if (state->section == BEFORE_GRAPH) {
		state->section = str_starts(line, STR("Call graph:")) ? IN_GRAPH : BEFORE_GRAPH;
		return 0;
	}
	line = str_trim_end(line);
	if (state->section == AFTER_GRAPH || line.n == 0) {
		return 0;
	}
	if (str_starts(line, STR("Total number in stack"))) {
		state->section = AFTER_GRAPH;
		sample_leave_nodes(state, 0);
		return 0;
	}
	return sample_node_line(state, line, number);
}

static int sample_end_of_input(struct sample_state *state) {
	enum sample_section section = state->section;
	sample_leave_nodes(state, 0);
	state->section = BEFORE_GRAPH;
	return section == BEFORE_GRAPH
		       ? run_warn(state->run, 0, "file ended before start of call graph")
	       : section == IN_GRAPH
		       ? run_bad(state->run, RUN_AT_END, "file ended before end of call graph")
		       : 0;
}

static int sample_block(void *memory, const struct block *block) {
	struct sample_state *state = memory;
	struct lines lines = {.rest = block->bytes};
	int result = 0;
	state->indentation = STR("");
	for (struct str line; result == 0 && lines_next(&lines, &line);) {
		result = sample_any_line(state, line, lines.number);
		if (state->section == IN_GRAPH && result == 0) {
			sample_known_nodes(state, &lines);
		}
	}
	state->run->lines = lines.number;
	return result == 0 && block->last ? sample_end_of_input(state) : result;
}

static void sample_release(void *memory) {
	struct sample_state *state = memory;
	memo_release(&state->memo);
	buf_release(&state->scratch);
	ids_release(&state->ids);
	free(state->nodes);
}

/** Search for the line that begins the graph, and for a node after it. */
static int sample_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool graph = false, announced = false;
	for (struct str line; lines_next_whole(&lines, whole, &line);) {
		if (graph && str_trim(line).n > 0) {
			bool node = str_starts(line, STR("    ")) &&
				    is_digit(str_trim_start(line).p[0]);
			return node ? SNIFF_MAGIC + SNIFF_SHAPE : SNIFF_COULD_BE;
		}
		graph |= str_starts(line, STR("Call graph:"));
		announced |= str_starts(line, STR("Analysis of sampling "));
	}
	return !whole ? SNIFF_MORE : graph || announced ? SNIFF_COULD_BE : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct sample_options, no_modules), .name = "no-modules",
	 .help = "leave out the names of libraries"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"sample 123 10 -file out.sample", "sample process 123 for ten seconds, on macOS"},
	{"inferno collapse sample out.sample > out.folded", "fold the call tree"},
	{NULL, NULL},
};

const struct collapser collapse_sample = {
	.name = "sample",
	.aliases = (const char *const[]){"stackcollapse-sample", NULL},
	.brief = "fold the call tree that macOS 'sample' prints",
	.about = "Reads the part between 'Call graph:' and 'Total number in stack'. Functions are "
		 "named LIBRARY`FUNCTION. Threads that only wait (in __psynch_cvwait, "
		 "mach_msg_trap, kevent and the like) are left out.",
	.examples = examples,
	.options = {options, sizeof(struct sample_options)},
	.state_size = sizeof(struct sample_state),
	.sniff = sample_sniff,
	.block = sample_block,
	.release = sample_release,
};
