/** The driver: inputs in blocks, a format, threads, one set of stacks. */
#ifndef INFERNO_COLLAPSE_H
#define INFERNO_COLLAPSE_H

#include "collapse/collapser.h"

/** All formats, in the order of src/meson.build; NULL behind the last. */
extern const struct collapser *const collapse_formats[];

struct collapse {
	const struct collapser *format; // NULL: guess, for each input by itself
	const void *options;            // of the format; NULL: its defaults
	const struct collapser
		*otherwise; // taken when no format is recognised; NULL: that is an error
	unsigned threads;   // at least 1
	struct diag *diag;
};

/** Reads the sources one after another into `stacks`. Returns 0, or -1 after diag_error(). */
int collapse_sources(const struct collapse *collapse, const struct source *sources, size_t n,
		     struct stacks *stacks);

#endif
