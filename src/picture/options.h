/** The options of pictures, as the user gave them. picture/design.h has the values that are
 * computed from them. */
#pragma once

#include "base/opt.h"

enum { LEAST_WIDTH = 21 }; // least width of a picture, in px

/** The values of --data, in the order of its choices. */
enum picture_data {
	DATA_AUTO,    // all frames, or as many as fit into a few megabytes
	DATA_FULL,    // all frames
	DATA_VISIBLE, // only the drawn frames
	DATA_NONE,
};

/** The values of --style, in the order of its choices. */
enum picture_style {
	STYLE_CLASSIC, // the traditional style
	STYLE_MODERN,
};

/** The options of every picture. Colours are "#rrggbb". */
struct picture_options {
	const char *title, *subtitle; // title; NULL: the kind of graph gives the title
	const char *notes, *countname, *nametype;
	const char *minwidth;
	bool inverted, truncate_text_right;
	uint64_t width; // 0: fluid
	uint64_t height;
	double fontsize;
	const char *fonttype;
	double fontwidth;
	const char *bgcolors, *search_color, *stroke_color, *uicolor; // NULL: not given
	unsigned data;               // a value of enum picture_data
	const char *source_url;      // template of links to sources, for pages; NULL: none
	bool with_lines;             // for pages: whether they contain source lines
	struct opt_list frame_notes; // for pages: REGEX=TEXT
	const char *encoding;
	bool pretty_xml, no_javascript;
};

/** The options of the command line that set struct picture_options. */
extern const struct opt picture_rows[];

/** The colours of frames, for pictures that use neither the style's own colours nor the colours of
 * changes. */
struct colour_options {
	unsigned colors; // an index in palette_names
	bool hash, deterministic, random, cp, colordiffusion;
	const char *nameattr;
};

/** The options of the command line that set struct colour_options. */
extern const struct opt colour_rows[];

/** Further options of a picture of one profile. */
struct graph_options {
	bool flamechart, no_sort, health, negate;
	uint64_t total;
	double factor;
	unsigned style; // a value of enum picture_style
};

/** The options of the command line that set struct graph_options. */
extern const struct opt graph_rows[];

/** Read a value of --minwidth: per cent of the whole, with or without `%`, or pixels, with `px`.
 * Return false for any other text. */
bool minwidth_parse(const char *text, double *value, bool *is_pixels);
