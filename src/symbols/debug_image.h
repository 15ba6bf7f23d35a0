/** Compressed debug information, unpacked. libdw would do that, too, but takes twice the time. */
#ifndef INFERNO_SYMBOLS_DEBUG_IMAGE_H
#define INFERNO_SYMBOLS_DEBUG_IMAGE_H

#include "symbols/elf.h"

/** Return whether a section of debug information is needed; `lines` tells whether lines are. */
bool debug_is_needed(const char *section, bool lines);

/** Make an ELF file of the debug information that is needed, unpacked. Return false and leave
 * `image` empty if nothing is compressed, or if the file has something that is left to libdw. */
bool debug_image_make(struct buf *image, const struct elf *elf, bool lines);

#endif
