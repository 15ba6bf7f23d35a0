/** Report in one line how good a recording is: what was lost, cut off or has no name, and what to
 * do about it. */
#ifndef INFERNO_PERFDATA_HEALTH_H
#define INFERNO_PERFDATA_HEALTH_H

#include "perfdata/perfdata.h"

/** What the last frame of a stack says about its callers. */
enum health_end {
	HEALTH_OPEN,  // nothing: it is in the kernel, or has no name
	HEALTH_FIRST, // there are none: it is the first function of a thread
	HEALTH_INNER, // they are missing
};

enum { HEALTH_NOTED = 8 };

/** A zeroed struct has nothing to report. The weight of a stack is what the picture shows: time, or
 * events. */
struct health {
	uint64_t weight;    // of all stacks
	uint64_t nameless;  // of it, of stacks whose innermost function has no name
	uint64_t *by_image; // of that, by 1 + the image's id; 0: outside of images
	uint64_t orphaned;  // of `weight`, of stacks that lack their callers
	uint64_t *in_image; // of `weight`, of stacks with frames without a name in it, likewise
	uint64_t missing;   // of `weight`, of stacks with frames of files that are not here
	uint64_t cut;       // of that, of recorded stacks that could not be unwound for it
	const struct image **images;
	size_t capacity, in_capacity, images_capacity, n;
	uint64_t empty, idle;         // samples that were left out
	uint64_t counted;             // of all samples
	uint64_t wakings;             // samples that only tell of wake-ups, in all of the machine
	uint64_t switches;            // times that a thread ran or stopped
	uint64_t hidden;              // of it, in the kernel, which may not be sampled
	uint64_t unsampled;           // of it, used, and in no sample
	enum perfdata_reason reason;  // why
	bool recorder;                // advise those who record with `inferno record`
	size_t depth;                 // of the current stack
	uint64_t leaf, last;          // of it: the first and last frame, as health_frame() got them
	enum health_end end;          // of its last frame
	uint32_t noted[HEALTH_NOTED]; // images of its frames without a name, the last one last
	size_t noted_n;
};

/** Return the number to count frames of an image with. NULL stands for frames where nothing is
 * mapped. */
uint32_t health_image(struct health *health, const struct image *image);

/** Return what a location with these symbols says if no caller follows. */
enum health_end health_end_of(const struct perfdata_location *location,
			      const struct symbol *symbols, size_t n);

/** Start the next stack. */
static inline void health_start_stack(struct health *health) {
	health->depth = 0;
	health->noted_n = 0;
}

/** Note that the current stack has a frame without a name in an image. */
void health_note_image(struct health *health, uint32_t image);

/** Count the weight of a stack in images where it has frames without a name. `unwound` says that
 * its callers come from a recorded stack. */
void health_count_images(struct health *health, uint64_t weight, bool unwound);

/** Note the next frame of a stack, innermost first. `nameless` is 0, or if the frame has no name,
 * 1 + the number of its image. */
static inline void health_frame(struct health *health, uint64_t nameless, enum health_end end) {
	if (health->depth++ == 0) {
		health->leaf = nameless;
	}
	if (nameless > 0) {
		health_note_image(health, (uint32_t)(nameless - 1));
	}
	health->end = end;
	health->last = nameless;
}

/** Count the stack, unless it has no frames. `chained` says that its callers are what a walk by
 * frame pointers found, and that it is not known to be cut off; `unwound`, that they are from a
 * recorded stack. */
static inline void health_end_stack(struct health *health, uint64_t weight, bool chained,
				    bool unwound) {
	if (health->depth == 0) {
		return;
	}
	health->weight += weight;
	if (health->leaf > 0) {
		health->nameless += weight;
		health->by_image[health->leaf - 1] += weight;
	}
	if (health->noted_n > 0) {
		health_count_images(health, weight, unwound);
	}
	health->orphaned += chained && health->end == HEALTH_INNER ? weight : 0;
}

/** Add the figures to `text`, without advice. */
void health_word(struct buf *text, const struct health *health, const struct perfdata *data,
		 const char *name);

/** Report: with a warning if something is wrong, else with a note, or to those who made the
 * recording as what was done. Return 0, or -1 after diag_error(). */
int health_say(const struct health *health, const struct perfdata *data, const char *name,
	       struct diag *diag);

void health_release(struct health *health);

#endif
