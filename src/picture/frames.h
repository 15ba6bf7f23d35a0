/** The frames of an SVG file, the part that grows with the profile. */
#pragma once

#include "base/output.h"
#include "picture/picture.h"

/** Write the attributes that --nameattr gives to a function, each after a blank. */
void frames_write_attrs(struct output *out, const struct function_attrs *function);

/** Write the element with all frames in it. */
void frames_write(struct output *out, const struct picture *picture);
