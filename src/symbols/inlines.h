/**
 * Inlined functions and source lines from debug information, DWARF 2 to 5. Units are indexed by
 * their ranges, without `.debug_aranges`, since compilers may leave that out. The functions of a
 * unit are indexed when the first address in it is looked up.
 */
#ifndef INFERNO_SYMBOLS_INLINES_H
#define INFERNO_SYMBOLS_INLINES_H

#include "symbols/file.h"

enum { INLINES_MOST = 128 };

struct inline_frame {
	struct str name; // mangled if the debug information has it mangled; empty: not known
	struct str file;
	struct str dir; // of the file, if that is a relative path
	uint32_t line, column;
};

struct inlines;

/** Open the debug information of a file, which is borrowed until inlines_free(). `options` tell
 * whether lines will be asked for, and where further files are. Return NULL if there is none, or if
 * libdw cannot be loaded. `missing` tells about libdw, and about parts in files that are not here.
 */
struct inlines *inlines_open(const struct symbols_options *options, const struct file *file,
			     struct symbols_missing *missing);
/** Return whether libdw ran out of memory since the last call, and so left something out. */
bool inlines_lack_memory(void);

void inlines_free(struct inlines *inlines);

/**
 * Put the functions at an address into `frames`, innermost first: inlined functions, then the one
 * that holds the address. Return how many; 0 if nothing is known. `frames` has room for
 * INLINES_MOST. With `lines`, files and lines are filled in. Texts live until inlines_free().
 */
size_t inlines_at(struct inlines *inlines, uint64_t address, bool lines,
		  struct inline_frame *frames);

#endif
