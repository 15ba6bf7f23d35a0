/** Report in one line how good a recording is: what was lost, cut off or has no name, and what to
 * do about it. */
#ifndef INFERNO_PERFDATA_HEALTH_H
#define INFERNO_PERFDATA_HEALTH_H

#include "perfdata/perfdata.h"

/** A zeroed struct has nothing to report. */
struct health {
	uint64_t frames;    // see health_frame()
	uint64_t nameless;  // of them
	uint64_t *by_image; // nameless frames, by 1 + the image's id; 0: outside of images
	const struct image **images;
	size_t capacity, images_capacity, n;
	uint64_t empty, idle; // samples that were left out
	uint64_t counted;     // of all samples
	uint64_t hidden;      // of it, in the kernel, which may not be sampled
	bool recorder;        // advise those who record with `inferno record`
	bool adrift;          // the last frame of this stack is where nothing is mapped
};

/** Return the number to count frames of an image with. NULL stands for frames where nothing is
 * mapped. */
uint32_t health_image(struct health *health, const struct image *image);

/** Start the next stack. */
static inline void health_start_stack(struct health *health) {
	health->adrift = false;
}

/**
 * Count a frame of a stack that some samples have in common. `nameless` is 0, or if the frame has
 * no name, 1 + the number of its image. Of several frames in a row where nothing is mapped, count
 * the first: a walk by frame pointers that goes astray returns up to 127 of them, and a single such
 * stack would make a good recording of a second look bad.
 */
static inline void health_frame(struct health *health, uint64_t nameless, uint64_t samples) {
	bool adrift = nameless == 1;
	if (adrift && health->adrift) {
		return;
	}
	health->adrift = adrift;
	health->frames += samples;
	if (nameless > 0) {
		health->nameless += samples;
		health->by_image[nameless - 1] += samples;
	}
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
