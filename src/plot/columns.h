/** The columns of a packed profile: numbers and names, before compression. docs/picture.md has the
 * format. */
#ifndef INFERNO_COLUMNS_H
#define INFERNO_COLUMNS_H

#include "base/buf.h"
#include "plot/choice.h"
#include "plot/palette.h"

struct picture;

/** What is left out. */
struct left_out {
	size_t frames;   // how many
	uint64_t weight; // their counts together
	size_t names;    // how many of their names are left out, too
};

/**
 * Add the columns of a picture's tree, or of what is chosen of it. `offer` is what the choice was
 * made from; if it is NULL, all names go in. `palette` has the colours of names. Set `*left_out`.
 */
void columns_add(struct buf *out, const struct picture *picture, struct palette *palette,
		 const struct choice *choice, const struct offer *offer, struct left_out *left_out);

/** Add a sample of all frames and names, which compresses about as their columns do. Return how
 * large a part of all it is. */
double columns_add_sample(struct buf *out, const struct picture *picture);

/** Add a number, or a text with its length, in the format of packs. */
void columns_add_number(struct buf *out, uint64_t value);
void columns_add_text(struct buf *out, struct str text);

#endif
