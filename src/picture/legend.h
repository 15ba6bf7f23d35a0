/** The legend of a picture: what colours and patterns say. */
#ifndef INFERNO_LEGEND_H
#define INFERNO_LEGEND_H

#include "base/output.h"
#include "picture/picture.h"

/** Write the legend at the foot of a picture, if its colours say something and there is room. If it
 * is not `shown`, only the viewer's list of keys has it. */
void legend_write(struct output *out, const struct picture *picture, bool shown);

#endif
