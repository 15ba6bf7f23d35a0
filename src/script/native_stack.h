/** The native stack of a sampled thread: the copy in the sample, and beyond it the memory of the
 * process. Languages whose functions are in machine code have their frames there. */
#ifndef INFERNO_SCRIPT_NATIVE_STACK_H
#define INFERNO_SCRIPT_NATIVE_STACK_H

#include "script/language.h"

enum { NATIVE_STACK_PART = 16 << 10, NATIVE_STACK_MOST = 8 << 20 };

struct native_stack {
	struct remote *remote;
	struct str copy;
	uint64_t start; // the stack pointer, where the copy starts
	bool live;      // words were read from memory, which may have changed since the sample
	uint64_t part;  // address of the part in `bytes`; 0: none
	char bytes[NATIVE_STACK_PART];
};

/** Begin with the stack of a sample. */
void native_stack_init(struct native_stack *stack, struct remote *remote,
		       const struct script_thread *thread);

/** Read a word of the stack. Return false if there is none at the address. */
bool native_stack_word(struct native_stack *stack, uint64_t address, uint64_t *word);

/** Return the address of the innermost frame that can be found by frame pointers: where it keeps
 * its caller's frame pointer, and then its return address. Return 0 if there is none. */
uint64_t native_stack_first_frame(struct native_stack *stack, const struct script_thread *thread);

/** Return the same for the caller of a frame. */
uint64_t native_stack_next_frame(struct native_stack *stack, uint64_t frame);

#endif
