/** Frames whose names are used as they are in the input, and stacks of the run's profile. */
#pragma once

#include "collapse/collapser.h"
#include "profile/meaning.h"

/** Set `text` to a name that folded text can contain: replace ill-formed UTF-8, replace `;` by `:`,
 * and replace control bytes by blanks. */
void frame_clean(struct buf *text, struct str name);

/** Return the frame of a name, to which only frame_clean() is applied. */
uint32_t run_frame(struct run *run, struct str name);

/** The place of a frame: its source file, its module, its line and column, and the line at which
 * its function starts. Lines and columns count from 1. A field that is empty or 0 is not known. */
struct frame_place {
	struct str file, module;
	uint64_t line, column, start_line;
};

/** If the profile keeps sites, return the site of the frame `name` at a place. Otherwise, return
 * `name`. */
uint32_t run_site(struct run *run, uint32_t name, const struct frame_place *place);

/** Return the meaning of a line that has a frame with this name: MEANS_FRAME with its run_frame(),
 * or MEANS_NOTHING if the name is empty. */
struct meaning meaning_of_name(struct run *run, struct str name);

/** Add the stack to the run's profile, and empty the stack. If the stack has no frames, add 1 to
 * the tally with the index `no_frames`. */
static inline void stack_end(struct stack *stack, struct run *run, uint64_t count,
			     size_t no_frames) {
	if (stack_depth(stack) > 0) {
		stack_count(stack, run->profile, count);
	} else {
		run->tallies[no_frames]++;
	}
}
