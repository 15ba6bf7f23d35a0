/**
 * Inlined functions and source lines from debug information, DWARF 2 to 5, by an index of our own:
 * of units by their ranges, and of functions inside a unit when its first address is asked for.
 * Compilers may leave `.debug_aranges` out, so it is not used.
 */
#ifndef INFERNO_SYMBOLS_INLINES_H
#define INFERNO_SYMBOLS_INLINES_H

#include "base/str.h"

enum { INLINES_MOST = 128 };

struct inline_frame {
	struct str name; // mangled if the debug information has it so; empty: not known
	struct str file;
	uint32_t line, column;
};

struct inlines;

/** Open the debug information of a file. Return NULL if it has none, or, setting `*missing`, if
 * libdw cannot be loaded. */
struct inlines *inlines_open(const char *path, bool *missing);
void inlines_free(struct inlines *inlines);

/**
 * Return how many functions are at an address, innermost first: inlined ones, then the one that
 * holds the address; 0 if nothing is known of it. `frames` has room for INLINES_MOST. With `lines`
 * files and lines are filled in. Texts live until inlines_free().
 */
size_t inlines_at(struct inlines *inlines, uint64_t address, bool lines,
		  struct inline_frame *frames);

#endif
