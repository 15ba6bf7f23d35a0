/** Compressed debug information, unpacked. libdw would do that, too, but takes twice the time. */
#ifndef INFERNO_SYMBOLS_DEBUG_IMAGE_H
#define INFERNO_SYMBOLS_DEBUG_IMAGE_H

#include "symbols/elf.h"

/** Return whether a section is needed for debug information; `lines` tells whether lines are. The
 * name of another file is not: libdw would open that file. */
bool debug_is_needed(struct str section, bool lines);

/** Return how many bytes libdw takes to unpack the debug information of a file, or, if nothing is
 * compressed, 0. */
uint64_t debug_unpacked_size(const struct elf *elf, bool lines);

/** Make an ELF file of the debug information that is needed, unpacked. Return false and leave
 * `image` empty if nothing is compressed, or if libdw has to unpack a part of it itself. */
bool debug_image_make(struct buf *image, const struct elf *elf, bool lines);

#endif
