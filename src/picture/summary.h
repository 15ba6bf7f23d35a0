/** The picture in a sentence or two, for screen readers and readers of the file. */
#pragma once

#include "base/output.h"
#include "picture/picture.h"

/** Write the total, and the functions with the highest self counts, as escaped text. */
void summary_write(struct output *out, const struct picture *picture);
