/** The look and the texts of a picture, apart from its frames, computed from the options. */
#pragma once

#include "picture/options.h"
#include "picture/rgb.h"

/** Lengths and fonts. */
struct measures {
	uint64_t width, margin; // px; the margin is left and right of the frames
	bool fluid;             // whether the viewer makes the picture as wide as the window
	double least_percent;   // share of the whole, in per cent; narrower frames are left out
	uint64_t row;           // px from a frame to its caller
	double font_size;       // px
	uint64_t text_height;   // font size in whole px, for the positions of lines of text
	const char *font;       // NULL: the system's monospaced font
	double font_width;      // width of a character, as a share of the font size
	bool truncate_text_right;
};

/** Colours. Frames have the shades of theme.h if `shaded` is set. Otherwise, the members from
 * `colors` to `negate`, which are options, choose their colours. */
struct colouring {
	bool shaded;
	unsigned colors; // an index in palette_names
	bool hash, deterministic, cp, colordiffusion, negate;

	bool adapts; // whether the picture is dark if the browser prefers dark colours
	bool flat;   // whether the page has the colour of the style instead of `background`
	struct gradient background;
	struct rgb text, search;
	bool has_stroke;
	struct rgb stroke;
};

/** The design of a picture. design_of() makes the design, which does not change afterwards, and
 * which borrows texts from the options. */
struct design {
	bool modern;            // --style
	bool is_page;           // whether the picture is in an HTML page
	bool compares;          // whether it shows two profiles
	bool inverted, reverse; // whether the root is at the top; whether stacks are reversed
	bool unsorted;          // whether callees are in the order of the input, not of names

	const char *title, *subtitle; // title and subtitle; subtitle NULL: none
	const char *notes, *countname, *nametype;
	bool keeps_countname; // whether `countname` is used even if the profile has a unit
	double factor;        // factor of all counts that are shown

	struct measures size;
	struct colouring colours;

	unsigned data;          // a value of enum picture_data
	const char *source_url; // template of links to sources, for pages; NULL: none
	struct opt_list frame_notes;
	const char *encoding; // encoding to declare; NULL: none
	bool pretty_xml, no_javascript;
};

/** Return whether the picture has the modern style. */
bool design_is_modern(const struct graph_options *graph, bool is_page);

/** Make the design of a picture. `given` says which options the user gave. */
struct design design_of(const struct picture_options *picture, const struct graph_options *graph,
			const struct opt_set *given, bool is_page, bool compares);

/** Return a count as it is shown: multiplied by --factor, and rounded. */
uint64_t design_count(const struct design *design, uint64_t count);
