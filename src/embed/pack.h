/**
 * Pack the whole profile for the viewer, with a few bytes for each frame: the tree in preorder, as
 * columns, compressed, in base64. docs/picture.md has the format.
 */
#pragma once

#include "base/buf.h"
#include "base/output.h"
#include "embed/columns.h"

struct picture;

struct pack {
	struct buf bytes; // bytes for the file, before base64; empty: the file does not contain the
			  // profile
	bool deflated;
	struct choice choice; // the part of the tree that is in the pack
	struct left_out left_out;
};

/** Pack a drawn picture's tree, or as much of it as --data allows, into a zeroed pack. Compress in
 * two threads if `threads` is above 1. The picture's palette has the colours of undrawn frames. */
void pack_build(struct pack *pack, struct picture *picture, size_t threads);

/** Add a note on the frames that were left out, if there are any. */
void pack_add_note(struct buf *text, const struct pack *pack, const struct picture *picture);

/** Write the element that holds the pack. */
void pack_write(struct output *out, const struct pack *pack, const struct picture *picture);

void pack_release(struct pack *pack);
