/** What the user wants of a picture; filled by the option table in flamegraph.c. */
#ifndef INFERNO_PLOT_OPTIONS_H
#define INFERNO_PLOT_OPTIONS_H

#include "base/opt.h"

/** The values of --data, in the order of its choices. */
enum plot_data {
	DATA_AUTO,    // all frames, or as many as fit into a few megabytes
	DATA_FULL,    // all frames
	DATA_VISIBLE, // those that are drawn
	DATA_NONE,
};

/** The values of --style, in the order of its choices. */
enum plot_style {
	STYLE_CLASSIC, // as people know it
	STYLE_MODERN,
};

struct plot_options {
	unsigned style; // of enum plot_style
	bool compares;  // two profiles; not an option

	// which stacks, and how they are arranged
	struct opt_list base;
	bool inverted, reverse, flamechart, no_sort;
	uint64_t total; // 0: the sum of the counts
	const char *minwidth;

	// words
	const char *title, *subtitle,
		*notes; // title NULL: by the kind of graph; subtitle NULL: none
	const char *countname, *nametype;
	double factor;
	const char *nameattr;

	// measures
	uint64_t width; // 0: fluid, drawn at the default
	uint64_t height, fontsize;
	const char *fonttype; // NULL: whatever monospaced font there is
	double fontwidth;
	bool truncate_text_right;

	// colours; shaded: those of shades.h, since no others were asked for; those that are text
	// are "#rrggbb"; bgcolors NULL: by palette; uicolor NULL: black
	bool shaded;
	unsigned colors; // an index in palette_names
	const char *bgcolors;
	bool hash, deterministic, random, cp, colordiffusion, negate;
	const char *search_color, *stroke_color, *uicolor;

	// the file
	unsigned data; // of enum plot_data
	const char *encoding;
	bool pretty_xml, no_javascript;
};

#endif
