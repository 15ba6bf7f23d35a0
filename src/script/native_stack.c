/* The native stack of a sampled thread. */
#include "script/native_stack.h"

enum { NATIVE_WORD = sizeof(uint64_t) };

void native_stack_init(struct native_stack *stack, struct remote *remote,
		       const struct script_thread *thread) {
	stack->remote = remote;
	stack->copy = thread->copy;
	stack->start = thread->registers[SCRIPT_SP];
	stack->live = false;
	stack->part = 0;
}

bool native_stack_word(struct native_stack *stack, uint64_t address, uint64_t *word) {
	uint64_t at = address - stack->start;
	if (address < stack->start || at >= NATIVE_STACK_MOST || address % NATIVE_WORD != 0) {
		return false;
	}
	if (stack->copy.n >= NATIVE_WORD && at <= stack->copy.n - NATIVE_WORD) {
		*word = remote_load_u64(stack->copy.p + at);
		return true;
	}
	uint64_t part = address / NATIVE_STACK_PART * NATIVE_STACK_PART;
	if (part != stack->part) {
		stack->part = part;
		if (!remote_read(stack->remote, part, stack->bytes, sizeof(stack->bytes))) {
			stack->part = 0;
			return false;
		}
	}
	stack->live = true;
	*word = remote_load_u64(stack->bytes + (address - part));
	return true;
}

/** Return whether frames can be followed from an address. */
static bool native_stack_has_chain(struct native_stack *stack, uint64_t frame) {
	enum { STEPS = 3 };
	for (int i = 0; i < STEPS && frame != 0; i++) {
		uint64_t next = native_stack_next_frame(stack, frame);
		if (next == 0) {
			return false;
		}
		frame = next;
	}
	return true;
}

uint64_t native_stack_first_frame(struct native_stack *stack, const struct script_thread *thread) {
	enum { SEARCHED = 4096 };
	uint64_t frame = thread->registers[SCRIPT_FP];
	uint64_t word;
	if (frame >= stack->start && native_stack_word(stack, frame, &word)) {
		return frame;
	}
	// The innermost functions may use the frame pointer's register for other values. Search the
	// stack for a saved frame pointer from which a chain of frames begins.
	for (uint64_t at = stack->start; at < stack->start + SEARCHED; at += NATIVE_WORD) {
		if (native_stack_word(stack, at, &word) && word > at &&
		    native_stack_has_chain(stack, at)) {
			return at;
		}
	}
	return 0;
}

uint64_t native_stack_next_frame(struct native_stack *stack, uint64_t frame) {
	uint64_t next = 0, address = 0;
	if (!native_stack_word(stack, frame, &next) || next <= frame ||
	    next - frame >= NATIVE_STACK_MOST || next % NATIVE_WORD != 0 ||
	    !native_stack_word(stack, next + NATIVE_WORD, &address)) {
		return 0;
	}
	return next;
}
