/**
 * The parts that only a picture of two profiles has. Every frame is as wide as the larger of its
 * two counts. A colour, a sign and a pattern show its change.
 */
#pragma once

#include "base/output.h"
#include "picture/picture.h"
#include "picture/theme.h"

/** Return the fill of a frame by its change. */
struct fill compare_fill(const struct picture *picture, const struct call_item *frame);

/** Set the fill of every box by its change. */
void compare_paint(struct layout *layout, const struct picture *picture);

/** Return the sign before the label of a box; or an empty text if it did not change. */
struct str compare_sign(struct fill fill);

/** Write the counts and the change of a frame, in the form in which they follow the name in the
 * frame's title. */
void compare_write_title(struct output *out, const struct picture *picture,
			 const struct call_item *frame);

/** Add the totals of both profiles; the total before is scaled. */
void compare_add_totals(struct buf *out, const struct picture *picture);

/** Add the names of both profiles, as the title of a page; or nothing, if they have no names. */
void compare_add_names(struct buf *out, const struct compared *compared);

/** Add the subtitle: the names of the profiles, their totals, and the scale of counts before. */
void compare_add_subtitle(struct buf *out, const struct compared *compared,
			  const struct unit *unit);

/** Write the patterns of frames that grew, shrank, are new or are gone. join.py makes the style
 * rules that use the patterns. */
void compare_write_patterns(struct output *out);

/** Write the attributes for the viewer. Each attribute begins with the closing quote of the
 * previous one. */
void compare_write_attributes(struct output *out, const struct picture *picture);
