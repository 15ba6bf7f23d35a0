/** How good a recording is, in one line: what was lost, what was cut off, what has no name, and
 * what to do about each. */
#ifndef INFERNO_PERFDATA_HEALTH_H
#define INFERNO_PERFDATA_HEALTH_H

#include "perfdata/perfdata.h"

/** Zeroed memory is the start. */
struct health {
	uint64_t frames;
	uint64_t nameless;  // of those
	uint64_t *by_image; // nameless frames, by 1 + the image's id; 0: of no image
	const struct image **images;
	size_t capacity, images_capacity, n;
	uint64_t empty, idle; // samples that were left out
};

/** Return the number to count frames of an image by; NULL: those where nothing is mapped. */
uint32_t health_image(struct health *health, const struct image *image);

/** Count a frame without a name. */
static inline void health_nameless(struct health *health, uint64_t image) {
	health->nameless++;
	health->by_image[image]++;
}

/** Say it: a warning if something is wrong, else a note. Return 0, or -1 after diag_error(). */
int health_say(struct health *health, const struct perfdata *data, const char *name,
	       struct diag *diag);

void health_release(struct health *health);

#endif
