/** The time of each stack: a tree of calls with exact sums, which are rounded once, at the end. */
#ifndef INFERNO_TIMES_H
#define INFERNO_TIMES_H

#include "collapse/decimal.h"
#include "profile/profile.h"

enum { TIMES_ROOT = 0 }; // the call that makes all others; it has no frame

/** Zero-initialise all but `stacks`, which receives the result. */
struct times {
	struct profile *profile;
	struct intern calls; // by caller and frame
	struct times_item *items;
	size_t capacity;
	struct ids path;
	uint64_t vanished; // number of sums above 0 that were rounded to 0
};

/** Return the call of `frame` from `caller`, adding it if it is new. */
uint32_t times_call(struct times *times, uint32_t caller, uint32_t frame);

/** Add a time, perhaps 0, to the stack that ends in a call other than the root. */
void times_add(struct times *times, uint32_t call, struct decimal time);

/** Add the rounded sums to the stacks. Call this once, at the end. */
void times_finish(struct times *times);

void times_release(struct times *times);

#endif
