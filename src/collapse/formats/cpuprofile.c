/*
 * cpuprofile: CPU profiles of V8, as node and Chrome write them.
 *
 * A profile has a tree of nodes, and a list of samples with the times between them. A node is a
 * function with its callers. Nodes may come in any order, and may come after the samples. So all
 * data is kept as numbers until the end of the file.
 */
#include <stdlib.h>

#include "base/num.h"
#include "collapse/json_places.h"
#include "collapse/packed_list.h"
#include "collapse/times.h"
#include "collapse/v8.h"

struct cpuprofile_options {
	bool samples;
};

enum cpuprofile_tally { TALLY_BACKWARDS, TALLY_VANISHED };

enum cpuprofile_place {
	IN_NODES = JSON_TOP + 1,
	IN_NODE,
	IN_FRAME,
	IN_CHILDREN,
	IN_SAMPLES,
	IN_DELTAS,
	IN_TICKS,
	IN_TICK,
	IN_HEAD
};

#define NO_NODE UINT32_MAX
#define CALL_UNKNOWN UINT32_MAX

struct cpuprofile_node {
	uint32_t id;     // id of the node's number in `ids`; NO_NODE: the node has no number
	uint32_t parent; // id of the caller's number
	uint32_t frame;
	uint32_t call; // the call of the node; CALL_UNKNOWN: not looked up yet
	uint64_t hits;
	// Lines of the node that have samples: their place in `ticks` of the state, and their
	// number.
	size_t ticks, ticks_n;
	uint64_t seen; // number of samples of this node so far, if it has lines with
		       // samples
	bool no_hits; // the file says that no sample hit the node
};

/** The part of a node's time that was not added to the node's call yet. */
struct cpuprofile_sum {
	struct decimal time;
	uint32_t call; // call of the node; CALL_UNKNOWN: samples are counted one by one
};

struct cpuprofile_state {
	STATE_HEAD(struct cpuprofile_options);
	struct json_places json;
	struct memo names;
	struct intern ids;  // keys are the numbers of the file's nodes; the value is 1 + the index
			    // of the node
	struct ids parents; // for each id, the id of the caller; NO_NODE: no caller
	struct cpuprofile_node *nodes; // nodes of this file
	size_t nodes_n, nodes_capacity;
	struct ids small;           // for each small number of a node, its id; NO_NODE: the number
				    // is new
	struct packed_list samples; // for each sample, the id of its node
	struct packed_list deltas;  // times between samples, in microseconds, as decimals
	struct decimal start, end;
	struct cpuprofile_sum *sums; // sums; the index is the id of the node
	struct v8_function function; // data of the frame that is being read
	struct ids ticks; // pairs of numbers: a line of a node, and the number of samples in it;
			  // kept only if the profile keeps sites
	struct ids path;
	bool counts_samples; // samples are counted, not times: the option says so, or the file has
			     // no times
	struct times times;
};

/* --- Values, as they come ------------------------------------------------------------------- */

static bool cpuprofile_fail(struct cpuprofile_state *state, const char *what, struct str found) {
	run_error(state->run, 0, "%s, found '%s'", what, quote(found).text);
	return false;
}

/** Return the id of a node's number. Add the number if it is new. The ids of small numbers are in
 * an array, too. Most numbers are small, so this halves the time of reading. */
static inline uint32_t cpuprofile_id(struct cpuprofile_state *state, uint64_t number) {
	enum { SMALL = 1 << 16 };
	if (number < state->small.n && state->small.items[number] != NO_NODE) {
		return state->small.items[number];
	}
	uint32_t id = intern_get(&state->ids, &number, sizeof(number))->id;
	while (state->parents.n < state->ids.count) {
		ids_push(&state->parents, NO_NODE);
	}
	if (number < SMALL) {
		while (state->small.n <= number) {
			ids_push(&state->small, NO_NODE);
		}
		state->small.items[number] = id;
	}
	return id;
}

static bool cpuprofile_read_id(struct cpuprofile_state *state, enum json_kind kind, struct str text,
			       uint32_t *id) {
	uint64_t number;
	if (kind != JSON_NUMBER || !num_parse_u64(text, &number)) {
		return cpuprofile_fail(state, "expected the number of a node", text);
	}
	*id = cpuprofile_id(state, number);
	return true;
}

static uint64_t cpuprofile_number(const struct cpuprofile_state *state, uint32_t id) {
	uint64_t number;
	memcpy(&number, state->ids.keys[id]->bytes, sizeof(number));
	return number;
}

static struct cpuprofile_node *cpuprofile_last(struct cpuprofile_state *state) {
	return &state->nodes[state->nodes_n - 1];
}

static bool cpuprofile_set_parent(struct cpuprofile_state *state, uint32_t id, uint32_t parent) {
	uint32_t *known = &state->parents.items[id];
	if (*known != NO_NODE && *known != parent) {
		run_error(state->run, 0, "node %llu has two parents, %llu and %llu",
			  (unsigned long long)cpuprofile_number(state, id),
			  (unsigned long long)cpuprofile_number(state, *known),
			  (unsigned long long)cpuprofile_number(state, parent));
		return false;
	}
	*known = parent;
	return true;
}

static bool cpuprofile_open(void *memory, unsigned place) {
	struct cpuprofile_state *state = memory;
	if (place == IN_NODE) {
		*MEM_APPEND(state->nodes, state->nodes_n, state->nodes_capacity) =
			(struct cpuprofile_node){NO_NODE, NO_NODE, NO_NODE, CALL_UNKNOWN,
						 .ticks = state->ticks.n};
	} else if (place == IN_FRAME) {
		v8_function_clear(&state->function);
	} else if (place == IN_TICK && profile_wants_sites(state->run->profile)) {
		ids_push(&state->ticks, 0);
		ids_push(&state->ticks, 0);
		cpuprofile_last(state)->ticks_n++;
	}
	if (place == IN_HEAD) {
		run_error(
			state->run, 0,
			"this is the form of profiles that Chrome wrote before 2017, with 'head'");
	}
	return place != IN_HEAD;
}

static bool cpuprofile_close(void *memory, unsigned place) {
	struct cpuprofile_state *state = memory;
	if (place == IN_FRAME) {
		cpuprofile_last(state)->frame =
			v8_function_frame(&state->function, state->run, &state->names);
	} else if (place == IN_NODE) {
		const struct cpuprofile_node *node = cpuprofile_last(state);
		if (node->id == NO_NODE || node->frame == NO_NODE) {
			run_error(state->run, 0, "node %zu has no id or no callFrame",
				  state->nodes_n);
			return false;
		}
		struct intern_key *key = state->ids.keys[node->id];
		if (key->value != 0) {
			run_error(state->run, 0, "two nodes have the id %llu",
				  (unsigned long long)cpuprofile_number(state, node->id));
			return false;
		}
		key->value = state->nodes_n;
		return node->parent == NO_NODE ||
		       cpuprofile_set_parent(state, node->id, node->parent);
	}
	return true;
}

/** Read a field of a tick: the number of a line of the node, or the number of samples in this
 * line. */
static bool cpuprofile_read_tick(struct cpuprofile_state *state, struct str key, struct str text) {
	uint64_t number = 0;
	if (state->ticks.n == 0 || !profile_wants_sites(state->run->profile)) {
		return true;
	}
	if (!num_parse_u64(text, &number) || number > UINT32_MAX) {
		return cpuprofile_fail(state, "expected a line with its ticks", text);
	}
	uint32_t *tick = &state->ticks.items[state->ticks.n - 2];
	if (str_eq(key, STR("line"))) {
		tick[0] = (uint32_t)number;
	} else if (str_eq(key, STR("ticks"))) {
		tick[1] = (uint32_t)number;
	}
	return true;
}

static bool cpuprofile_read_node(struct cpuprofile_state *state, struct str key,
				 enum json_kind kind, struct str text) {
	struct cpuprofile_node *node = cpuprofile_last(state);
	if (str_eq(key, STR("id"))) {
		return cpuprofile_read_id(state, kind, text, &node->id);
	}
	if (str_eq(key, STR("parent"))) {
		return cpuprofile_read_id(state, kind, text, &node->parent);
	}
	if (!str_eq(key, STR("hitCount"))) {
		return true;
	}
	bool good = num_parse_u64(text, &node->hits);
	node->no_hits = good && node->hits == 0;
	return good || cpuprofile_fail(state, "expected a hitCount", text);
}

/** Keep a child of the current node. The id of the node must come before its children. */
static bool cpuprofile_read_child(struct cpuprofile_state *state, enum json_kind kind,
				  struct str text) {
	uint32_t child, id = cpuprofile_last(state)->id;
	if (id == NO_NODE) {
		return cpuprofile_fail(state, "the id of a node comes after its children", text);
	}
	return cpuprofile_read_id(state, kind, text, &child) &&
	       cpuprofile_set_parent(state, child, id);
}

static bool cpuprofile_read_time(struct cpuprofile_state *state, enum json_kind kind,
				 struct str text, struct decimal *time) {
	return (kind == JSON_NUMBER && decimal_parse(text, 0, time)) ||
	       cpuprofile_fail(state, "expected a time in microseconds", text);
}

static bool cpuprofile_read_top(struct cpuprofile_state *state, struct str key, enum json_kind kind,
				struct str text) {
	return str_eq(key, STR("startTime"))
		       ? cpuprofile_read_time(state, kind, text, &state->start)
	       : str_eq(key, STR("endTime")) ? cpuprofile_read_time(state, kind, text, &state->end)
					     : true;
}

static bool cpuprofile_value(void *memory, unsigned place, struct str key, enum json_kind kind,
			     struct str text) {
	struct cpuprofile_state *state = memory;
	struct decimal delta;
	uint32_t id;
	switch (place) {
	case JSON_TOP:
		return cpuprofile_read_top(state, key, kind, text);
	case IN_NODE:
		return cpuprofile_read_node(state, key, kind, text);
	case IN_TICK:
		return cpuprofile_read_tick(state, key, text);
	case IN_FRAME:
		v8_function_read(&state->function, key, kind, text);
		return true;
	case IN_CHILDREN:
		return cpuprofile_read_child(state, kind, text);
	case IN_SAMPLES:
		if (!cpuprofile_read_id(state, kind, text, &id)) {
			return false;
		}
		packed_list_push(&state->samples, id);
		state->run->samples++;
		return true;
	case IN_DELTAS:
		if (!cpuprofile_read_time(state, kind, text, &delta)) {
			return false;
		}
		packed_list_push_decimal(&state->deltas, delta);
		return true;
	default:
		return true;
	}
}

static bool cpuprofile_integers(void *memory, unsigned place, const uint64_t *items, size_t n) {
	struct cpuprofile_state *state = memory;
	bool good = true;
	if (place == IN_SAMPLES) {
		for (size_t i = 0; i < n; i++) {
			packed_list_push(&state->samples, cpuprofile_id(state, items[i]));
		}
		state->run->samples += n;
	} else if (place == IN_DELTAS) {
		for (size_t i = 0; i < n; i++) {
			packed_list_push_decimal(&state->deltas,
						 (struct decimal){(int64_t)items[i], 0});
		}
	} else {
		for (size_t i = 0; i < n && good; i++) {
			char text[NUM_U64_MAX];
			struct str number = {text, num_format_u64(text, items[i])};
			good = cpuprofile_value(state, place, STR(""), JSON_NUMBER, number);
		}
	}
	return good;
}

/* --- The profile, at the end of a file -------------------------------------------------------- */

/** Return the node with an id, or NULL if there is no such node. */
static struct cpuprofile_node *cpuprofile_node_of(const struct cpuprofile_state *state,
						  uint32_t id) {
	uint64_t place = state->ids.keys[id]->value;
	return place == 0 ? NULL : &state->nodes[place - 1];
}

/** Put a node and its callers into `path`, up to the first caller whose call is known. Return the
 * id of this caller. If the path reaches the root, return NO_NODE. On an error, set `*result` to
 * -1. */
static uint32_t cpuprofile_climb(struct cpuprofile_state *state, uint32_t id, int *result) {
	state->path.n = 0;
	while (id != NO_NODE) {
		const struct cpuprofile_node *node = cpuprofile_node_of(state, id);
		if (node == NULL || state->path.n > state->nodes_n) {
			*result = run_error(state->run, 0,
					    node == NULL ? "node %llu is not there"
							 : "node %llu is its own caller",
					    (unsigned long long)cpuprofile_number(state, id));
			return NO_NODE;
		}
		if (node->call != CALL_UNKNOWN) {
			break;
		}
		ids_push(&state->path, id);
		id = state->parents.items[id];
	}
	return id;
}

/** Return the call of a node. A root node with the name `(root)` becomes a frame only for its own
 * samples. Return CALL_UNKNOWN after an error. */
static uint32_t cpuprofile_call_of(struct cpuprofile_state *state, uint32_t id) {
	int result = 0;
	uint32_t known = cpuprofile_climb(state, id, &result);
	uint32_t call = known == NO_NODE ? TIMES_ROOT : cpuprofile_node_of(state, known)->call;
	if (result != 0) {
		return CALL_UNKNOWN;
	}
	for (size_t i = state->path.n; i > 0; i--) {
		struct cpuprofile_node *node = cpuprofile_node_of(state, state->path.items[i - 1]);
		bool is_root =
			i == state->path.n && known == NO_NODE &&
			str_eq(profile_frame_name(state->run->profile, node->frame), STR("(root)"));
		call = is_root ? TIMES_ROOT : times_call(&state->times, call, node->frame);
		node->call = call;
	}
	struct cpuprofile_node *last = cpuprofile_node_of(state, id);
	return last->call != TIMES_ROOT ? last->call
					: times_call(&state->times, TIMES_ROOT, last->frame);
}

/** Return the sum of the ticks of a node. */
static uint64_t cpuprofile_sum_ticks(const struct cpuprofile_state *state,
				     const struct cpuprofile_node *node) {
	uint64_t sum = 0;
	for (size_t i = 0; i < node->ticks_n; i++) {
		sum += state->ticks.items[node->ticks + 2 * i + 1];
	}
	return sum;
}

/** Return the call for the line with the index `i` of a node. `call` is the node's call without a
 * line. */
static uint32_t cpuprofile_call_in_line(struct cpuprofile_state *state, uint32_t id, uint32_t call,
					size_t i) {
	const struct cpuprofile_node *node = cpuprofile_node_of(state, id);
	uint32_t parent = state->parents.items[id];
	if (node->call == TIMES_ROOT) {
		return call; // the node has no frame
	}
	struct site site = *sites_get(state->run->profile->sites, node->frame);
	site.line = state->ticks.items[node->ticks + 2 * i];
	return times_call(&state->times,
			  parent == NO_NODE ? TIMES_ROOT : cpuprofile_node_of(state, parent)->call,
			  profile_site(state->run->profile, &site));
}

/** Choose the line of a node's next sample, and return the call (profile/calls.h) with this line.
 * `call` is the node's call without a line, and is returned if the node has no lines. The file has
 * the number of samples of each line, but not the line of each sample. So assign the first samples
 * of the node to its first line, the next samples to the next line, and so on. */
static uint32_t cpuprofile_next_call(struct cpuprofile_state *state, uint32_t id, uint32_t call) {
	struct cpuprofile_node *node = cpuprofile_node_of(state, id);
	uint64_t sum = cpuprofile_sum_ticks(state, node);
	if (sum == 0) {
		return call;
	}
	uint64_t at = node->seen++ % sum;
	size_t i = 0;
	while (at >= state->ticks.items[node->ticks + 2 * i + 1]) {
		at -= state->ticks.items[node->ticks + 2 * i++ + 1];
	}
	return cpuprofile_call_in_line(state, id, call, i);
}

/** Return a time in nanoseconds, or 0 if the time is negative or too large. */
static uint64_t cpuprofile_ns(struct decimal time) {
	return time.whole < 0 || !decimal_shift(&time, 3) ? 0 : (uint64_t)time.whole;
}

/** Return whether the samples of a node are gaps, in which nothing ran: the node is the root, and
 * the file says that no sample hit the node. */
static bool cpuprofile_is_gap(const struct cpuprofile_node *node) {
	return node->no_hits && node->call == TIMES_ROOT;
}

/** Count a sample that lasts from `from` to `until`. If the node has no lines, and the profile
 * keeps neither times nor the order of samples, prepare `sums`, so that cpuprofile_count() adds up
 * further samples of this node. Return 0, or -1 if the run must end. */
static int cpuprofile_count_one(struct cpuprofile_state *state, size_t sample, uint32_t id,
				struct decimal from, struct decimal until) {
	struct profile *profile = state->run->profile;
	const struct cpuprofile_node *node = cpuprofile_node_of(state, id);
	if (node == NULL) {
		return run_bad(state->run, 0, "sample %zu: node %llu is not there", sample + 1,
			       (unsigned long long)cpuprofile_number(state, id));
	}
	uint32_t call = cpuprofile_call_of(state, id);
	if (call == CALL_UNKNOWN) {
		return -1;
	}
	if (cpuprofile_is_gap(node)) {
		return 0;
	}
	if (node->ticks_n == 0 && !profile_wants_times(profile) &&
	    profile->form != PROFILE_TIMELINE) {
		state->sums[id] = (struct cpuprofile_sum){{0, 0}, call};
	}
	call = cpuprofile_next_call(state, id, call);
	struct decimal count = {1, 0};
	if (!state->counts_samples) {
		count = decimal_minus(until, from);
	}
	if (profile_wants_times(profile) && decimal_compare(from, until) < 0) {
		times_span(&state->times, profile, call, STR("samples"), cpuprofile_ns(from),
			   cpuprofile_ns(until));
	}
	if (decimal_compare(count, (struct decimal){0, 0}) > 0) {
		times_add(&state->times, profile, call, count);
	}
	return 0;
}

/** Count a sample. Nodes have thousands of samples, so add up their times in the small array `sums`
 * first. */
static inline int cpuprofile_count(struct cpuprofile_state *state, size_t sample, uint32_t id,
				   struct decimal from, struct decimal until) {
	struct cpuprofile_sum *sum = &state->sums[id];
	struct decimal count =
		state->counts_samples ? (struct decimal){1, 0} : decimal_minus(until, from);
	return sum->call != CALL_UNKNOWN && decimal_add(&sum->time, count)
		       ? 0
		       : cpuprofile_count_one(state, sample, id, from, until);
}

/** Add the sums to their calls. */
static void cpuprofile_add_sums(struct cpuprofile_state *state) {
	for (uint32_t id = 0; id < state->ids.count; id++) {
		const struct cpuprofile_sum *sum = &state->sums[id];
		if (sum->call != CALL_UNKNOWN &&
		    decimal_compare(sum->time, (struct decimal){0, 0}) > 0) {
			times_add(&state->times, state->run->profile, sum->call, sum->time);
		}
	}
}

/** Count each sample with the time until the next sample. If the clock goes back, count no time
 * until it has reached its latest time again. */
static int cpuprofile_count_samples(struct cpuprofile_state *state) {
	struct decimal clock = state->start, from = clock;
	size_t n = state->samples.n;
	const uint16_t *samples = state->samples.units, *deltas = state->deltas.units;
	bool has_times = state->deltas.n > 0;
	if (has_times && state->deltas.n != n) {
		return run_error(state->run, 0, "%zu samples have %zu timeDeltas", n,
				 state->deltas.n);
	}
	state->counts_samples = state->options->samples || !has_times;
	free(state->sums);
	state->sums = mem_new(state->ids.count, sizeof(*state->sums));
	for (uint32_t id = 0; id < state->ids.count; id++) {
		state->sums[id].call = CALL_UNKNOWN;
	}
	for (size_t i = 0; i <= n; i++) {
		struct decimal until = state->end;
		if (has_times && i < n) {
			struct decimal delta = packed_list_next_decimal(&deltas);
			if (!decimal_add(&clock, delta)) {
				return run_error(state->run, 0, "the times are too large");
			}
			state->run->tallies[TALLY_BACKWARDS] += delta.whole < 0;
			until = clock;
		}
		until = i > 0 && decimal_compare(until, from) < 0 ? from : until;
		if (i > 0) {
			uint32_t id = (uint32_t)packed_list_next(&samples);
			if (cpuprofile_count(state, i - 1, id, from, until) != 0) {
				return -1;
			}
		}
		from = until;
	}
	cpuprofile_add_sums(state);
	return 0;
}

/** In a profile without samples, count the hits of nodes. */
static int cpuprofile_count_hits(struct cpuprofile_state *state) {
	state->counts_samples = true;
	for (size_t i = 0; i < state->nodes_n; i++) {
		uint64_t hits = state->nodes[i].hits;
		uint32_t call = cpuprofile_call_of(state, state->nodes[i].id);
		if (call == CALL_UNKNOWN) {
			return -1;
		}
		if (hits > INT64_MAX / 2) {
			return run_error(state->run, 0, "a hitCount is too large");
		}
		state->run->samples += hits > 0;
		for (size_t tick = 0; tick < state->nodes[i].ticks_n && hits > 0; tick++) {
			uint64_t own = state->ticks.items[state->nodes[i].ticks + 2 * tick + 1];
			own = own < hits ? own : hits;
			hits -= own;
			times_add(&state->times, state->run->profile,
				  cpuprofile_call_in_line(state, state->nodes[i].id, call, tick),
				  (struct decimal){(int64_t)own, 0});
		}
		if (hits > 0) {
			times_add(&state->times, state->run->profile, call,
				  (struct decimal){(int64_t)hits, 0});
		}
	}
	return 0;
}

static int cpuprofile_end_file(struct cpuprofile_state *state) {
	int result = 0;
	for (uint32_t id = 0; id < state->ids.count && result == 0; id++) {
		// if no list of children has the id, only samples refer to it, and they check the
		// node themselves
		bool called = state->parents.items[id] != NO_NODE;
		if (called && cpuprofile_call_of(state, id) == CALL_UNKNOWN) {
			result = -1;
		}
	}
	if (result == 0) {
		result = state->samples.n > 0 ? cpuprofile_count_samples(state)
					      : cpuprofile_count_hits(state);
	}
	intern_release(&state->ids);
	packed_list_clear(&state->samples);
	packed_list_clear(&state->deltas);
	state->parents.n = state->small.n = state->nodes_n = state->ticks.n = 0;
	state->start = state->end = (struct decimal){0, 0};
	return result;
}

/* --- The collapser -------------------------------------------------------------------------- */

static const struct json_rule rules[] = {
	{JSON_TOP, "profile", JSON_TOP},
	{JSON_TOP, "nodes", IN_NODES},
	{IN_NODES, NULL, IN_NODE},
	{IN_NODE, "callFrame", IN_FRAME},
	{IN_NODE, "children", IN_CHILDREN},
	{JSON_TOP, "samples", IN_SAMPLES},
	{JSON_TOP, "timeDeltas", IN_DELTAS},
	{JSON_TOP, "head", IN_HEAD},
	{IN_NODE, "positionTicks", IN_TICKS},
	{IN_TICKS, NULL, IN_TICK},
	{JSON_NOWHERE, NULL, JSON_NOWHERE},
};

static const struct json_places_calls calls = {rules, cpuprofile_open, cpuprofile_close,
					       cpuprofile_value, .integers = cpuprofile_integers};

static int cpuprofile_block(void *memory, const struct block *block) {
	struct cpuprofile_state *state = memory;
	int result = json_places_block(&state->json, &calls, state, block, "a CPU profile");
	return result == 0 && block->last ? cpuprofile_end_file(state) : result;
}

static void cpuprofile_find_unit(const void *memory, struct buf *unit) {
	const struct cpuprofile_state *state = memory;
	buf_add_text(unit, state->counts_samples ? "samples" : "microseconds");
}

static void cpuprofile_finish(void *memory) {
	struct cpuprofile_state *state = memory;
	state->run->tallies[TALLY_VANISHED] = times_finish(&state->times, state->run->profile);
}

static void cpuprofile_release(void *memory) {
	struct cpuprofile_state *state = memory;
	json_places_release(&state->json);
	memo_release(&state->names);
	intern_release(&state->ids);
	ids_release(&state->parents);
	ids_release(&state->small);
	ids_release(&state->ticks);
	ids_release(&state->path);
	v8_function_release(&state->function);
	times_release(&state->times);
	free(state->nodes);
	free(state->sums);
	free(state->samples.units);
	free(state->deltas.units);
}

static int cpuprofile_sniff(struct str bytes, bool whole) {
	if (!str_starts(str_trim_start(bytes), STR("{"))) {
		return SNIFF_NO;
	}
	if (str_has(bytes, STR("\"nodes\"")) && str_has(bytes, STR("\"callFrame\"")) &&
	    !str_has(bytes, STR("\"ph\""))) {
		return SNIFF_MAGIC + SNIFF_SHAPE;
	}
	return whole ? SNIFF_NO : SNIFF_MORE;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct cpuprofile_options, samples), .name = "samples",
	 .help = "count samples, not their time"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"", "microseconds", NULL, NULL},
	{"samples", "samples", NULL, "samples"},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"node --cpu-prof app.js", "write a profile to CPU.*.cpuprofile"},
	{"inferno collapse cpuprofile CPU.*.cpuprofile > app.folded", "fold the profiles"},
	{NULL, NULL},
};

const struct collapser collapse_cpuprofile = {
	.name = "cpuprofile",
	.brief = "fold CPU profiles of node and Chrome (.cpuprofile)",
	.about = "Reads the JSON that 'node --cpu-prof' and the developer tools of Chrome write. A "
		 "sample lasts until the next one, the last one until the profile ends. If the "
		 "clock goes back, no time is counted until the clock reaches its former time. "
		 "Samples of (root) are gaps, and are not counted, if its hitCount is 0. A "
		 "function without a name is named after its file and line. If the profile has no "
		 "samples, the hit counts of its nodes are counted.",
	.examples = examples,
	.options = {options, sizeof(struct cpuprofile_options)},
	.values = values,
	.state_size = sizeof(struct cpuprofile_state),
	.flags = FORMAT_ANY_CUT,
	.sniff = cpuprofile_sniff,
	.block = cpuprofile_block,
	.find_unit = cpuprofile_find_unit,
	.finish = cpuprofile_finish,
	.release = cpuprofile_release,
	.tallies = {[TALLY_BACKWARDS] = "negative timeDeltas, at which time stands still",
		    [TALLY_VANISHED] = "stacks that count 0, being less than half a unit"},
	.expects = "a CPU profile, with samples",
};
