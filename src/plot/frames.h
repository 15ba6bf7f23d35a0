/** The part of an SVG file that is as long as the profile is: the frames. */
#ifndef INFERNO_PLOT_FRAMES_H
#define INFERNO_PLOT_FRAMES_H

#include "base/output.h"
#include "plot/picture.h"

/** Write what --nameattr gives to a function as attributes, each after a blank. */
void frames_write_attrs(struct output *out, const struct function_attrs *function);

/** Write the element with all frames in it. */
void frames_write(struct output *out, const struct picture *picture);

#endif
