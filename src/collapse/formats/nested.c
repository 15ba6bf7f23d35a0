/*
 * nested: nested frames as JSON, in the format of d3-flame-graph. A frame has a name, a value and
 * children, in any order. The value includes the values of the children.
 *
 * The name of a frame may come after its children, so all frames are kept until the file ends. The
 * frames are a tree, so they take no more memory than the distinct stacks.
 */
#include <stdlib.h>

#include "collapse/collapser.h"
#include "collapse/json_places.h"
#include "collapse/text.h"
#include "collapse/times.h"

enum nested_tally { TALLY_CHILDREN, TALLY_VANISHED };

enum nested_place { IN_CHILDREN = JSON_TOP + 1, IN_FRAME };

#define NO_FRAME UINT32_MAX
#define NO_PARENT UINT32_MAX

struct nested_node {
	uint32_t parent; // index of the parent; NO_PARENT: this is the outermost frame
	uint32_t frame;  // NO_FRAME: no name was read
	uint32_t call;
	bool has_value;
	struct decimal value;
	struct decimal children; // sum of the values of the children
};

struct nested_state {
	STATE_HEAD(void);
	struct json_places json;
	struct memo names;
	struct nested_node *nodes; // frames of the file; a caller comes before its callees
	size_t nodes_n, nodes_capacity;
	uint32_t open; // the innermost frame that has not ended
	bool nameless; // the outermost frame has an empty name
	struct times times;
};

/* --- Frames, as they come ------------------------------------------------------------------- */

static bool nested_fail(struct nested_state *state, const char *what, struct str found) {
	run_error(state->run, 0, "frame %zu: %s, found '%s'", state->nodes_n, what,
		  quote(found).text);
	return false;
}

static bool nested_begin(void *memory, unsigned place) {
	struct nested_state *state = memory;
	if (place == IN_CHILDREN) {
		return true;
	}
	bool is_first = place == JSON_TOP;
	if (state->nodes_n == NO_PARENT) {
		run_error(state->run, 0, "there are more than 2^32 frames");
		return false;
	}
	MEM_GROW(state->nodes, state->nodes_capacity, state->nodes_n + 1);
	state->nodes[state->nodes_n] = (struct nested_node){
		.parent = is_first ? NO_PARENT : state->open, .frame = NO_FRAME};
	state->open = (uint32_t)state->nodes_n++;
	return true;
}

/** End a frame, and add its value to the sum in its parent. */
static bool nested_end(void *memory, unsigned place) {
	struct nested_state *state = memory;
	if (place == IN_CHILDREN) {
		return true;
	}
	struct nested_node *node = &state->nodes[state->open];
	size_t number = state->open + (size_t)1;
	bool is_leaf = number == state->nodes_n;
	if (node->frame == NO_FRAME || (!node->has_value && is_leaf)) {
		run_error(state->run, 0, "frame %zu has no %s", number,
			  node->frame == NO_FRAME ? "name" : "value");
		return false;
	}
	if (!node->has_value) { // if a frame has no value, its value is the sum of the values of
				// its children
		node->value = node->children;
	}
	state->open = node->parent;
	if (node->parent != NO_PARENT &&
	    !decimal_add(&state->nodes[node->parent].children, node->value)) {
		run_error(state->run, 0, "frame %zu: the sum of the values is too large", number);
		return false;
	}
	return true;
}

static bool nested_value(void *memory, unsigned place, struct str key, enum json_kind kind,
			 struct str text) {
	struct nested_state *state = memory;
	if (place == IN_CHILDREN) {
		return nested_fail(state, "a child is not a frame", text);
	}
	struct nested_node *node = &state->nodes[state->open];
	if (str_eq(key, STR("name"))) {
		node->frame =
			text_frame(state->run, &state->names, text.n > 0 ? text : STR("[unknown]"));
		state->nameless = node->parent == NO_PARENT ? text.n == 0 : state->nameless;
		return kind == JSON_STRING || kind == JSON_NUMBER ||
		       nested_fail(state, "the name of a frame is not a text", text);
	}
	if (str_eq(key, STR("value"))) {
		node->has_value = true;
		return (kind == JSON_NUMBER && decimal_parse(text, 0, &node->value) &&
			node->value.whole >= 0) ||
		       nested_fail(state, "expected a value of at least 0, below 2^62", text);
	}
	return !str_eq(key, STR("children")) ||
	       nested_fail(state, "the children of a frame are not a list", text);
}

/* --- The tree, at the end of a file --------------------------------------------------------- */

/** Return whether a name of the outermost frame means that this frame is not a function, but only
 * contains all other frames. */
static bool nested_is_root(struct str name) {
	return str_eq(name, STR("root")) || str_eq(name, STR("all")) || str_eq(name, STR("(root)"));
}

/** At the end of a file, count the self value of each frame: its value minus the values of its
 * children. */
static void nested_end_file(struct nested_state *state) {
	struct profile *profile = state->run->profile;
	for (size_t i = 0; i < state->nodes_n; i++) {
		struct nested_node *node = &state->nodes[i];
		uint32_t caller = node->parent == NO_PARENT ? (uint32_t)TIMES_ROOT
							    : state->nodes[node->parent].call;
		bool goes = i == 0 &&
			    (state->nameless || nested_is_root(profile_name(profile, node->frame)));
		node->call = goes ? (uint32_t)TIMES_ROOT
				  : times_call(&state->times, caller, node->frame);
		state->run->samples++;
		if (decimal_compare(node->value, node->children) < 0) {
			state->run->tallies[TALLY_CHILDREN]++;
			continue;
		}
		struct decimal own = decimal_minus(node->value, node->children);
		if (own.whole > 0 || own.part > 0) {
			uint32_t call = goes ? times_call(&state->times, TIMES_ROOT, node->frame)
					     : node->call;
			times_add(&state->times, profile, call, own);
		}
	}
	state->nodes_n = 0;
	state->nameless = false;
}

/* --- The collapser -------------------------------------------------------------------------- */

static const struct json_rule rules[] = {
	{JSON_TOP, "children", IN_CHILDREN},
	{IN_CHILDREN, NULL, IN_FRAME},
	{IN_FRAME, "children", IN_CHILDREN},
	{JSON_NOWHERE, NULL, JSON_NOWHERE},
};

static const struct json_places_calls calls = {rules, nested_begin, nested_end, nested_value,
					       .integers = NULL};

static int nested_block(void *memory, const struct block *block) {
	struct nested_state *state = memory;
	if (block->first) {
		state->nodes_n = 0;
	}
	int result = json_places_block(&state->json, &calls, state, block, "frames in frames");
	if (result == 0 && block->last) {
		nested_end_file(state);
	}
	return result;
}

static void nested_finish(void *memory) {
	struct nested_state *state = memory;
	state->run->tallies[TALLY_VANISHED] = times_finish(&state->times, state->run->profile);
}

static void nested_release(void *memory) {
	struct nested_state *state = memory;
	json_places_release(&state->json);
	memo_release(&state->names);
	times_release(&state->times);
	free(state->nodes);
}

/** Check that the first key is one of the three keys of a frame, and search for all three. */
static int nested_sniff(struct str bytes, bool whole) {
	static const char *const keys[] = {"\"name\"", "\"value\"", "\"children\""};
	bytes = str_trim_start(bytes);
	if (!str_starts(bytes, STR("{"))) {
		return SNIFF_NO;
	}
	struct str inner = str_trim_start(str_from(bytes, 1));
	bool begins = false, has_all = true;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		begins |= str_starts(inner, str_of(keys[i]));
		has_all &= str_has(bytes, str_of(keys[i]));
	}
	return begins && has_all ? SNIFF_MAGIC : begins && !whole ? SNIFF_MORE : SNIFF_NO;
}

static const struct example examples[] = {
	{"inferno collapse nested app.nested.json > app.folded", "fold the frames"},
	{"inferno convert app.nested.json -o app.pb.gz", "make a profile of pprof of them"},
	{NULL, NULL},
};

const struct collapser collapse_nested = {
	.name = "nested",
	.brief = "fold nested JSON, which d3-flame-graph draws",
	.about = "Reads JSON in which each frame has a name, a value and children. The self count "
		 "of a frame is its value minus the values of its children. A frame without a "
		 "value counts the sum of its children. The outermost frame is left out if its "
		 "name is root, (root), all, or empty.",
	.examples = examples,
	.state_size = sizeof(struct nested_state),
	.flags = FORMAT_ANY_CUT,
	.sniff = nested_sniff,
	.block = nested_block,
	.finish = nested_finish,
	.release = nested_release,
	.tallies = {[TALLY_CHILDREN] = "frames whose children count more than they do",
		    [TALLY_VANISHED] = "stacks that count 0, being less than half a unit"},
	.expects = "frames in frames, as JSON with name, value and children",
};
