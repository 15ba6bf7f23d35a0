/* Writes a picture as SVG: the document around the frames. */
#include "picture/svg.h"

#include <math.h>

#include "base/num.h"
#include "base/utf8.h"
#include "picture/compare.h"
#include "picture/escape.h"
#include "picture/frames.h"
#include "picture/legend.h"
#include "picture/summary.h"

static void svg_add(struct output *out, const char *text) {
	output_add_text(out, text);
}

static void svg_add_rgb(struct output *out, struct rgb colour) {
	char text[RGB_MAX];
	output_add(out, text, rgb_format(text, colour));
}

/** Add a number with all its digits. */
static void svg_add_exact(struct output *out, double value) {
	char digits[NUM_EXACT_MAX];
	output_add(out, digits, num_format_exact(digits, value));
}

void svg_start_line(struct output *out, const struct design *design, unsigned depth) {
	output_add_char(out, '\n');
	for (unsigned i = 0; design->pretty_xml && i < depth; i++) {
		svg_add(out, "    ");
	}
}

void svg_write_declaration(struct output *out, const struct design *design) {
	svg_add(out, "<?xml version=\"1.0\"");
	if (design->encoding != NULL) {
		svg_add(out, " encoding=\"");
		svg_add(out, design->encoding); // the declared encoding is a spelling of UTF-8
		svg_add(out, "\"");
	}
	svg_add(out, " standalone=\"no\"?>\n"
		     "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" "
		     "\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n");
}

/** Write the classes by which the style sheet and the viewer know the kind of picture. */
static void svg_write_class(struct output *out, const struct design *design) {
	const char *const classes[] = {
		design->modern ? " modern" : "", design->colours.adapts ? " adapts" : "",
		design->compares ? " compared" : "",
		design->is_page && design->colours.has_stroke ? " stroked" : ""};
	const char *between = "\" class=\"";
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (*classes[i] != '\0') {
			svg_add(out, between);
			svg_add(out, classes[i] + 1);
			between = " ";
		}
	}
}

static void svg_write_font(struct output *out, const char *family) {
	if (family == NULL) {
		svg_add(out, "ui-monospace, SFMono-Regular, Menlo, Consolas, \"DejaVu Sans Mono\", "
			     "monospace");
		return;
	}
	static const char *const generic[] = {"cursive", "fantasy", "monospace", "serif",
					      "sans-serif"};
	for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++) {
		if (strcmp(family, generic[i]) == 0) {
			svg_add(out, family);
			return;
		}
	}
	escape_css(out, str_of(family));
}

/** In a page, write attributes instead of the rules of svg_write_rules(), because options must not
 * change the style sheets of a page. In a file, write only the font, in case styles are blocked. */
static void svg_write_look(struct output *out, const struct design *design) {
	if (design->is_page) {
		svg_add(out, "\" font-family='");
		svg_write_font(out, design->size.font);
		svg_add(out, "' font-size=\"");
	} else {
		svg_add(out, "\" font-family=\"monospace\" font-size=\"");
	}
	svg_add_exact(out, design->size.font_size);
	if (design->is_page && design->colours.has_stroke) {
		svg_add(out, "\" color=\"");
		svg_add_rgb(out, design->colours.stroke);
	}
}

/** Write the start of the outermost element and the comments in it. */
static void svg_write_tag(struct output *out, const struct design *design, uint64_t height,
			  bool has_frames) {
	svg_add(out, "<svg version=\"1.1\" width=\"");
	output_add_u64(out, design->size.width);
	svg_add(out, "\" height=\"");
	output_add_u64(out, height);
	svg_add(out, "\" viewBox=\"0 0 ");
	output_add_u64(out, design->size.width);
	output_add_char(out, ' ');
	output_add_u64(out, height);
	if (has_frames) {
		svg_add(out,
			design->no_javascript || design->is_page ? "" : "\" onload=\"init(evt)");
		svg_write_class(out, design);
		svg_add(out, "\" role=\"img"); // the viewer changes this role to a group
		svg_write_look(out, design);
	}
	svg_add(out, "\" xmlns=\"http://www.w3.org/2000/svg\" "
		     "xmlns:xlink=\"http://www.w3.org/1999/xlink\""
		     " xmlns:fg=\"http://github.com/jonhoo/inferno\">");
	svg_start_line(out, design, 1);
	svg_add(out, "<!-- A flame graph: each box is a function in a stack, as wide as its count. "
		     "Drawn by inferno. -->");
	svg_start_line(out, design, 1);
	svg_add(out, "<!-- NOTES: ");
	escape_comment(out, str_of(design->notes));
	svg_add(out, " -->");
}

static void svg_write_stop(struct output *out, const struct design *design, const char *offset,
			   struct rgb colour) {
	char hex[RGB_MAX];
	svg_start_line(out, design, 3);
	svg_add(out, "<stop offset=\"");
	svg_add(out, offset);
	svg_add(out, "\" stop-color=\"");
	output_add(out, hex, rgb_format_hex(hex, colour));
	svg_add(out, "\"/>");
}

static void svg_write_background(struct output *out, const struct design *design) {
	svg_start_line(out, design, 1);
	svg_add(out, "<defs>");
	svg_start_line(out, design, 2);
	svg_add(out, "<linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">");
	svg_write_stop(out, design, "5%", design->colours.background.first);
	svg_write_stop(out, design, "95%", design->colours.background.second);
	svg_start_line(out, design, 2);
	svg_add(out, "</linearGradient>");
	svg_start_line(out, design, 1);
	svg_add(out, "</defs>");
}

static void svg_write_page(struct output *out, const struct design *design) {
	svg_start_line(out, design, 1);
	svg_add(out, design->colours.flat ? "<rect class=\"page\"" : "<rect");
	svg_add(out, " x=\"0\" y=\"0\" width=\"100%\" height=\"100%\" fill=\"");
	if (design->colours.flat) {
		char hex[RGB_MAX];
		output_add(out, hex, rgb_format_hex(hex, shade_page.light));
	} else {
		svg_add(out, "url(#background)");
	}
	svg_add(out, "\"/>");
}

static double svg_title_size(const struct design *design) {
	enum { LARGER = 5, MODERN_LARGER = 3 };
	return design->size.font_size + (design->modern ? MODERN_LARGER : LARGER);
}

void svg_write_rules(struct output *out, const struct design *design) {
	svg_add(out, "text { font-family: ");
	svg_write_font(out, design->size.font);
	svg_add(out, "; font-size: ");
	svg_add_exact(out, design->size.font_size);
	svg_add(out, "px; }\n#title { font-size: ");
	svg_add_exact(out, svg_title_size(design));
	svg_add(out, "px; }\n");
	// colour the area below a picture that is less tall than the window
	if (!design->colours.flat) {
		char hex[RGB_MAX];
		svg_add(out, "svg:root { background: ");
		output_add(out, hex, rgb_format_hex(hex, design->colours.background.second));
		svg_add(out, "; }\n");
	}
	if (design->colours.has_stroke) {
		svg_add(out, "#frames rect { stroke: ");
		svg_add_rgb(out, design->colours.stroke);
		svg_add(out, "; stroke-width: 1; }\n");
	}
}

enum anchor {
	ANCHOR_START,
	ANCHOR_MIDDLE,
	ANCHOR_END,   // the text ends at x; the viewer moves it with the width of the picture
	ANCHOR_RIGHT, // the text ends at the right edge at any width
};

/** A text of the picture, apart from labels of frames. */
struct caption {
	const char *id, *class; // id and class; class NULL: none
	enum anchor anchor;
	uint64_t x, y; // position in px; only ANCHOR_START and ANCHOR_END use x
	bool coloured; // whether --uicolor sets its colour
	const char *text;
	uint64_t shift;  // distance in px to move it to the left
	bool is_control; // whether only the viewer shows it, because it would do nothing without a
			 // script
};

/** Return the number of characters of a caption that fit into the picture, if the caption is a
 * heading. For any other caption, return SIZE_MAX. */
static size_t svg_room_for(const struct design *design, const struct caption *caption) {
	enum { KEPT = 40 }; // a short heading is kept, as other programs may look for it
	bool is_title = strcmp(caption->id, "title") == 0;
	if (!is_title && strcmp(caption->id, "subtitle") != 0) {
		return SIZE_MAX;
	}
	double character = design->size.font_width *
			   (is_title ? svg_title_size(design) : design->size.font_size);
	double room = (double)(design->size.width - 2 * design->size.margin) / character;
	return (size_t)fmax(room, KEPT);
}

/** Write the rest of an element: its text. If the text is too long, leave out its middle, and write
 * the whole text as an attribute for the viewer. */
static void svg_write_text(struct output *out, struct str text, size_t room) {
	if (text.n <= room || utf8_count(text) <= room) {
		svg_add(out, ">");
		escape_xml(out, text);
		return;
	}
	size_t tail = (room - 1) / 2;
	svg_add(out, " data-text=\"");
	escape_xml(out, text);
	svg_add(out, "\">");
	escape_xml(out, str_to(text, utf8_prefix(text, room - 1 - tail)));
	svg_add(out, "\xe2\x80\xa6");
	escape_xml(out, str_from(text, utf8_prefix(text, utf8_count(text) - tail)));
}

static void svg_write_caption(struct output *out, const struct design *design,
			      const struct caption *caption) {
	svg_start_line(out, design, 1);
	svg_add(out, "<text id=\"");
	svg_add(out, caption->id);
	svg_add(out, "\"");
	if (caption->class != NULL) {
		svg_add(out, " class=\"");
		svg_add(out, caption->class);
		svg_add(out, "\"");
	}
	svg_add(out, " x=\"");
	if (caption->anchor == ANCHOR_MIDDLE) {
		svg_add(out, "50.0000%\" text-anchor=\"middle");
	} else if (caption->anchor == ANCHOR_RIGHT) {
		svg_add(out, "100%\" text-anchor=\"end");
	} else {
		output_add_u64(out, caption->x);
		svg_add(out, caption->anchor == ANCHOR_END ? "\" text-anchor=\"end" : "");
	}
	if (caption->shift > 0) {
		svg_add(out, "\" transform=\"translate(-");
		output_add_u64(out, caption->shift);
		svg_add(out, ")");
	}
	svg_add(out, "\" y=\"");
	output_add_u64(out, caption->y);
	svg_add(out, ".00\"");
	if (caption->coloured) {
		svg_add(out, " fill=\"");
		svg_add_rgb(out, design->colours.text);
		svg_add(out, "\"");
	}
	if (design->is_page && strcmp(caption->id, "title") == 0) {
		svg_add(out, " font-size=\"");
		svg_add_exact(out, svg_title_size(design));
		svg_add(out, "\"");
	}
	svg_add(out, caption->is_control ? " visibility=\"hidden\"" : "");
	svg_write_text(out, str_of(caption->text), svg_room_for(design, caption));
	svg_add(out, "</text>");
}

/** Return the width of a control with its gap, in px, but at most the width of the picture. */
static uint64_t svg_room_of(const struct design *design, const char *text) {
	double room = (double)(strlen(text) + 2) * design->size.font_size * design->size.font_width;
	return (uint64_t)fmin(room, (double)design->size.width);
}

/** Place the case toggle to the left of the longest text of the search control. */
static void svg_place_classic(const struct design *design, struct caption *ignorecase) {
	uint64_t search = svg_room_of(design, "Reset Search");
	ignorecase->x = search < ignorecase->x ? ignorecase->x - search : 0;
}

/** Place the controls for --style=modern: all on the right, because the title is on the left. */
static void svg_place_modern(const struct design *design, struct caption *unzoom,
			     struct caption *self, struct caption *search) {
	unzoom->anchor = ANCHOR_RIGHT;
	search->shift = svg_room_of(design, "ic");
	self->shift = search->shift + svg_room_of(design, "Reset Search");
	unzoom->shift = design->size.margin + self->shift;
	unzoom->shift += self->text == NULL ? 0 : svg_room_of(design, self->text);
}

/** Add notes on the data: its quality, and the frames that were left out. */
static void svg_add_foot(struct buf *text, const struct picture *picture) {
	const struct design *design = &picture->design;
	const double spare = 0.94; // many fonts are wider than --fontwidth says
	double room = spare * (double)(design->size.width - 2 * design->size.margin);
	buf_add_str(text, buf_str(&picture->left_out));
	buf_add_text(text, text->n > 0 && picture->remarks.n > 0 ? " - " : "");
	utf8_repair(text, picture->remarks);
	size_t fits = utf8_prefix(
		buf_str(text), (size_t)(room / design->size.font_size / design->size.font_width));
	if (picture->remarks.n > 0 && fits < text->n) {
		text->n = fits;
		buf_add_text(text, "...");
	}
}

static void svg_write_captions(struct output *out, const struct picture *picture) {
	const struct design *design = &picture->design;
	const struct layout *layout = &picture->layout;
	uint64_t left = design->size.margin, right = design->size.width - left;
	uint64_t controls_y = layout->controls_y;
	enum anchor heading = design->modern ? ANCHOR_START : ANCHOR_MIDDLE;
	struct caption unzoom = {"unzoom",     "hide", ANCHOR_START, left, controls_y, true,
				 "Reset Zoom", 0,      true};
	struct caption search = {"search", NULL,     ANCHOR_END, right, controls_y,
				 true,     "Search", 0,          true};
	struct caption ignorecase = {"ignorecase", NULL, ANCHOR_END, right, controls_y,
				     true,         "ic", 0,          true};
	struct caption self = {"own", NULL, ANCHOR_END, right, controls_y, true, NULL, 0, true};
	if (picture->compared != NULL && picture->has_profile && design->colours.shaded) {
		self.text = "self change";
	}
	if (design->modern) {
		svg_place_modern(design, &unzoom, &self, &search);
	} else {
		svg_place_classic(design, &ignorecase);
	}
	struct buf foot = {0};
	svg_add_foot(&foot, picture);
	const struct caption captions[] = {
		{"title", NULL, heading, left, layout->title_y, true, design->title, 0, false},
		{"subtitle", NULL, heading, left, layout->subtitle_y, false, design->subtitle, 0,
		 false},
		{"details", NULL, ANCHOR_START, left, layout->details_y, true, " ", 0, false},
		unzoom,
		self,
		search,
		{"matched", NULL, ANCHOR_END, right, layout->matched_y, true, " ", 0, false},
		ignorecase,
		{"leftout", NULL, ANCHOR_MIDDLE, 0, layout->matched_y, false,
		 foot.n == 0 ? NULL : buf_text(&foot), 0, false},
	};
	for (size_t i = 0; i < sizeof(captions) / sizeof(captions[0]); i++) {
		if (captions[i].text != NULL) { // NULL: a missing text, such as a subtitle
			svg_write_caption(out, design, &captions[i]);
		}
	}
	legend_write(out, picture, foot.n == 0);
	buf_release(&foot);
}

/** Write the title and the summary for screen readers. */
static void svg_write_description(struct output *out, const struct picture *picture) {
	svg_start_line(out, &picture->design, 1);
	svg_add(out, "<title>");
	escape_xml(out, str_of(picture->design.title));
	svg_add(out, "</title>");
	svg_start_line(out, &picture->design, 1);
	svg_add(out, "<desc>");
	summary_write(out, picture);
	svg_add(out, "</desc>");
}

void svg_write_head(struct output *out, const struct picture *picture) {
	const struct design *design = &picture->design;
	svg_write_tag(out, design, picture->layout.height, true);
	svg_write_description(out, picture);
	if (!design->colours.flat) {
		svg_write_background(out, design);
	}
	if (design->compares) {
		svg_start_line(out, design, 1);
		compare_write_patterns(out);
	}
}

void svg_write_body(struct output *out, const struct picture *picture) {
	svg_write_page(out, &picture->design);
	svg_write_captions(out, picture);
	svg_start_line(out, &picture->design, 1);
	frames_write(out, picture);
}

void svg_write_error(struct output *out, const struct design *design) {
	svg_write_declaration(out, design);
	svg_write_tag(out, design, 5 * design->size.text_height, false);
	svg_start_line(out, design, 1);
	svg_add(out, "<text x=\"50.0000%\" style=\"text-anchor: middle\" y=\"");
	output_add_u64(out, 2 * design->size.text_height);
	svg_add(out, ".00\">ERROR: No valid input provided to flamegraph</text>");
	svg_add(out, "\n</svg>\n");
}
