/* A picture to bytes: the document around the frames. */
#include "plot/svg.h"

#include <math.h>

#include "base/num.h"
#include "base/utf8.h"
#include "plot/compare.h"
#include "plot/escape.h"
#include "plot/frames.h"
#include "plot/legend.h"
#include "plot/pack.h"
#include "plot/summary.h"
#include "modern.css.h"
#include "viewer.css.h"
#include "viewer.js.h"

static void add(struct output *out, const char *text) {
	output_add_text(out, text);
}

static void add_rgb(struct output *out, struct rgb colour) {
	char text[RGB_MAX];
	output_add(out, text, rgb_format(text, colour));
}

/** Add a number with all its digits. */
static void add_exact(struct output *out, double value) {
	char digits[NUM_EXACT_MAX];
	output_add(out, digits, num_format_exact(digits, value));
}

/** Begin a line, indented for an element inside `depth` others if that is wanted. */
static void start_line(struct output *out, const struct design *design, unsigned depth) {
	output_add_char(out, '\n');
	for (unsigned i = 0; design->pretty_xml && i < depth; i++) {
		add(out, "    ");
	}
}

static void write_declaration(struct output *out, const struct design *design) {
	add(out, "<?xml version=\"1.0\"");
	if (design->encoding != NULL) {
		add(out, " encoding=\"");
		add(out, design->encoding); // some spelling of UTF-8
		add(out, "\"");
	}
	add(out, " standalone=\"no\"?>\n"
		 "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" "
		 "\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n");
}

/** Write the classes by which the style sheet and the viewer know the kind of picture. */
static void write_class(struct output *out, const struct design *design) {
	const char *const classes[] = {design->modern ? " modern" : "",
				       design->adapts ? " adapts" : "",
				       design->compares ? " compared" : ""};
	const char *between = "\" class=\"";
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (*classes[i] != '\0') {
			add(out, between);
			add(out, classes[i] + 1);
			between = " ";
		}
	}
}

/** Write the start of the outermost element and the comments in it. */
static void write_head(struct output *out, const struct design *design, uint64_t height,
		       bool has_frames, bool in_page) {
	add(out, "<svg version=\"1.1\" width=\"");
	output_add_u64(out, design->width);
	add(out, "\" height=\"");
	output_add_u64(out, height);
	add(out, "\" viewBox=\"0 0 ");
	output_add_u64(out, design->width);
	output_add_char(out, ' ');
	output_add_u64(out, height);
	if (has_frames) {
		add(out, design->no_javascript || in_page ? "" : "\" onload=\"init(evt)");
		write_class(out, design);
		add(out, "\" role=\"img"); // the viewer changes it to a group
		add(out, "\" font-family=\"monospace\" font-size=\""); // if styles are blocked
		add_exact(out, design->font_size);
	}
	add(out,
	    "\" xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
	    " xmlns:fg=\"http://github.com/jonhoo/inferno\">");
	start_line(out, design, 1);
	add(out, "<!-- A flame graph: each box is a function in a stack, as wide as its count. "
		 "Drawn by inferno. -->");
	start_line(out, design, 1);
	add(out, "<!-- NOTES: ");
	escape_comment(out, str_of(design->notes));
	add(out, " -->");
}

static void write_stop(struct output *out, const struct design *design, const char *offset,
		       struct rgb colour) {
	char hex[RGB_MAX];
	start_line(out, design, 3);
	add(out, "<stop offset=\"");
	add(out, offset);
	add(out, "\" stop-color=\"");
	output_add(out, hex, rgb_format_hex(hex, colour));
	add(out, "\"/>");
}

static void write_background(struct output *out, const struct design *design) {
	start_line(out, design, 1);
	add(out, "<defs>");
	start_line(out, design, 2);
	add(out, "<linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">");
	write_stop(out, design, "5%", design->background.first);
	write_stop(out, design, "95%", design->background.second);
	start_line(out, design, 2);
	add(out, "</linearGradient>");
	start_line(out, design, 1);
	add(out, "</defs>");
}

static void write_page(struct output *out, const struct design *design) {
	start_line(out, design, 1);
	add(out, design->flat ? "<rect class=\"page\"" : "<rect");
	add(out, " x=\"0\" y=\"0\" width=\"100%\" height=\"100%\" fill=\"");
	if (design->flat) {
		char hex[RGB_MAX];
		output_add(out, hex, rgb_format_hex(hex, shade_page.light));
	} else {
		add(out, "url(#background)");
	}
	add(out, "\"/>");
}

static void write_font(struct output *out, const char *family) {
	if (family == NULL) {
		add(out, "ui-monospace, SFMono-Regular, Menlo, Consolas, \"DejaVu Sans Mono\", "
			 "monospace");
		return;
	}
	static const char *const generic[] = {"cursive", "fantasy", "monospace", "serif",
					      "sans-serif"};
	for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++) {
		if (strcmp(family, generic[i]) == 0) {
			add(out, family);
			return;
		}
	}
	escape_css(out, str_of(family));
}

static double title_size(const struct design *design) {
	enum { LARGER = 5, MODERN_LARGER = 3 };
	return design->font_size + (design->modern ? MODERN_LARGER : LARGER);
}

void svg_write_rules(struct output *out, const struct design *design) {
	add(out, "text { font-family: ");
	write_font(out, design->font);
	add(out, "; font-size: ");
	add_exact(out, design->font_size);
	add(out, "px; }\n#title { font-size: ");
	add_exact(out, title_size(design));
	add(out, "px; }\n");
	if (!design->flat) { // below a picture that is less tall than the window
		char hex[RGB_MAX];
		add(out, "svg:root { background: ");
		output_add(out, hex, rgb_format_hex(hex, design->background.second));
		add(out, "; }\n");
	}
	if (design->has_stroke) {
		add(out, "#frames > * > rect { stroke: ");
		add_rgb(out, design->stroke);
		add(out, "; stroke-width: 1; }\n");
	}
	output_add(out, viewer_css, sizeof(viewer_css) - 1);
	if (design->modern) {
		shades_write(out);
		output_add(out, modern_css, sizeof(modern_css) - 1);
	}
	if (design->compares) {
		compare_write_rules(out);
	}
}

static void write_style(struct output *out, const struct design *design) {
	start_line(out, design, 1);
	add(out, "<style type=\"text/css\">\n");
	svg_write_rules(out, design);
	add(out, "</style>");
}

static void write_number_setting(struct output *out, const char *name, double value) {
	add(out, "var ");
	add(out, name);
	add(out, " = ");
	add_exact(out, value);
	add(out, ";\n");
}

static void write_flag_setting(struct output *out, const char *name, bool value) {
	add(out, "var ");
	add(out, name);
	add(out, value ? " = true;\n" : " = false;\n");
}

static void write_script(struct output *out, const struct design *design) {
	start_line(out, design, 1);
	add(out, "<script type=\"text/ecmascript\"><![CDATA[\nvar nametype = ");
	escape_js(out, str_of(design->nametype));
	add(out, ";\n");
	write_number_setting(out, "fontsize", design->font_size);
	write_number_setting(out, "fontwidth", design->font_width);
	write_number_setting(out, "xpad", (double)design->margin);
	write_flag_setting(out, "inverted", design->inverted);
	add(out, "var searchcolor = '");
	add_rgb(out, design->search);
	add(out, "';\n");
	write_flag_setting(out, "fluiddrawing", design->fluid);
	write_flag_setting(out, "truncate_text_right", design->truncate_text_right);
	if (!design->no_javascript) {
		output_add(out, viewer_js, sizeof(viewer_js) - 1);
	}
	add(out, "]]></script>");
}

enum anchor {
	ANCHOR_START,
	ANCHOR_MIDDLE,
	ANCHOR_END,   // ends at x; the viewer moves it with the width of the picture
	ANCHOR_RIGHT, // ends at the right edge, whatever the width
};

/** A text of the picture, apart from labels of frames. */
struct caption {
	const char *id, *class; // class NULL: none
	enum anchor anchor;
	uint64_t x, y; // px; only ANCHOR_START and ANCHOR_END use x
	bool coloured; // by --uicolor
	const char *text;
	uint64_t shift;  // px to move it to the left
	bool is_control; // the viewer shows it: without a script it would do nothing
};

/** Return how many characters of a heading fit into the picture; of another text, all. */
static size_t room_for(const struct design *design, const struct caption *caption) {
	bool is_title = strcmp(caption->id, "title") == 0;
	if (!is_title && strcmp(caption->id, "subtitle") != 0) {
		return SIZE_MAX;
	}
	double character = design->font_width * (is_title ? title_size(design) : design->font_size);
	return (size_t)fmax((double)(design->width - 2 * design->margin) / character, 3);
}

/** Write the rest of an element: a text without its middle if it is too long, which the viewer
 * gets as an attribute. */
static void write_text(struct output *out, struct str text, size_t room) {
	if (text.n <= room || utf8_count(text) <= room) {
		add(out, ">");
		escape_xml(out, text);
		return;
	}
	size_t tail = (room - 1) / 2;
	add(out, " data-text=\"");
	escape_xml(out, text);
	add(out, "\">");
	escape_xml(out, str_to(text, utf8_prefix(text, room - 1 - tail)));
	add(out, "\xe2\x80\xa6");
	escape_xml(out, str_from(text, utf8_prefix(text, utf8_count(text) - tail)));
}

static void write_caption(struct output *out, const struct design *design,
			  const struct caption *caption) {
	start_line(out, design, 1);
	add(out, "<text id=\"");
	add(out, caption->id);
	add(out, "\"");
	if (caption->class != NULL) {
		add(out, " class=\"");
		add(out, caption->class);
		add(out, "\"");
	}
	add(out, " x=\"");
	if (caption->anchor == ANCHOR_MIDDLE) {
		add(out, "50.0000%\" text-anchor=\"middle");
	} else if (caption->anchor == ANCHOR_RIGHT) {
		add(out, "100%\" text-anchor=\"end");
	} else {
		output_add_u64(out, caption->x);
		add(out, caption->anchor == ANCHOR_END ? "\" text-anchor=\"end" : "");
	}
	if (caption->shift > 0) {
		add(out, "\" transform=\"translate(-");
		output_add_u64(out, caption->shift);
		add(out, ")");
	}
	add(out, "\" y=\"");
	output_add_u64(out, caption->y);
	add(out, ".00\"");
	if (caption->coloured) {
		add(out, " fill=\"");
		add_rgb(out, design->text);
		add(out, "\"");
	}
	add(out, caption->is_control ? " visibility=\"hidden\"" : "");
	write_text(out, str_of(caption->text), room_for(design, caption));
	add(out, "</text>");
}

/** Return the px of a control and the gap beside it, at most the width of the picture. */
static uint64_t room_of(const struct design *design, const char *text) {
	double room = (double)(strlen(text) + 2) * design->font_size * design->font_width;
	return (uint64_t)fmin(room, (double)design->width);
}

/** Place the controls: the case toggle to the left of the longest text of the search control. */
static void place_classic(const struct design *design, struct caption *ignorecase) {
	uint64_t search = room_of(design, "Reset Search");
	ignorecase->x = search < ignorecase->x ? ignorecase->x - search : 0;
}

/** Place the same for --style=modern: all controls on the right, since the title is on the left. */
static void place_modern(const struct design *design, struct caption *unzoom, struct caption *own,
			 struct caption *search) {
	unzoom->anchor = ANCHOR_RIGHT;
	search->shift = room_of(design, "ic");
	own->shift = search->shift + room_of(design, "Reset Search");
	unzoom->shift = design->margin + own->shift;
	unzoom->shift += own->text == NULL ? 0 : room_of(design, own->text);
}

/** Add what was left out of the file. */
static void add_left_out(struct buf *text, const struct picture *picture) {
	const struct pack *pack = &picture->pack;
	const double smallest = 0.0001; // that four decimals can show
	char least[NUM_FIXED_MAX], weight[NUM_FIXED_MAX], frames[NUM_GROUPED_MAX];
	double percent = 100 / (double)picture->total;
	buf_add_text(text, "Left out: ");
	buf_add(text, frames, num_format_grouped(frames, pack->left_out.frames));
	buf_add_text(text, pack->left_out.frames == 1 ? " frame below " : " frames below ");
	buf_add(text, least,
		num_format_fixed(least, fmax((double)pack->choice.least * percent, smallest), 4));
	buf_add_text(text, "%, together ");
	buf_add(text, weight, num_format_fixed(weight, (double)pack->left_out.weight * percent, 2));
	buf_add_text(text, "% of all");
	if (pack->left_out.names > 0) {
		char names[NUM_GROUPED_MAX];
		buf_add_text(text, ", and ");
		buf_add(text, names, num_format_grouped(names, pack->left_out.names));
		buf_add_text(text, pack->left_out.names == 1 ? " name that no search finds"
							     : " names that no search finds");
	}
	buf_add_text(text, " (--data=full keeps them)");
}

/** Add what the reader has to know of the data: how good they are, and what was left out. */
static void add_foot(struct buf *text, const struct picture *picture) {
	const struct design *design = &picture->design;
	const double spare = 0.94; // many fonts are wider than --fontwidth says
	double room = spare * (double)(design->width - 2 * design->margin);
	if (picture->pack.left_out.frames > 0) {
		add_left_out(text, picture);
		buf_add_text(text, picture->remarks.n > 0 ? " - " : "");
	}
	utf8_repair(text, picture->remarks);
	size_t fits =
		utf8_prefix(buf_str(text), (size_t)(room / design->font_size / design->font_width));
	if (picture->remarks.n > 0 && fits < text->n) {
		text->n = fits;
		buf_add_text(text, "...");
	}
}

static void write_captions(struct output *out, const struct picture *picture) {
	const struct design *design = &picture->design;
	const struct layout *layout = &picture->layout;
	uint64_t left = design->margin, right = design->width - left;
	uint64_t controls_y = layout->controls_y;
	enum anchor heading = design->modern ? ANCHOR_START : ANCHOR_MIDDLE;
	struct caption unzoom = {"unzoom",     "hide", ANCHOR_START, left, controls_y, true,
				 "Reset Zoom", 0,      true};
	struct caption search = {"search", NULL,     ANCHOR_END, right, controls_y,
				 true,     "Search", 0,          true};
	struct caption ignorecase = {"ignorecase", NULL, ANCHOR_END, right, controls_y,
				     true,         "ic", 0,          true};
	struct caption own = {"own", NULL, ANCHOR_END, right, controls_y, true, NULL, 0, true};
	if (picture->compared != NULL && picture->pack.bytes.n > 0) {
		own.text = "own change";
	}
	if (design->modern) {
		place_modern(design, &unzoom, &own, &search);
	} else {
		place_classic(design, &ignorecase);
	}
	struct buf foot = {0};
	add_foot(&foot, picture);
	const struct caption captions[] = {
		{"title", NULL, heading, left, layout->title_y, true, design->title, 0, false},
		{"subtitle", NULL, heading, left, layout->subtitle_y, false, design->subtitle, 0,
		 false},
		{"details", NULL, ANCHOR_START, left, layout->details_y, true, " ", 0, false},
		unzoom,
		own,
		search,
		{"matched", NULL, ANCHOR_END, right, layout->matched_y, true, " ", 0, false},
		ignorecase,
		{"leftout", NULL, ANCHOR_MIDDLE, 0, layout->matched_y, false,
		 foot.n == 0 ? NULL : buf_text(&foot), 0, false},
	};
	for (size_t i = 0; i < sizeof(captions) / sizeof(captions[0]); i++) {
		if (captions[i].text != NULL) { // such as a subtitle that was not given
			write_caption(out, design, &captions[i]);
		}
	}
	legend_write(out, picture, foot.n == 0);
	buf_release(&foot);
}

/** Write the title and the summary for screen readers. */
static void write_description(struct output *out, const struct picture *picture) {
	start_line(out, &picture->design, 1);
	add(out, "<title>");
	escape_xml(out, str_of(picture->design.title));
	add(out, "</title>");
	start_line(out, &picture->design, 1);
	add(out, "<desc>");
	summary_write(out, picture);
	add(out, "</desc>");
}

/** Write the outermost element. In a page, the page has its style and its script. */
static void write_element(struct output *out, const struct picture *picture, bool in_page) {
	const struct design *design = &picture->design;
	write_head(out, design, picture->layout.height, true, in_page);
	write_description(out, picture);
	if (!design->flat) {
		write_background(out, design);
	}
	if (design->compares) {
		start_line(out, design, 1);
		compare_write_patterns(out);
	}
	if (!in_page) {
		write_style(out, design);
		write_script(out, design);
	}
	write_page(out, design);
	write_captions(out, picture);
	start_line(out, design, 1);
	frames_write(out, picture);
	if (picture->pack.bytes.n > 0) {
		start_line(out, design, 1);
		pack_write(out, picture);
	}
	if (in_page && picture->activity.bytes.n > 0) {
		start_line(out, design, 1);
		activity_write(out, &picture->activity);
	}
	add(out, "\n</svg>\n");
}

void svg_write(struct output *out, const struct picture *picture) {
	write_declaration(out, &picture->design);
	write_element(out, picture, false);
}

void svg_write_in_page(struct output *out, const struct picture *picture) {
	write_element(out, picture, true);
}

void svg_write_error(struct output *out, const struct design *design) {
	write_declaration(out, design);
	write_head(out, design, 5 * design->text_height, false, false);
	start_line(out, design, 1);
	add(out, "<text x=\"50.0000%\" style=\"text-anchor: middle\" y=\"");
	output_add_u64(out, 2 * design->text_height);
	add(out, ".00\">ERROR: No valid input provided to flamegraph</text>");
	add(out, "\n</svg>\n");
}
