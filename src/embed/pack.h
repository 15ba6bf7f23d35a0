/**
 * The whole profile in a few bytes a frame, for the viewer to draw from: the tree in preorder as
 * columns, deflated, in base64. docs/picture.md has the format.
 */
#ifndef INFERNO_PACK_H
#define INFERNO_PACK_H

#include "base/buf.h"
#include "embed/columns.h"

struct picture;

struct pack {
	struct buf bytes; // what goes into the file, before base64; none: the profile is not in it
	bool deflated;
	struct choice choice; // what of the tree is in it; frames that were left out count less
	struct left_out left_out;
};

/**
 * Pack as much of the picture's tree as --data asks for, into a zeroed pack. `drawn` is the least
 * count of a drawn frame. `palette` has the colours of frames that are not drawn.
 */
void pack_build(struct pack *pack, const struct picture *picture, struct palette *palette,
		uint64_t drawn);

/** Write the element that holds the pack. */
void pack_write(struct output *out, const struct picture *picture);

void pack_release(struct pack *pack);

#endif
