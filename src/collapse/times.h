/** The time of each stack: a tree of calls with exact sums, which are rounded once, at the end. */
#ifndef INFERNO_TIMES_H
#define INFERNO_TIMES_H

#include "base/decimal.h"
#include "profile/profile.h"

enum { TIMES_ROOT = 0 }; // the call that makes all others; it has no frame

/** The names and units of the two values of stacks: the time, or whatever else is summed by
 * times_add(), and the other one. */
struct times_values {
	struct str names[2], units[2];
};

/** A zeroed one is empty. */
struct times {
	const struct times_values *values; // if times_add_other() is called; NULL: there is one
	struct intern calls;               // by caller and frame
	struct times_item *items;
	size_t capacity;
	struct ids path;
	bool overflow;     // of another value
	uint64_t vanished; // sums above 0 that were rounded to 0
};

/** Return the call of `frame` from `caller`, adding it if it is new. */
uint32_t times_call(struct times *times, uint32_t caller, uint32_t frame);

/** Add a time, perhaps 0, to the stack that ends in a call other than the root. If the profile
 * keeps the order of stacks, add it there. */
void times_add(struct times *times, struct profile *profile, uint32_t call, struct decimal time);

/** Add to the other value of a stack, for a profile that wants all values. */
void times_add_other(struct times *times, uint32_t call, struct decimal value);

/** Report to a profile that wants times that a call counted a weight, without its callees: from one
 * time to another, in nanoseconds, or at once if they are equal. The count of a stack is shared out
 * to its weights. */
void times_weight(struct times *times, struct profile *profile, uint32_t call, struct str thread,
		  uint64_t from, uint64_t to, uint64_t weight);

/** Report when a call ran, without its callees, to a profile that wants times: from one time to
 * another, in nanoseconds. */
void times_span(struct times *times, struct profile *profile, uint32_t call, struct str thread,
		uint64_t from, uint64_t to);

/** Add the rounded sums to the profile. Call this once, at the end. Return how many sums above 0
 * were rounded to 0. */
uint64_t times_finish(struct times *times, struct profile *profile);

void times_release(struct times *times);

#endif
