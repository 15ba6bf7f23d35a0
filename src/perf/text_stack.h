/** The stack of the current sample of `perf script`. */
#ifndef INFERNO_PERF_TEXT_STACK_H
#define INFERNO_PERF_TEXT_STACK_H

#include "perf/stack.h"

/** A frame of an unknown function, whose name shows its address. Most occur only once. */
struct perf_new_frame {
	uint32_t plain; // the frame without its address
	uint32_t n;
	char address[PERF_ADDRESS_COLUMNS];
};

/** Zero-initialise all but `names`. */
struct text_stack {
	struct perf_names *names;
	struct stack stack;
	struct perf_new_frame *news; // frames of the stack that have no id yet
	size_t news_n, news_capacity;
	size_t line_depth; // number of frames of the last stack line, for --srcline
	struct buf text;
};

/** Add a frame of an unknown function at this address. */
void text_stack_push_address(struct text_stack *sample, uint32_t plain, struct str address);

/** Add the source that a line names to the name of the frame before it. */
void text_stack_show_source(struct text_stack *sample, struct str source);

/** Add the stack to a profile, and clear it. */
void text_stack_add(struct text_stack *sample, struct profile *profile, uint64_t period);

void text_stack_clear(struct text_stack *sample);

void text_stack_release(struct text_stack *sample);

#endif
