/**
 * Find inlined functions and source lines in debug information, DWARF 2 to 5. Units are indexed by
 * their address ranges. The section `.debug_aranges` is not used, because compilers may leave it
 * out. The functions of a unit are indexed when the first address in the unit is looked up.
 */
#pragma once

#include "symbols/file.h"

enum { INLINES_MOST = 128 };

struct inline_frame {
	struct str name; // name as in the debug information, perhaps mangled; empty: not known
	struct str file;
	struct str dir; // folder of the file, if the path of the file is relative
	uint32_t line, column;
};

struct inlines;

/** Open the debug information of a file. The file is borrowed until inlines_free(). `options` say
 * whether lines are needed, and where to search for separate debug files. Return NULL if there is
 * no debug information, if it is too large, or if libdw cannot be loaded. If libdw or a file with a
 * part of the debug information is missing, note this in `missing`. */
struct inlines *inlines_open(const struct symbols_options *options, const struct file *file,
			     struct symbols_missing *missing);
/** Return whether libdw has run out of memory since the last call, so that data was left out. */
bool inlines_lack_memory(void);

void inlines_free(struct inlines *inlines);

/**
 * Put the functions at an address into `frames`, innermost first: inlined functions, then the
 * function that contains the address. Return the number of functions, or 0 if nothing is known.
 * `frames` must have room for INLINES_MOST items. If `lines` is set, fill in files and lines, too.
 * Texts are valid until inlines_free().
 */
size_t inlines_at(struct inlines *inlines, uint64_t address, bool lines,
		  struct inline_frame *frames);
