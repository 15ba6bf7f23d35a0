/**
 * The whole profile in a few bytes a frame, for the viewer to draw from: the tree in preorder as
 * columns, deflated, in base64. docs/picture.md has the format.
 */
#ifndef INFERNO_PACK_H
#define INFERNO_PACK_H

#include "base/buf.h"
#include "base/output.h"
#include "embed/columns.h"

struct picture;

struct pack {
	struct buf bytes; // the bytes for the file, before base64; none: the profile is not in it
	bool deflated;
	struct choice choice; // what of the tree is in it; frames that were left out count less
	struct left_out left_out;
};

/** Pack a drawn picture's tree, or as much of it as --data allows, into a zeroed pack. `threads`
 * may compress it; 0: one. The picture's palette has the colours of frames that are not drawn. */
void pack_build(struct pack *pack, struct picture *picture, size_t threads);

/** Add a note on the frames that were left out, if there are any. */
void pack_add_note(struct buf *text, const struct pack *pack, const struct picture *picture);

/** Write the element that holds the pack. */
void pack_write(struct output *out, const struct pack *pack, const struct picture *picture);

void pack_release(struct pack *pack);

#endif
