/**
 * Unpack compressed debug information. libdw can decompress sections, too, but takes twice the
 * time.
 */
#ifndef INFERNO_SYMBOLS_DEBUG_IMAGE_H
#define INFERNO_SYMBOLS_DEBUG_IMAGE_H

#include "symbols/elf.h"

/** Return whether a section is needed for debug information; `lines` tells whether lines are
 * needed. A section that names another file is not needed, because libdw would open that file. */
bool debug_is_needed(struct str section, bool lines);

/** Return the memory that libdw takes to unpack the debug information of a file. Return 0 if
 * nothing is compressed. */
uint64_t debug_unpacked_size(const struct elf *elf, bool lines);

/** Make an ELF file of the debug information that is needed, unpacked. Return false and leave
 * `image` empty if nothing is compressed, or if only libdw can unpack some part of it. */
bool debug_image_make(struct buf *image, const struct elf *elf, bool lines);

#endif
