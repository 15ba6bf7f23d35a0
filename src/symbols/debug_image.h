/**
 * Unpack compressed debug information. libdw can unpack it, too, but takes twice as long.
 */
#pragma once

#include "symbols/elf.h"

/** Return whether a section is needed to read debug information. `lines` says whether source lines
 * are needed. A section that names another file is not needed, because libdw would open that
 * file. */
bool debug_is_needed(struct str section, bool lines);

/** Return how many bytes of memory libdw takes to unpack the debug information of a file. Return 0
 * if nothing is compressed. */
uint64_t debug_unpacked_size(const struct elf *elf, bool lines);

/** Make an ELF file with the needed sections of debug information, unpacked. Return false and leave
 * `image` empty if nothing is compressed, or if this code cannot unpack some section. */
bool debug_image_make(struct buf *image, const struct elf *elf, bool lines);
