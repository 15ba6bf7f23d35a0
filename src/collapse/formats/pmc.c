/*
 * pmc: the call graph that FreeBSD's `pmcstat -G` writes.
 *
 * The indentation of rows forms trees. The roots are the functions that were sampled. The rows
 * below a function are its callers. The count of a row includes the counts of the rows below it. So
 * a stack is a path from a root to a row without callers.
 */
#include <stdlib.h>

#include "base/num.h"
#include "collapse/collapser.h"
#include "collapse/text.h"

struct pmc_options {
	bool partial;
	const char *event;
};

enum pmc_tally { TALLY_LOST };

/** A row on the path from a root to the current row. */
struct pmc_node {
	uint64_t count, callers; // count of the row; sum of the counts of its callers
	bool has_callers;
};

struct pmc_state {
	STATE_HEAD(struct pmc_options);
	struct memo names; // memo of names, as pmcstat writes them
	struct ids path;   // frames of the path's rows, the sampled function first
	struct pmc_node *nodes;
	size_t nodes_capacity;
	struct ids stack; // the frames of the path in reverse order
	struct intern events;
	bool other_event; // the section is for an event that --event does not name
};

static void pmc_init(void *memory) {
	struct pmc_state *state = memory;
	state->other_event = state->options->event != NULL;
}

/* --- Lines ---------------------------------------------------------------------------------- */

struct pmc_row {
	size_t depth;
	uint64_t count;
	struct str name;
};

/** Return whether a line resembles a row, because it has a percentage or text that usually comes
 * after a percentage. */
static bool pmc_looks_like_row(struct str line) {
	struct str rest = text_trim_start(line);
	return (rest.n > 0 && is_digit(rest.p[0]) && str_find(rest, '%') != STR_NONE) ||
	       str_has(rest, STR("%  ["));
}

/** Read a row such as " 70.59% [12] f @ MODULE": the depth, the count and the function. */
static bool pmc_read_row(struct str line, struct pmc_row *row) {
	row->depth = text_blanks(line);
	line = str_from(line, row->depth);
	size_t share = 0;
	while (share < line.n && (is_digit(line.p[share]) || line.p[share] == '.')) {
		share++;
	}
	line = str_from(line, share);
	if (share == 0 || !text_take(&line, STR("%  ["))) {
		return false;
	}
	size_t close = str_find(line, ']');
	if (close == STR_NONE || !num_parse_u64(str_to(line, close), &row->count)) {
		return false;
	}
	row->name = text_trim(str_from(line, close + 1));
	size_t module = str_find_last_str(row->name, STR(" @ "));
	row->name = module == STR_NONE ? row->name : text_trim_end(str_to(row->name, module));
	return row->name.n > 0;
}

/** Read the line with which a section begins, such as "@ EVENT [9 samples]". */
static bool pmc_read_section(struct str line, struct str *event, bool *counted) {
	if (!text_take(&line, STR("@ "))) {
		return false;
	}
	size_t open = str_find_last_str(line, STR(" ["));
	*counted = open != STR_NONE && str_ends(text_trim_end(line), STR(" samples]"));
	*event = text_trim(open == STR_NONE ? line : str_to(line, open));
	return true;
}

/* --- The tree ------------------------------------------------------------------------------- */

static void pmc_add_path(struct pmc_state *state, uint64_t count) {
	state->stack.n = 0;
	for (size_t i = state->path.n; i > 0; i--) {
		ids_push(&state->stack, state->path.items[i - 1]);
	}
	profile_add(state->run->profile, state->stack.items, state->stack.n, count);
}

/** Go back from the current row to its parent. If the row has no callers, add its path as a stack.
 * Otherwise, add the samples that no caller has: with --partial as a stack, without --partial to
 * the tally. */
static void pmc_leave_row(struct pmc_state *state) {
	const struct pmc_node *node = &state->nodes[state->path.n - 1];
	uint64_t rest = node->count > node->callers ? node->count - node->callers : 0;
	if (!node->has_callers) {
		pmc_add_path(state, node->count);
	} else if (rest > 0 && state->options->partial) {
		pmc_add_path(state, rest);
	} else if (!num_add(state->run->tallies[TALLY_LOST], rest,
			    &state->run->tallies[TALLY_LOST])) {
		state->run->tallies[TALLY_LOST] = UINT64_MAX;
	}
	state->path.n--;
}

static void pmc_leave_to(struct pmc_state *state, size_t depth) {
	while (state->path.n > depth) {
		pmc_leave_row(state);
	}
}

static void pmc_enter_row(struct pmc_state *state, const struct pmc_row *row) {
	if (row->depth > 0) {
		struct pmc_node *called = &state->nodes[row->depth - 1];
		called->has_callers = true;
		if (!num_add(called->callers, row->count, &called->callers)) {
			called->callers = UINT64_MAX;
		}
	}
	MEM_GROW(state->nodes, state->nodes_capacity, row->depth + 1);
	state->nodes[row->depth] = (struct pmc_node){.count = row->count};
	ids_push(&state->path, text_frame(state->run, &state->names, row->name));
	state->run->samples++;
}

static int pmc_row_line(struct pmc_state *state, struct str line, uint64_t number) {
	struct pmc_row row;
	bool fits = pmc_read_row(line, &row);
	pmc_leave_to(state, row.depth);
	if (state->other_event) {
		state->run->samples += fits;
		return 0;
	}
	if (!fits) {
		return run_warn(state->run, number,
				"expected a share, a count and a function, found '%s'",
				quote(line).text);
	}
	if (row.depth > state->path.n) {
		return run_warn(state->run, number, "skipped indentation level: '%s'",
				quote(line).text);
	}
	pmc_enter_row(state, &row);
	return 0;
}

static void pmc_section_line(struct pmc_state *state, struct str event) {
	const char *wanted = state->options->event;
	pmc_leave_to(state, 0);
	intern_get(&state->events, event.p, event.n);
	state->other_event = wanted != NULL && !str_eq(event, str_of(wanted));
	state->run->samples++;
}

static int pmc_line(void *memory, struct str line, uint64_t number) {
	struct pmc_state *state = memory;
	struct str event;
	bool counted;
	line = text_line(line);
	if (pmc_read_section(line, &event, &counted)) {
		pmc_section_line(state, event);
		return 0;
	}
	return pmc_looks_like_row(line) ? pmc_row_line(state, line, number) : 0;
}

/* --- The end -------------------------------------------------------------------------------- */

/** List the names of the events. Return whether the event of --event is among them. */
static bool pmc_list_events(const struct pmc_state *state, struct buf *list) {
	const char *wanted = state->options->event;
	bool found = false;
	for (uint32_t i = 0; i < state->events.count; i++) {
		struct str event = intern_str(state->events.keys[i]);
		found |= wanted != NULL && str_eq(event, str_of(wanted));
		buf_add_text(list, i == 0 ? "" : ", ");
		buf_add_str(list, event);
	}
	return found;
}

static int pmc_check_events(struct pmc_state *state) {
	const char *wanted = state->options->event;
	struct buf list = {0};
	int result = 0;
	bool found = pmc_list_events(state, &list);
	if (wanted != NULL && !found && state->events.count > 0) {
		result = run_warn(state->run, 0, "no event is named '%s'; there is %s",
				  quote(str_of(wanted)).text, quote(buf_str(&list)).text);
	} else if (wanted == NULL && state->events.count > 1) {
		result = run_warn(
			state->run, 0,
			"adding up samples of several events: %s; --event NAME selects one",
			quote(buf_str(&list)).text);
	}
	buf_release(&list);
	return result;
}

static int pmc_block(void *memory, const struct block *block) {
	struct pmc_state *state = memory;
	int result = run_lines(state->run, block, state, pmc_line);
	if (result == 0 && block->last) {
		pmc_leave_to(state, 0);
		result = pmc_check_events(state);
		intern_release(&state->events);
		state->other_event = state->options->event != NULL;
	}
	return result;
}

static void pmc_release(void *memory) {
	struct pmc_state *state = memory;
	memo_release(&state->names);
	ids_release(&state->path);
	ids_release(&state->stack);
	intern_release(&state->events);
	free(state->nodes);
}

/** Search for a line that begins a section, and for rows. */
static int pmc_sniff(struct str bytes, bool whole) {
	enum { ENOUGH = 3 * SNIFF_SHAPE };
	struct lines lines = {.rest = bytes};
	int rows = 0;
	bool section = false;
	for (struct str line; rows < ENOUGH && lines_next_whole(&lines, whole, &line);) {
		struct pmc_row row;
		struct str event;
		bool counted = false;
		line = text_line(line);
		section |= pmc_read_section(line, &event, &counted) && counted;
		rows += pmc_read_row(line, &row) ? SNIFF_SHAPE : SNIFF_NO;
	}
	return rows + (section ? SNIFF_MAGIC : SNIFF_NO);
}

static const struct opt options[] = {
	{OPT_IS_TEXT(struct pmc_options, event), .name = "event", .value = "NAME",
	 .help = "fold only samples of this event; by default, add up all events"},
	{OPT_IS_BOOL(struct pmc_options, partial), .name = "partial",
	 .help = "keep samples whose callers were cut off; their stacks are shorter"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"pmcstat -S unhalted-cycles -O pmc.out; pmcstat -R pmc.out -z32 -G pmc.graph",
	 "sample until Ctrl-C, then write the call graph"},
	{"inferno collapse pmc pmc.graph > out.folded", "fold the graph"},
	{NULL, NULL},
};

const struct collapser collapse_pmc = {
	.name = "pmc",
	.aliases = (const char *const[]){"stackcollapse-pmc", NULL},
	.brief = "fold the call graph of FreeBSD's pmcstat",
	.about = "Reads the call graph of 'pmcstat -G', a tree in which the rows below a function "
		 "are its callers. Counts are samples. pmcstat leaves out callers that are rare or "
		 "too many levels away (-z). Samples of such callers are left out, too, unless "
		 "--partial is given.",
	.examples = examples,
	.options = {options, sizeof(struct pmc_options)},
	.state_size = sizeof(struct pmc_state),
	.sniff = pmc_sniff,
	.init = pmc_init,
	.block = pmc_block,
	.release = pmc_release,
	.tallies = {[TALLY_LOST] =
			    "left out samples whose callers were cut off (--partial keeps them)"},
	.expects = "a call graph of 'pmcstat -G'",
};
