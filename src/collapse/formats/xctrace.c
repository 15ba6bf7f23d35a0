/*
 * xctrace: the XML that `xctrace export` writes for the time profile of Instruments.
 *
 * Elements are read only in this nesting: trace-query-result, node, row, backtrace, frame. Elements
 * of other kinds are ignored: their children count as children of the element around them. In newer
 * versions, a backtrace or its frames are in an element tagged-backtrace. A backtrace or a frame is
 * defined once with an id. Later elements refer to it with a ref.
 */
#include <stdlib.h>

#include "base/num.h"
#include "collapse/collapser.h"
#include "profile/symbol.h"
#include "collapse/xml.h"

enum xctrace_level { OUTSIDE, IN_ROOT, IN_NODE, IN_ROW, IN_TAGGED, IN_BACKTRACE, IN_FRAME };

enum xctrace_tally { TALLY_EMPTY };

/** A backtrace. Its frames are ids[start .. start + n), leaf first. */
struct trace {
	size_t start, n;
	uint64_t rows; // number of rows with this backtrace that are not added yet
};

/** The element of a backtrace that is being read. Indices count from 1; 0: none. */
struct open_trace {
	bool by_ref;  // the element has a ref, not an id
	bool defines; // the element has an id
	uint64_t id;
	size_t start; // index of the element's first frame in `ids`
	size_t found; // index of the backtrace to which the element refers, or which it contains
};

struct xctrace_state {
	STATE_HEAD(void);
	struct xml *xml;
	uint64_t lines_before; // number of lines before the current block
	bool open_line;        // the last block ended inside a line
	enum xctrace_level level;
	unsigned char *outer; // for each open element, the level around it
	size_t outer_n, outer_capacity;
	bool done, failed;

	struct intern frame_ids, trace_ids, tagged_ids; // keys are the bytes of ids; the value is
							// an index
	struct trace *traces;
	size_t traces_n, traces_capacity;
	struct ids ids;   // frames of all backtraces
	struct ids stack; // frames of the stack that is added

	struct open_trace backtrace, tagged;
	size_t row; // index of the backtrace of the current row
	struct buf scratch;
};

/* --- Ids ------------------------------------------------------------------------------------ */

static uint64_t xctrace_line_number(const struct xctrace_state *state) {
	return xml_line(state->xml) - state->lines_before;
}

static const char *xctrace_attribute(const char *const *attributes, const char *name) {
	for (size_t i = 0; attributes[i] != NULL; i += 2) {
		if (strcmp(attributes[i], name) == 0) {
			return attributes[i + 1];
		}
	}
	return NULL;
}

/** If `result` is not 0, note that the run must end. Return whether the run continues. */
static bool xctrace_bad(struct xctrace_state *state, int result) {
	state->failed = state->failed || result != 0;
	return result == 0;
}

/** Look up the definition that `ref` names. If there is none, report it, and set `*index` to 0.
 * Return false if the run must end. */
static bool xctrace_find_ref(struct xctrace_state *state, struct intern *ids, const char *what,
			     const char *ref, size_t *index) {
	uint64_t id;
	*index = 0;
	if (!num_parse_count(str_of(ref), &id)) {
		return xctrace_bad(state, run_bad(state->run, xctrace_line_number(state),
						  "invalid %s ref: expected a number, found '%s'",
						  what, quote(str_of(ref)).text));
	}
	*index = (size_t)intern_get(ids, &id, sizeof(id))->value;
	return *index != 0 ||
	       xctrace_bad(state, run_bad(state->run, xctrace_line_number(state),
					  "unknown %s ref %llu", what, (unsigned long long)id));
}

/** Read the id of a definition. If the definition has no valid id, report it, and set `*known` to
 * false. Return false if the run must end. */
static bool xctrace_read_id(struct xctrace_state *state, const char *what, const char *text,
			    uint64_t *id, bool *known) {
	*known = text != NULL && num_parse_count(str_of(text), id);
	return *known ||
	       xctrace_bad(state, run_bad(state->run, xctrace_line_number(state),
					  "invalid %s id: expected a number, found '%s'", what,
					  text == NULL ? "none" : quote(str_of(text)).text));
}

/** Store the index of the item with an id. If the id has an item already, report this. Return false
 * if the run must end. */
static bool xctrace_define(struct xctrace_state *state, struct intern *ids, const char *what,
			   uint64_t id, size_t index) {
	struct intern_key *key = intern_get(ids, &id, sizeof(id));
	if (key->value != 0) {
		return xctrace_bad(state,
				   run_bad(state->run, xctrace_line_number(state),
					   "repeated %s id %llu", what, (unsigned long long)id));
	}
	key->value = index;
	return true;
}

/* --- Elements ------------------------------------------------------------------------------- */

static bool xctrace_start_trace(struct xctrace_state *state, struct open_trace *open,
				struct intern *ids, const char *what,
				const char *const *attributes) {
	const char *ref = xctrace_attribute(attributes, "ref");
	*open = (struct open_trace){.by_ref = ref != NULL, .start = state->ids.n};
	return ref != NULL ? xctrace_find_ref(state, ids, what, ref, &open->found)
			   : xctrace_read_id(state, what, xctrace_attribute(attributes, "id"),
					     &open->id, &open->defines);
}

static bool xctrace_end_trace(struct xctrace_state *state, struct open_trace *open,
			      struct intern *ids, const char *what) {
	if (!open->by_ref && open->found == 0) {
		*MEM_APPEND(state->traces, state->traces_n, state->traces_capacity) =
			(struct trace){.start = open->start, .n = state->ids.n - open->start};
		open->found = state->traces_n;
	}
	state->row = open->found;
	return !open->defines || xctrace_define(state, ids, what, open->id, open->found);
}

/** Read the definition of a frame. If the definition has no name, report this, and leave `*index`
 * unchanged. Return false if the run must end. */
static bool xctrace_define_frame(struct xctrace_state *state, const char *const *attributes,
				 size_t *index) {
	const char *number = xctrace_attribute(attributes, "id"),
		   *name = xctrace_attribute(attributes, "name");
	uint64_t id;
	bool known;
	if (!xctrace_read_id(state, "frame", number, &id, &known)) {
		return false;
	}
	if (name == NULL) {
		return xctrace_bad(state,
				   run_bad(state->run, xctrace_line_number(state),
					   "frame %s has no name",
					   known ? quote(str_of(number)).text : "without an id"));
	}
	buf_set_str(&state->run->name, symbol_repair_rust(str_of(name), &state->scratch));
	buf_replace(&state->run->name, ';', ':');
	*index = (size_t)profile_frame(state->run->profile, buf_str(&state->run->name)) + 1;
	return !known || xctrace_define(state, &state->frame_ids, "frame", id, *index);
}

static bool xctrace_start_frame(struct xctrace_state *state, const char *const *attributes) {
	const char *ref = xctrace_attribute(attributes, "ref");
	size_t index = 0;
	if (!(ref != NULL ? xctrace_find_ref(state, &state->frame_ids, "frame", ref, &index)
			  : xctrace_define_frame(state, attributes, &index))) {
		return false;
	}
	if (index != 0) {
		ids_push(&state->ids, (uint32_t)(index - 1));
	}
	return true;
}

/** Add the stack of a backtrace for all its rows so far. The frames of a backtrace are reversed for
 * each addition, so add all rows at once. */
static void xctrace_add_rows(struct xctrace_state *state, struct trace *trace) {
	if (trace->rows == 0) {
		return;
	}
	state->stack.n = 0;
	for (size_t i = trace->n; i > 0; i--) {
		ids_push(&state->stack, state->ids.items[trace->start + i - 1]);
	}
	profile_add(state->run->profile, state->stack.items, state->stack.n, trace->rows);
	trace->rows = 0;
}

static void xctrace_end_row(struct xctrace_state *state) {
	if (state->row == 0) {
		return;
	}
	struct trace *trace = &state->traces[state->row - 1];
	state->run->samples++;
	state->run->tallies[TALLY_EMPTY] += trace->n == 0;
	trace->rows += trace->n > 0;
	if (state->run->profile->form == PROFILE_TIMELINE) {
		xctrace_add_rows(state, trace);
	}
}

/** Return the level inside an element. If the element begins no level, return the level around
 * it. */
static enum xctrace_level xctrace_level_inside(enum xctrace_level around, const char *name) {
	static const struct {
		const char *name;
		enum xctrace_level around, inside;
	} steps[] = {
		{"trace-query-result", OUTSIDE, IN_ROOT},
		{"node", IN_ROOT, IN_NODE},
		{"row", IN_NODE, IN_ROW},
		{"tagged-backtrace", IN_ROW, IN_TAGGED},
		{"backtrace", IN_ROW, IN_BACKTRACE},
		{"backtrace", IN_TAGGED, IN_BACKTRACE},
		{"frame", IN_BACKTRACE, IN_FRAME},
		{"frame", IN_TAGGED, IN_FRAME},
	};
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (steps[i].around == around && strcmp(steps[i].name, name) == 0) {
			return steps[i].inside;
		}
	}
	return around;
}

static bool xctrace_on_start(void *context, const char *name, const char *const *attributes) {
	struct xctrace_state *state = context;
	enum xctrace_level around = state->level;
	*MEM_APPEND(state->outer, state->outer_n, state->outer_capacity) = (unsigned char)around;
	state->level = xctrace_level_inside(around, name);
	if (state->level == around) {
		return true;
	}
	switch (state->level) {
	case IN_ROW:
		state->row = 0;
		return true;
	case IN_TAGGED:
		return xctrace_start_trace(state, &state->tagged, &state->tagged_ids,
					   "tagged-backtrace", attributes);
	case IN_BACKTRACE:
		return xctrace_start_trace(state, &state->backtrace, &state->trace_ids, "backtrace",
					   attributes);
	case IN_FRAME:
		return xctrace_start_frame(state, attributes);
	default:
		return true;
	}
}

static bool xctrace_on_end(void *context, const char *name) {
	(void)name;
	struct xctrace_state *state = context;
	enum xctrace_level inside = state->level;
	state->level = (enum xctrace_level)state->outer[--state->outer_n];
	if (state->level == inside) {
		return true;
	}
	switch (inside) {
	case IN_BACKTRACE:
		if (!xctrace_end_trace(state, &state->backtrace, &state->trace_ids, "backtrace")) {
			return false;
		}
		state->tagged.found = state->level == IN_TAGGED ? state->row : state->tagged.found;
		return true;
	case IN_TAGGED:
		return xctrace_end_trace(state, &state->tagged, &state->tagged_ids,
					 "tagged-backtrace");
	case IN_ROW:
		xctrace_end_row(state);
		return true;
	case IN_ROOT:
		state->done = true;
		return false;
	default:
		return true;
	}
}

/* --- The collapser -------------------------------------------------------------------------- */

static const struct xml_handler handler = {xctrace_on_start, xctrace_on_end};

/** Add the remaining rows, and drop all definitions, because ids are valid only in one document. */
static void xctrace_end_document(struct xctrace_state *state) {
	for (size_t i = 0; i < state->traces_n; i++) {
		xctrace_add_rows(state, &state->traces[i]);
	}
	xml_free(state->xml);
	intern_release(&state->frame_ids);
	intern_release(&state->trace_ids);
	intern_release(&state->tagged_ids);
	state->xml = NULL;
	state->level = OUTSIDE;
	state->outer_n = state->traces_n = state->ids.n = 0;
}

static int xctrace_parse(struct xctrace_state *state, const struct block *block) {
	if (!xml_feed(state->xml, block->bytes, block->last) && !state->done) {
		return xml_is_cut_off(state->xml)
			       ? run_error(state->run, RUN_AT_END,
					   "unexpected EOF: </trace-query-result> is missing")
			       : run_error(state->run, xctrace_line_number(state),
					   "not well-formed XML: %s", xml_error(state->xml));
	}
	if (block->last && !state->done && !state->failed) { // the input is not an export
		return run_error(state->run, 0, "unexpected EOF: there is no <trace-query-result>");
	}
	return state->failed ? -1 : 0;
}

static int xctrace_block(void *memory, const struct block *block) {
	struct xctrace_state *state = memory;
	if (block->first) {
		state->xml = xml_new(&handler, state);
		state->lines_before = 0;
		state->open_line = false;
		state->done = false;
	}
	int result = state->done ? 0 : xctrace_parse(state, block);
	state->run->lines = run_count_lines(block, &state->open_line);
	state->lines_before += state->run->lines;
	if (block->last) {
		xctrace_end_document(state);
	}
	return result;
}

static void xctrace_release(void *memory) {
	struct xctrace_state *state = memory;
	xctrace_end_document(state);
	buf_release(&state->scratch);
	free(state->outer);
	free(state->traces);
	ids_release(&state->ids);
	ids_release(&state->stack);
}

static int xctrace_sniff(struct str bytes, bool whole) {
	struct str text = str_trim_start(bytes);
	if (!str_starts(text, STR("<"))) {
		return SNIFF_NO;
	}
	bool declared = str_has(bytes, STR("<?xml"));
	if (declared && text.n < bytes.n) { // no text may come before an XML declaration
		return SNIFF_NO;
	}
	if (str_has(bytes, STR("<trace-query-result"))) {
		return declared ? 4 * SNIFF_MAGIC : 3 * SNIFF_MAGIC;
	}
	if (str_has(bytes, STR("<trace-toc"))) { // `xctrace export` without --xpath writes such a
						 // document
		return SNIFF_COULD_BE;
	}
	return !whole && declared ? SNIFF_MORE : SNIFF_NO;
}

static const struct example examples[] = {
	{"xctrace record --template 'Time Profiler' --output a.trace --launch ./app",
	 "record, on macOS"},
	{"xctrace export --input a.trace --xpath '//table[@schema=\"time-profile\"]'",
	 "export the samples; save the output as a.xml"},
	{"inferno collapse xctrace a.xml > a.folded", "fold them"},
	{NULL, NULL},
};

const struct collapser collapse_xctrace = {
	.name = "xctrace",
	.brief = "fold the XML that Xcode's 'xctrace export' writes",
	.about = "Reads the table of the schema time-profile. Every row with a backtrace counts 1, "
		 "whatever its weight. Reading stops at the end of the table.",
	.examples = examples,
	.state_size = sizeof(struct xctrace_state),
	.sniff = xctrace_sniff,
	.block = xctrace_block,
	.flags = FORMAT_ANY_CUT,
	.release = xctrace_release,
	.tallies = {[TALLY_EMPTY] = "left out rows with an empty backtrace"},
};
