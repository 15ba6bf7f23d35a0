/**
 * Write a picture as an SVG file. The caller calls svg_write_declaration(), except in a page, then
 * svg_write_head() and svg_write_body(), and writes the end tag. Before and after svg_write_body(),
 * it may write further elements.
 */
#pragma once

#include "base/output.h"
#include "picture/picture.h"

/** Write the lines before the outermost element. */
void svg_write_declaration(struct output *out, const struct design *design);

/** Write the start tag of the outermost element, and the title and description of the picture. */
void svg_write_head(struct output *out, const struct picture *picture);

/** Write the visible parts: background, texts, frames. */
void svg_write_body(struct output *out, const struct picture *picture);

/** Begin a line, and if the options ask for it, indent it for an element inside `depth` others. */
void svg_start_line(struct output *out, const struct design *design, unsigned depth);

/** Write those rules of the style sheet that depend on options. */
void svg_write_rules(struct output *out, const struct design *design);

/** Write a small picture with the message that there is nothing to draw. */
void svg_write_error(struct output *out, const struct design *design);
