/**
 * What is particular to a picture of two profiles: every frame is as wide as the larger of its two
 * counts, and its colour, a sign and a pattern say how it changed.
 */
#ifndef INFERNO_PLOT_COMPARE_H
#define INFERNO_PLOT_COMPARE_H

#include "plot/picture.h"
#include "plot/shades.h"

/** Fill the boxes by their change. */
void compare_paint(struct layout *layout, const struct compared *compared);

/** What stands before the label of a box: a sign, or nothing. */
struct str compare_sign(struct fill fill);

/** Write, after the name in a frame's title, its counts and its change. */
void compare_write_title(struct output *out, const struct picture *picture,
			 const struct tree_frame *frame);

/** The heading line: the names of the profiles, their totals, and what counts before are scaled by.
 */
void compare_add_subtitle(struct buf *out, const struct compared *compared);

/** Write the patterns of what shrank, what is new and what is gone, and the rules that use them.
 */
void compare_write_patterns(struct output *out);
void compare_write_rules(struct output *out);

/** Write what the viewer has to know, as attributes, each after the closing quote of another. */
void compare_write_attributes(struct output *out, const struct compared *compared);

#endif
