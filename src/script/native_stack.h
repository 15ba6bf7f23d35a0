/** The native stack of a sampled thread. The first part of the stack is read from the copy in the
 * sample, and the rest from the memory of the process. Functions that a language compiles to
 * machine code have their frames on this stack. */
#pragma once

#include "script/language.h"

enum { NATIVE_STACK_PART = 16 << 10, NATIVE_STACK_MOST = 8 << 20 };

struct native_stack {
	struct remote *remote;
	struct str copy;
	uint64_t start; // the stack pointer, where the copy starts
	bool live; // words were read from the memory of the process, and may have changed since the
		   // sample
	uint64_t part; // address of the part in `bytes`; 0: none
	char bytes[NATIVE_STACK_PART];
};

/** Begin to read the stack of a sample. */
void native_stack_init(struct native_stack *stack, struct remote *remote,
		       const struct script_thread *thread);

/** Read the word at an address of the stack. Return false if the address cannot be read. */
bool native_stack_word(struct native_stack *stack, uint64_t address, uint64_t *word);

/** Find the innermost frame by frame pointers. Return the address of two words of this frame: the
 * caller's frame pointer, then the return address. Return 0 if no frame is found. */
uint64_t native_stack_first_frame(struct native_stack *stack, const struct script_thread *thread);

/** Return the address of the same two words of the caller's frame, or 0. */
uint64_t native_stack_next_frame(struct native_stack *stack, uint64_t frame);
