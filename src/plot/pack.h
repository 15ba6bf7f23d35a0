/**
 * The whole profile in a few bytes a frame, for the viewer to draw from: the tree in preorder as
 * columns, deflated, in base64. docs/picture.md has the format.
 */
#ifndef INFERNO_PACK_H
#define INFERNO_PACK_H

#include "base/buf.h"
#include "plot/choice.h"
#include "plot/palette.h"

struct picture;

struct pack {
	struct buf bytes; // what goes into the file, before base64; none: the profile is not in it
	bool deflated;
	struct choice choice; // what of the tree is in it
	uint64_t least;       // all frames that were left out count less
	uint64_t left_out;    // how many frames were left out
	uint64_t weight;      // their counts together
	size_t unnamed;       // how many of their names were left out, too
};

/**
 * Pack as much of the picture's tree as --data asks for, into a zeroed pack. `drawn` is the least
 * count of a drawn frame. `palette` has the colours of frames that are not drawn.
 */
void pack_build(struct pack *pack, const struct picture *picture, struct palette *palette,
		uint64_t drawn);

/** Write the element that holds the pack. */
void pack_write(struct output *out, const struct picture *picture);

/** Add a number, or a text with its length, in the format of packs. */
void pack_add_number(struct buf *out, uint64_t value);
void pack_add_text(struct buf *out, struct str text);

void pack_release(struct pack *pack);

#endif
