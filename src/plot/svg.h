/** Rectangles to the bytes of an SVG file. */
#ifndef INFERNO_SVG_H
#define INFERNO_SVG_H

#include "base/output.h"
#include "plot/attrs.h"
#include "plot/layout.h"
#include "plot/palette.h"
#include "profile/compared.h"

/** All that is drawn. Text in the options is well-formed UTF-8. */
struct picture {
	const struct plot_options *options;
	const struct layout *layout;
	const struct tree *tree;       // the layout's, all of it
	const struct profile *profile; // for the names
	const struct attrs *attrs;
	const struct pack *pack; // NULL: the profile is not in the file
	bool lean;               // what the pack has and nobody sees is not drawn
	uint64_t total;
	const struct compared *compared; // NULL: it shows one profile
};

void svg_write(struct output *out, const struct picture *picture);

/** Write a small picture that says that there is nothing to draw. */
void svg_write_error(struct output *out, const struct plot_options *options);

#endif
