/** Write a picture as an SVG file. */
#ifndef INFERNO_SVG_H
#define INFERNO_SVG_H

#include "base/output.h"
#include "plot/picture.h"

void svg_write(struct output *out, const struct picture *picture);

/** Write a small picture that says that there is nothing to draw. */
void svg_write_error(struct output *out, const struct design *design);

#endif
