/**
 * Functions with what they count themselves, and calls between them with what the callee counts:
 * profiles that have no stacks. Stacks can be estimated from them.
 */
#ifndef INFERNO_CALLGRAPH_H
#define INFERNO_CALLGRAPH_H

#include "base/intern.h"
#include "profile/profile.h"

struct callgraph_function {
	uint32_t frame; // its name
	uint64_t self;
	uint64_t total; // with its callees, if the file says it; else 0
};

/** All calls from one function to another. */
struct callgraph_call {
	uint32_t caller, callee;
	uint64_t calls, total; // how many, and what the callee and its callees count
};

/** A zeroed graph is empty. */
struct callgraph {
	struct intern keys; // of functions, whose ids are those of the keys
	struct callgraph_function *functions;
	size_t functions_n, functions_capacity;
	struct intern pairs; // of calls: caller and callee
	struct callgraph_call *calls;
	size_t calls_n, calls_capacity;
};

/** Return the function with this key, which tells apart those with the same name. `*is_new` tells
 * that it had none: set its frame. */
uint32_t callgraph_find(struct callgraph *graph, struct str key, bool *is_new);

/** Add to what a function counts itself. Return false if the sum does not fit into 63 bits. */
bool callgraph_add_self(struct callgraph *graph, uint32_t function, uint64_t count);

/** Add calls. Return false if the sum does not fit into 63 bits. */
bool callgraph_add_call(struct callgraph *graph, struct callgraph_call call);

/**
 * Add stacks to a profile, as if what a function counts were spread over its callers in proportion
 * to what they count for it. Calls that close a cycle are passed over. Every function keeps exactly
 * what it counts itself; stacks of less than a few thousandths of all go to the function's heaviest
 * stack.
 */
void callgraph_estimate(const struct callgraph *graph, struct profile *profile);

/** Add the functions and calls to a profile: to its table, or if it wants none, as estimated
 * stacks.
 */
void callgraph_finish(const struct callgraph *graph, bool estimate, struct profile *profile);

void callgraph_release(struct callgraph *graph);

#endif
