/** Write a picture as an SVG file. */
#ifndef INFERNO_SVG_H
#define INFERNO_SVG_H

#include "base/output.h"
#include "picture/picture.h"

void svg_write(struct output *out, const struct picture *picture);

/** Write the picture as an element of an HTML page, without its style and its script. */
void svg_write_in_page(struct output *out, const struct picture *picture);

/** Write the rules of the picture's style sheet. */
void svg_write_rules(struct output *out, const struct design *design);

/** Write a small picture that says that there is nothing to draw. */
void svg_write_error(struct output *out, const struct design *design);

#endif
