/** The legend of a picture: the meanings of its colours and patterns. */
#pragma once

#include "base/output.h"
#include "picture/picture.h"

/** Write the legend at the foot of a picture, if its colours have meanings and there is room. If
 * `shown` is false, only the viewer's list of keys has the legend. */
void legend_write(struct output *out, const struct picture *picture, bool shown);
