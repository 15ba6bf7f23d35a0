/** Remember the callers of frames in the complete stacks of a thread. A later stack of the thread
 * may be cut off at a frame that a complete stack had, with the same stack pointer and registers.
 * In nearly all cases, this frame still has the same callers. */
#pragma once

#include "symbols/unwind.h"

/** A frame of a thread. If `address` is 0, there is no frame. */
struct callers_key {
	uint32_t epoch; // number of the thread's stack; see struct thread
	uint64_t address;
	struct unwind_frame state;
};

/** A zeroed table is empty. The table has a fixed size, so a new frame may replace an older
 * frame. */
struct callers {
	struct callers_slot *slots; // the frames; NULL: the table is empty
};

void callers_set(struct callers *callers, const struct callers_key *key,
		 const struct callers_key *caller);

/** Set `*key` to the frame's caller. Return false, and leave `*key` unchanged, if the caller is not
 * known. */
bool callers_next(const struct callers *callers, struct callers_key *key);

void callers_release(struct callers *callers);
