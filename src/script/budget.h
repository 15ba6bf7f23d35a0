/** A limit for the processor time that is spent on reading stacks. If reading takes more than a
 * tenth of the time for which the program runs, only one of several samples is read. A sample that
 * is read also counts for the samples that were left out before it, so the shares of functions stay
 * right. */
#pragma once

#include <stdint.h>

enum { BUDGET_PERCENT = 10 };

/** The budget of one reading thread. A zeroed struct reads every sample. */
struct budget {
	uint64_t since;          // `now` at the start of the current interval, in ns
	uint64_t spent;          // time spent on reading since then, in ns
	uint64_t usual;          // average time for reading a stack, in ns; 0 at the start
	uint32_t stride;         // one of this number of samples is read; 0: all
	uint32_t widest;         // largest stride so far
	uint32_t skipped;        // number of samples left out since the last one that was read
	uint64_t read, left_out; // numbers of all samples so far
};

/** Return the number of samples that the next sample counts for; or 0 if it is left out. */
uint32_t budget_next(struct budget *budget);

/** Remember that reading a stack took `cost` nanoseconds. `now` is the time for which the program
 * has run so far, or if this time is not known, the current time. A cost far above the average
 * counts only in part: on a loaded machine a single read may seem to take very long, and hundreds
 * of samples must not be left out for it. */
void budget_spend(struct budget *budget, uint64_t now, uint64_t cost);
