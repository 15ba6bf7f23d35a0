/** The time of each stack: a tree of calls with exact sums. Sums are rounded once, at the end. */
#pragma once

#include "base/decimal.h"
#include "profile/profile.h"

enum { TIMES_ROOT = 0 }; // the call that contains all other calls; it has no frame

/** The names and units of the two values of stacks: the first is the time, or any other value given
 * to times_add(), and the second is given to times_add_other(). */
struct times_values {
	struct str names[2], units[2];
};

/** A zeroed struct is empty. */
struct times {
	// set if times_add_other() is called; NULL: there is only one value
	const struct times_values *values;
	struct intern calls; // calls, by caller and frame
	struct times_item *items;
	size_t capacity;
	struct ids path;
	bool overflow;     // whether a sum of the second value does not fit
	uint64_t vanished; // number of sums above 0 that were rounded to 0
};

/** Return the call of `frame` from `caller`, adding the call if it is new. */
uint32_t times_call(struct times *times, uint32_t caller, uint32_t frame);

/** Add a time, which may be 0, to the stack that ends in a call other than the root. If the profile
 * keeps the order of stacks, add the stack with this time to the profile. */
void times_add(struct times *times, struct profile *profile, uint32_t call, struct decimal time);

/** Add to the second value of a stack. times_finish() uses this value only if the profile keeps all
 * values. */
void times_add_other(struct times *times, uint32_t call, struct decimal value);

/** If the profile keeps times, note a weight of a call itself, without its callees, between two
 * times in nanoseconds. The two times may be equal. At the end, the count of a stack is divided
 * among these periods in proportion to their weights. */
void times_weight(struct times *times, struct profile *profile, uint32_t call, struct str thread,
		  uint64_t from, uint64_t to, uint64_t weight);

/** If the profile keeps times, note that a call itself, without its callees, ran from one time to
 * another, in nanoseconds. */
void times_span(struct times *times, struct profile *profile, uint32_t call, struct str thread,
		uint64_t from, uint64_t to);

/** Add the sum of the times of each stack to the profile, rounded. Call this once, at the end.
 * Return how many sums above 0 were rounded to 0. */
uint64_t times_finish(struct times *times, struct profile *profile);

void times_release(struct times *times);
