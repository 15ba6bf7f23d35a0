/**
 * Profiles without stacks: functions with their self counts, and calls between them with the total
 * of the callee. Stacks can be estimated from such a graph.
 */
#pragma once

#include "base/intern.h"
#include "profile/profile.h"

struct callgraph_function {
	uint32_t frame; // frame with the name of the function
	uint64_t self;
	// Count of the function and its callees, or 0 if the file does not have this count.
	uint64_t total;
};

/** All calls from one function to another. */
struct callgraph_call {
	uint32_t caller, callee;
	uint64_t calls, total; // number of calls, and the count of the callee including its callees
};

/** A zeroed graph is empty. */
struct callgraph {
	struct intern keys; // keys of functions; the id of a key is the id of its function
	struct callgraph_function *functions;
	size_t functions_n, functions_capacity;
	struct intern pairs; // keys of calls: the ids of caller and callee
	struct callgraph_call *calls;
	size_t calls_n, calls_capacity;
};

/** Return the function with this key. Keys distinguish functions with the same name. If the
 * function is new, add the function and set `*is_new`; the caller then sets its frame. */
uint32_t callgraph_find(struct callgraph *graph, struct str key, bool *is_new);

/** Add to the self count of a function. Return false if the sum does not fit into 63 bits. */
bool callgraph_add_self(struct callgraph *graph, uint32_t function, uint64_t count);

/** Add calls to those between the same functions. Return false if a sum does not fit into 63
 * bits. */
bool callgraph_add_call(struct callgraph *graph, struct callgraph_call call);

/**
 * Add estimated stacks to a profile. The self count of a function is divided among its callers, in
 * proportion to the totals of their calls, or, if these totals are all 0, to the numbers of their
 * calls. Calls that close a cycle are skipped. Every function keeps its exact self count. A stack
 * with a tiny share of the profile is left out, and its count is added to the function's heaviest
 * stack.
 */
void callgraph_estimate(const struct callgraph *graph, struct profile *profile);

/** Add the functions and calls to a profile: if `estimate` is set, as estimated stacks; otherwise
 * to the profile's table, if it has a table. */
void callgraph_finish(const struct callgraph *graph, bool estimate, struct profile *profile);

void callgraph_release(struct callgraph *graph);
