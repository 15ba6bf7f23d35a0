/** The colour of a frame, by its name, width or difference. */
#pragma once

#include "picture/layout.h"
#include "picture/palette_map.h"

/** The values of --colors; ended by NULL. */
extern const char *const palette_names[];

/** Return whether the palette with that index marks the frames of a waker. */
bool palette_has_wakers(unsigned palette);

/** Read a value of --bgcolors. Return false if the value is not valid. */
bool gradient_parse(const char *text, struct gradient *gradient);

/** Return the background of the palette with that index. */
struct gradient palette_background(unsigned palette);

/** A zeroed palette is empty. */
struct palette {
	const struct design *design;
	uint64_t random; // state of the generator
	struct palette_map map;
};

/** Read palette.map, if --cp is given and it exists. Return 0, or -1 after diag_error(). */
int palette_init(struct palette *palette, const struct design *design, struct diag *diag);

/** Colour the boxes, in their order, except for boxes narrower than `least_drawn` per cent. The
 * boxes show frames of the tree. */
void palette_paint(struct palette *palette, struct layout *layout, const struct profile *profile,
		   const struct tree *tree, double least_drawn);

/**
 * Return the fill of frames with a name, for frames that are drawn only after a zoom. If colours
 * are random, the colour is one of a few, chosen by the index of the name in the pack.
 */
struct fill palette_of_name(struct palette *palette, struct str name, size_t place);

enum { MEANINGS_MOST = 6 };

/** The meaning of a frame's colour. */
struct palette_meaning {
	struct fill fill;
	const char *text;
};

/** Set the meanings of the palette's colours. Return the number of meanings: 0 if the colours have
 * no meanings. */
size_t palette_meanings(const struct palette *palette,
			struct palette_meaning meanings[static MEANINGS_MOST]);

/** Write palette.map, if --cp is given. Return 0, or -1 after diag_error(). */
int palette_save(struct palette *palette, struct diag *diag);

void palette_release(struct palette *palette);
