/*
 * heapprofile: sampled heap profiles of V8, as `node --heap-prof` and Chrome write them. A node is
 * a function with its callers. A node has the function, the bytes in use that the function
 * allocated, and the node's children, in any order.
 *
 * The function of a node may come after its children, so all nodes are kept until the file ends.
 * The nodes are a tree, so they take no more memory than the distinct stacks.
 */
#include <stdlib.h>

#include "base/num.h"
#include "collapse/json_places.h"
#include "collapse/times.h"
#include "collapse/v8.h"

enum heapprofile_place { IN_NODE = JSON_TOP + 1, IN_FUNCTION, IN_CHILDREN };

#define NO_FRAME UINT32_MAX
#define NO_PARENT UINT32_MAX

struct heapprofile_node {
	uint32_t parent; // index of the parent; NO_PARENT: this is the root
	uint32_t frame;  // NO_FRAME: no function was read
	uint32_t call;
	uint64_t bytes;
};

struct heapprofile_state {
	STATE_HEAD(void);
	struct json_places json;
	struct memo names;
	struct v8_function function;    // data of the frame that is being read
	struct heapprofile_node *nodes; // nodes of the file; a caller comes before its callees
	size_t nodes_n, nodes_capacity;
	uint32_t open; // the innermost node that has not ended
	struct times times;
};

/* --- Nodes, as they come -------------------------------------------------------------------- */

static bool heapprofile_open(void *memory, unsigned place) {
	struct heapprofile_state *state = memory;
	if (place == IN_FUNCTION) {
		v8_function_clear(&state->function);
	} else if (place == IN_NODE) {
		if (state->nodes_n == NO_PARENT) {
			run_error(state->run, 0, "there are more than 2^32 nodes");
			return false;
		}
		MEM_GROW(state->nodes, state->nodes_capacity, state->nodes_n + 1);
		state->nodes[state->nodes_n] =
			(struct heapprofile_node){.parent = state->open, .frame = NO_FRAME};
		state->open = (uint32_t)state->nodes_n++;
	}
	return true;
}

static bool heapprofile_close(void *memory, unsigned place) {
	struct heapprofile_state *state = memory;
	if (place == IN_FUNCTION) {
		state->nodes[state->open].frame =
			v8_function_frame(&state->function, state->run, &state->names);
	} else if (place == IN_NODE) {
		if (state->nodes[state->open].frame == NO_FRAME) {
			run_error(state->run, 0, "node %zu has no callFrame",
				  state->open + (size_t)1);
			return false;
		}
		state->open = state->nodes[state->open].parent;
	}
	return true;
}

static bool heapprofile_value(void *memory, unsigned place, struct str key, enum json_kind kind,
			      struct str text) {
	struct heapprofile_state *state = memory;
	if (place == IN_FUNCTION) {
		v8_function_read(&state->function, key, kind, text);
	} else if (place == IN_CHILDREN) {
		run_error(state->run, 0, "a child of node %zu is not a node, found '%s'",
			  state->open + (size_t)1, quote(text).text);
		return false;
	} else if (place == IN_NODE && str_eq(key, STR("selfSize"))) {
		uint64_t *bytes = &state->nodes[state->open].bytes;
		if (kind != JSON_NUMBER || !num_parse_u64(text, bytes) || *bytes > INT64_MAX / 2) {
			run_error(state->run, 0, "node %zu: expected a selfSize, found '%s'",
				  state->open + (size_t)1, quote(text).text);
			return false;
		}
	}
	return true;
}

/* --- The tree, at the end of a file --------------------------------------------------------- */

/** Count the bytes of each node. A root with the name `(root)` becomes a frame only if it has bytes
 * itself. */
static void heapprofile_end_file(struct heapprofile_state *state) {
	struct profile *profile = state->run->profile;
	for (size_t i = 0; i < state->nodes_n; i++) {
		struct heapprofile_node *node = &state->nodes[i];
		bool is_root = node->parent == NO_PARENT &&
			       str_eq(profile_frame_name(profile, node->frame), STR("(root)"));
		uint32_t caller = node->parent == NO_PARENT ? (uint32_t)TIMES_ROOT
							    : state->nodes[node->parent].call;
		node->call = is_root ? (uint32_t)TIMES_ROOT
				     : times_call(&state->times, caller, node->frame);
		state->run->samples++;
		if (node->bytes > 0) {
			uint32_t call = is_root ? times_call(&state->times, TIMES_ROOT, node->frame)
						: node->call;
			times_add(&state->times, profile, call,
				  (struct decimal){(int64_t)node->bytes, 0});
		}
	}
	state->nodes_n = 0;
}

/* --- The collapser -------------------------------------------------------------------------- */

static const struct json_rule rules[] = {
	{JSON_TOP, "profile", JSON_TOP},     {JSON_TOP, "head", IN_NODE},
	{IN_NODE, "callFrame", IN_FUNCTION}, {IN_NODE, "children", IN_CHILDREN},
	{IN_CHILDREN, NULL, IN_NODE},        {JSON_NOWHERE, NULL, JSON_NOWHERE},
};

static const struct json_places_calls calls = {rules, heapprofile_open, heapprofile_close,
					       heapprofile_value, .integers = NULL};

static int heapprofile_block(void *memory, const struct block *block) {
	struct heapprofile_state *state = memory;
	if (block->first) {
		state->nodes_n = 0;
		state->open = NO_PARENT;
	}
	int result = json_places_block(&state->json, &calls, state, block, "a heap profile of V8");
	if (result == 0 && block->last) {
		heapprofile_end_file(state);
	}
	return result;
}

static void heapprofile_finish(void *memory) {
	struct heapprofile_state *state = memory;
	(void)times_finish(&state->times, state->run->profile);
}

static void heapprofile_release(void *memory) {
	struct heapprofile_state *state = memory;
	json_places_release(&state->json);
	memo_release(&state->names);
	v8_function_release(&state->function);
	times_release(&state->times);
	free(state->nodes);
}

static int heapprofile_sniff(struct str bytes, bool whole) {
	if (!str_starts(str_trim_start(bytes), STR("{"))) {
		return SNIFF_NO;
	}
	if (str_has(bytes, STR("\"selfSize\"")) && str_has(bytes, STR("\"callFrame\""))) {
		return SNIFF_MAGIC + SNIFF_SHAPE;
	}
	return whole ? SNIFF_NO : SNIFF_MORE;
}

static const struct collapser_value values[] = {
	{"", "inuse_space", NULL, "bytes of inuse_space"},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"node --heap-prof app.js", "write a profile to Heap.*.heapprofile"},
	{"inferno collapse heapprofile Heap.*.heapprofile > app.folded", "fold the profiles"},
	{NULL, NULL},
};

const struct collapser collapse_heapprofile = {
	.name = "heapprofile",
	.brief = "fold heap profiles of node and Chrome",
	.about = "Reads the JSON that 'node --heap-prof' and the developer tools of Chrome write. "
		 "Counts are the bytes in use that each function allocated, as V8 estimates them "
		 "from samples. A function without a name is named after its file and line.",
	.examples = examples,
	.values = values,
	.state_size = sizeof(struct heapprofile_state),
	.flags = FORMAT_ANY_CUT,
	.unit = "bytes of inuse_space",
	.sniff = heapprofile_sniff,
	.block = heapprofile_block,
	.finish = heapprofile_finish,
	.release = heapprofile_release,
	.expects = "a heap profile of V8, with nodes",
};
