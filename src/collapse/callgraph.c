/* Call graphs, and stacks estimated from them. */
#include "collapse/callgraph.h"

#include <stdlib.h>

#include "base/num.h"

uint32_t callgraph_find(struct callgraph *graph, struct str key, bool *is_new) {
	uint32_t id = intern_get(&graph->keys, key.p, key.n)->id;
	*is_new = id == graph->functions_n;
	if (*is_new) {
		*MEM_APPEND(graph->functions, graph->functions_n, graph->functions_capacity) =
			(struct callgraph_function){0};
	}
	return id;
}

bool callgraph_add_self(struct callgraph *graph, uint32_t function, uint64_t count) {
	uint64_t *self = &graph->functions[function].self;
	if (count > INT64_MAX || *self > INT64_MAX - count) {
		return false;
	}
	*self += count;
	return true;
}

bool callgraph_add_call(struct callgraph *graph, struct callgraph_call call) {
	const uint32_t pair[] = {call.caller, call.callee};
	uint32_t id = intern_get(&graph->pairs, pair, sizeof(pair))->id;
	if (id == graph->calls_n) {
		*MEM_APPEND(graph->calls, graph->calls_n, graph->calls_capacity) =
			(struct callgraph_call){call.caller, call.callee, 0, 0};
	}
	struct callgraph_call *sum = &graph->calls[id];
	if (call.total > INT64_MAX || sum->total > INT64_MAX - call.total ||
	    call.calls > INT64_MAX || sum->calls > INT64_MAX - call.calls) {
		return false;
	}
	sum->total += call.total;
	sum->calls += call.calls;
	return true;
}

void callgraph_release(struct callgraph *graph) {
	intern_release(&graph->keys);
	intern_release(&graph->pairs);
	free(graph->functions);
	free(graph->calls);
	*graph = (struct callgraph){0};
}

/* --- Estimated stacks ------------------------------------------------------------------------ */

#define CALLGRAPH_NONE UINT32_MAX

/** The greatest depth and the greatest number of estimated stacks. When the greatest number is
 * reached, further counts go to the heaviest stack of each function. If the heaviest stack is too
 * deep, the frames next to the leaf are kept. */
enum { CALLGRAPH_DEPTH = 1 << 10, CALLGRAPH_STACKS = 1 << 20 };

/** The state of a function while stacks are estimated. */
struct callgraph_node {
	// Index of the function's first call in `order`, and number of its calls.
	size_t calls, calls_n;
	double total;      // count of the function and its callees
	double incoming;   // sum of the weights of the calls to it that close no cycle
	double done;       // share of its self count that was given to stacks
	uint64_t given;    // count that was given to stacks
	uint32_t heaviest; // heaviest of these calls; CALLGRAPH_NONE: there is no such call
	// `open`: whether it is a caller of the function that is being visited.
	bool open, visited;
};

struct callgraph_stacks {
	const struct callgraph *graph;
	struct profile *profile;
	struct callgraph_node *nodes; // by function
	uint32_t *order;              // calls, sorted by caller
	bool *is_back;                // by call: whether the call closes a cycle
	double least;                 // calls with a smaller count are skipped
	size_t stacks_n;
	struct ids stack;
};

/** Return the weight of a call among all calls to its callee. The weight is the total of the call.
 * A tiny share of the number of calls is added, which decides if the totals of all calls to the
 * callee are 0. */
static double callgraph_weight(const struct callgraph_call *call) {
	const double little = 1e-9;
	return (double)call->total + little * (double)call->calls + little * little;
}

/** Sort the calls by their caller. */
static void callgraph_order(struct callgraph_stacks *stacks) {
	const struct callgraph *graph = stacks->graph;
	size_t at = 0;
	for (size_t i = 0; i < graph->calls_n; i++) {
		stacks->nodes[graph->calls[i].caller].calls_n++;
	}
	for (size_t i = 0; i < graph->functions_n; i++) {
		stacks->nodes[i].calls = at;
		at += stacks->nodes[i].calls_n;
		stacks->nodes[i].calls_n = 0;
	}
	for (size_t i = 0; i < graph->calls_n; i++) {
		struct callgraph_node *node = &stacks->nodes[graph->calls[i].caller];
		stacks->order[node->calls + node->calls_n++] = (uint32_t)i;
	}
}

/** A function whose calls are being visited. */
struct callgraph_step {
	uint32_t function;
	size_t next; // index of its next call
	double share;
};

struct callgraph_walk {
	struct callgraph_step *steps;
	size_t n, capacity;
};

static void callgraph_enter(struct callgraph_walk *walk, uint32_t function, double share) {
	*MEM_APPEND(walk->steps, walk->n, walk->capacity) =
		(struct callgraph_step){function, 0, share};
}

/** Visit a function and the functions that it calls, directly or not, and find the calls that close
 * a cycle. */
static void callgraph_visit(struct callgraph_stacks *stacks, uint32_t root) {
	struct callgraph_walk walk = {0};
	struct callgraph_node *nodes = stacks->nodes;
	if (nodes[root].visited) {
		return;
	}
	nodes[root].visited = nodes[root].open = true;
	for (callgraph_enter(&walk, root, 0); walk.n > 0;) {
		struct callgraph_step *step = &walk.steps[walk.n - 1];
		struct callgraph_node *node = &nodes[step->function];
		if (step->next == node->calls_n) {
			node->open = false;
			walk.n--;
			continue;
		}
		uint32_t id = stacks->order[node->calls + step->next++];
		uint32_t callee = stacks->graph->calls[id].callee;
		stacks->is_back[id] = nodes[callee].open;
		if (!nodes[callee].visited) {
			nodes[callee].visited = nodes[callee].open = true;
			callgraph_enter(&walk, callee, 0);
		}
	}
	free(walk.steps);
}

/** Visit all functions, starting with those that nothing calls. */
static void callgraph_visit_all(struct callgraph_stacks *stacks) {
	const struct callgraph *graph = stacks->graph;
	bool *is_called = mem_new(graph->functions_n, sizeof(*is_called));
	for (size_t i = 0; i < graph->calls_n; i++) {
		const struct callgraph_call *call = &graph->calls[i];
		is_called[call->callee] |= call->caller != call->callee;
	}
	for (uint32_t i = 0; i < graph->functions_n; i++) {
		if (!is_called[i]) {
			callgraph_visit(stacks, i);
		}
	}
	for (uint32_t i = 0; i < graph->functions_n; i++) {
		callgraph_visit(stacks, i);
	}
	free(is_called);
}

/** Compute the total of each function, the sum of the weights of all calls to it, and the heaviest
 * of these calls. Ignore calls that close a cycle. */
static void callgraph_add_up(struct callgraph_stacks *stacks) {
	const struct callgraph *graph = stacks->graph;
	for (size_t i = 0; i < graph->functions_n; i++) {
		stacks->nodes[i].total = (double)graph->functions[i].self;
		stacks->nodes[i].heaviest = CALLGRAPH_NONE;
	}
	for (uint32_t i = 0; i < graph->calls_n; i++) {
		const struct callgraph_call *call = &graph->calls[i];
		struct callgraph_node *callee = &stacks->nodes[call->callee];
		if (stacks->is_back[i]) {
			continue;
		}
		double weight = callgraph_weight(call);
		stacks->nodes[call->caller].total += (double)call->total;
		callee->incoming += weight;
		if (callee->heaviest == CALLGRAPH_NONE ||
		    weight > callgraph_weight(&graph->calls[callee->heaviest])) {
			callee->heaviest = i;
		}
	}
}

/** Add a share of a function's self count to the current stack. */
static void callgraph_give(struct callgraph_stacks *stacks, uint32_t function, double share) {
	struct callgraph_node *node = &stacks->nodes[function];
	uint64_t self = stacks->graph->functions[function].self;
	node->done += share;
	double until = node->done * (double)self;
	uint64_t given = until >= (double)self ? self : (uint64_t)until;
	if (given > node->given) {
		profile_add(stacks->profile, stacks->stack.items, stacks->stack.n,
			    given - node->given);
		node->given = given;
	}
}

/** Make the stacks that begin with `root`. Skip calls that close a cycle, have a small count, or
 * exceed a limit; callgraph_give_rest() adds the missing counts later. */
static void callgraph_descend(struct callgraph_stacks *stacks, uint32_t root) {
	const struct callgraph *graph = stacks->graph;
	struct callgraph_walk walk = {0};
	stacks->stack.n = 0;
	ids_push(&stacks->stack, graph->functions[root].frame);
	callgraph_give(stacks, root, 1);
	for (callgraph_enter(&walk, root, 1); walk.n > 0;) {
		struct callgraph_step *step = &walk.steps[walk.n - 1];
		const struct callgraph_node *node = &stacks->nodes[step->function];
		if (step->next == node->calls_n) {
			walk.n--;
			stacks->stack.n--;
			continue;
		}
		uint32_t id = stacks->order[node->calls + step->next++];
		const struct callgraph_call *call = &graph->calls[id];
		struct callgraph_node *callee = &stacks->nodes[call->callee];
		if (stacks->is_back[id]) {
			continue;
		}
		double share = step->share * callgraph_weight(call) / callee->incoming;
		if (share * callee->total < stacks->least || stacks->stack.n >= CALLGRAPH_DEPTH ||
		    stacks->stacks_n >= CALLGRAPH_STACKS) {
			continue;
		}
		stacks->stacks_n++;
		ids_push(&stacks->stack, graph->functions[call->callee].frame);
		callgraph_give(stacks, call->callee, share);
		callgraph_enter(&walk, call->callee, share);
	}
	free(walk.steps);
}

/** Add the rest of a function's self count to the function's heaviest stack. */
static void callgraph_give_rest(struct callgraph_stacks *stacks, uint32_t function) {
	const struct callgraph *graph = stacks->graph;
	struct ids *stack = &stacks->stack;
	uint32_t at = function;
	stack->n = 0;
	while (stack->n < CALLGRAPH_DEPTH) {
		ids_push(stack, graph->functions[at].frame);
		uint32_t call = stacks->nodes[at].heaviest;
		if (call == CALLGRAPH_NONE) {
			break;
		}
		at = graph->calls[call].caller;
	}
	for (size_t i = 0, k = stack->n; i + 1 < k; i++) { // the frames were collected leaf first
		uint32_t frame = stack->items[i];
		stack->items[i] = stack->items[--k];
		stack->items[k] = frame;
	}
	callgraph_give(stacks, function, 1);
}

void callgraph_estimate(const struct callgraph *graph, struct profile *profile) {
	const double fewest = 1.0 / 5000;
	struct callgraph_stacks stacks = {.graph = graph, .profile = profile};
	size_t functions = graph->functions_n, calls = graph->calls_n;
	stacks.nodes = mem_new(functions, sizeof(*stacks.nodes));
	stacks.order = mem_new(calls, sizeof(*stacks.order));
	stacks.is_back = mem_new(calls, sizeof(*stacks.is_back));
	callgraph_order(&stacks);
	callgraph_visit_all(&stacks);
	callgraph_add_up(&stacks);
	for (size_t i = 0; i < functions; i++) {
		stacks.least += (double)graph->functions[i].self * fewest;
	}
	for (uint32_t i = 0; i < functions; i++) {
		if (stacks.nodes[i].heaviest == CALLGRAPH_NONE) {
			callgraph_descend(&stacks, i);
		}
	}
	for (uint32_t i = 0; i < functions; i++) {
		callgraph_give_rest(&stacks, i);
	}
	free(stacks.nodes);
	free(stacks.order);
	free(stacks.is_back);
	ids_release(&stacks.stack);
}

/* --- Tables ----------------------------------------------------------------------------------- */

/** Add the total of each function, limited to the sum of all self counts. If the file does not have
 * the total, use the sum of the self count and the totals of the calls to other functions, which
 * cycles can make too large. */
static void callgraph_add_totals(const struct callgraph *graph, struct profile *profile) {
	uint64_t *totals = mem_new(graph->functions_n, sizeof(*totals)), sum = 0;
	for (size_t i = 0; i < graph->functions_n; i++) {
		totals[i] = graph->functions[i].self;
		profile->overflow |= !num_add(sum, totals[i], &sum);
	}
	for (size_t i = 0; i < graph->calls_n; i++) {
		const struct callgraph_call *call = &graph->calls[i];
		uint64_t *total = &totals[call->caller];
		if (call->caller != call->callee && !num_add(*total, call->total, total)) {
			*total = sum;
		}
	}
	for (size_t i = 0; i < graph->functions_n; i++) {
		const struct callgraph_function *function = &graph->functions[i];
		uint64_t total = function->total > 0 ? function->total : totals[i];
		call_table_add_total(profile->table, function->frame, total < sum ? total : sum);
	}
	free(totals);
}

/** Add the functions and calls to the table of a profile. */
static void callgraph_tabulate(const struct callgraph *graph, struct profile *profile) {
	for (size_t i = 0; i < graph->functions_n; i++) {
		const struct callgraph_function *function = &graph->functions[i];
		profile_add(profile, &function->frame, 1, function->self);
	}
	callgraph_add_totals(graph, profile);
	for (size_t i = 0; i < graph->calls_n; i++) {
		const struct callgraph_call *call = &graph->calls[i];
		call_table_add_call(profile->table, graph->functions[call->caller].frame,
				    graph->functions[call->callee].frame, call->total);
	}
	profile->overflow |= profile->table->overflow;
}

void callgraph_finish(const struct callgraph *graph, bool estimate, struct profile *profile) {
	if (estimate) {
		callgraph_estimate(graph, profile);
	} else if (profile_wants_table(profile)) {
		callgraph_tabulate(graph, profile);
	}
}
