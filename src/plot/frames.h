/** The part of an SVG file that is as long as the profile is: the frames. */
#ifndef INFERNO_PLOT_FRAMES_H
#define INFERNO_PLOT_FRAMES_H

#include "plot/svg.h"

/** Writes the element with all frames in it. */
void frames_write(struct output *out, const struct picture *picture);

#endif
