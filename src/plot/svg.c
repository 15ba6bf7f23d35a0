/* Rectangles to bytes: the document around the frames. */
#include "plot/svg.h"

#include <math.h>

#include "base/num.h"
#include "plot/compare.h"
#include "plot/escape.h"
#include "plot/frames.h"
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

/** Begin a line in front of an element inside `depth` others. */
static void start_line(struct output *out, const struct plot_options *options, unsigned depth) {
	output_add_char(out, '\n');
	for (unsigned i = 0; options->pretty_xml && i < depth; i++) {
		add(out, "    ");
	}
}

static void write_declaration(struct output *out, const struct plot_options *options) {
	add(out, "<?xml version=\"1.0\"");
	if (options->encoding != NULL) {
		add(out, " encoding=\"");
		add(out, options->encoding); // some spelling of UTF-8
		add(out, "\"");
	}
	add(out, " standalone=\"no\"?>\n"
		 "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" "
		 "\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n");
}

/** Whether readers who prefer it dark get it dark: not if the user asked for other colours. */
static bool adapts(const struct plot_options *options) {
	return options->uicolor == NULL && options->bgcolors == NULL;
}

static bool is_modern(const struct plot_options *options) {
	return options->style == STYLE_MODERN;
}

/** Write what the style sheet and the viewer want to know of the picture. */
static void write_class(struct output *out, const struct plot_options *options) {
	const char *const classes[] = {is_modern(options) ? " modern" : "",
				       adapts(options) ? " adapts" : "",
				       options->compares ? " compared" : ""};
	const char *between = "\" class=\"";
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (*classes[i] != '\0') {
			add(out, between);
			add(out, classes[i] + 1);
			between = " ";
		}
	}
}

static struct rgb text_colour(const struct plot_options *options) {
	return options->uicolor == NULL ? (struct rgb){0} : rgb_of(options->uicolor);
}

/** Write everything from the first byte to the comments inside the outermost element. */
static void write_head(struct output *out, const struct plot_options *options, uint64_t height,
		       bool has_frames) {
	uint64_t width = layout_width(options);
	write_declaration(out, options);
	add(out, "<svg version=\"1.1\" width=\"");
	output_add_u64(out, width);
	add(out, "\" height=\"");
	output_add_u64(out, height);
	add(out, "\" viewBox=\"0 0 ");
	output_add_u64(out, width);
	output_add_char(out, ' ');
	output_add_u64(out, height);
	if (has_frames) {
		add(out, options->no_javascript ? "" : "\" onload=\"init(evt)");
		write_class(out, options);
		add(out, "\" role=\"img"); // the viewer makes more of it
	}
	add(out,
	    "\" xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
	    " xmlns:fg=\"http://github.com/jonhoo/inferno\">");
	start_line(out, options, 1);
	add(out, "<!-- A flame graph: each box is a function in a stack, as wide as its count. "
		 "Drawn by inferno. -->");
	start_line(out, options, 1);
	add(out, "<!-- NOTES: ");
	escape_comment(out, str_of(options->notes));
	add(out, " -->");
}

static void write_stop(struct output *out, const struct plot_options *options, const char *offset,
		       struct rgb colour) {
	char hex[RGB_MAX];
	start_line(out, options, 3);
	add(out, "<stop offset=\"");
	add(out, offset);
	add(out, "\" stop-color=\"");
	output_add(out, hex, rgb_format_hex(hex, colour));
	add(out, "\"/>");
}

static void write_background(struct output *out, const struct plot_options *options) {
	struct gradient gradient = palette_background(options);
	start_line(out, options, 1);
	add(out, "<defs>");
	start_line(out, options, 2);
	add(out, "<linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">");
	write_stop(out, options, "5%", gradient.first);
	write_stop(out, options, "95%", gradient.second);
	start_line(out, options, 2);
	add(out, "</linearGradient>");
	start_line(out, options, 1);
	add(out, "</defs>");
}

/** Whether the page has one colour, that of the style. */
static bool is_flat(const struct plot_options *options) {
	return is_modern(options) && options->bgcolors == NULL;
}

static void write_page(struct output *out, const struct plot_options *options) {
	start_line(out, options, 1);
	add(out, is_flat(options) ? "<rect class=\"page\"" : "<rect");
	add(out, " x=\"0\" y=\"0\" width=\"100%\" height=\"100%\" fill=\"");
	if (is_flat(options)) {
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

static void write_style(struct output *out, const struct plot_options *options) {
	enum { TITLE_LARGER = 5, MODERN_TITLE_LARGER = 3 };
	bool modern = is_modern(options);
	start_line(out, options, 1);
	add(out, "<style type=\"text/css\">\ntext { font-family: ");
	write_font(out, options->fonttype);
	add(out, "; font-size: ");
	output_add_u64(out, options->fontsize);
	add(out, "px; }\n#title { font-size: ");
	output_add_u64(out, options->fontsize + (modern ? MODERN_TITLE_LARGER : TITLE_LARGER));
	add(out, "px; }\n");
	struct rgb stroke;
	if (rgb_parse(str_of(options->stroke_color), &stroke)) {
		add(out, "#frames > * > rect { stroke: ");
		add_rgb(out, stroke);
		add(out, "; stroke-width: 1; }\n");
	}
	output_add(out, viewer_css, sizeof(viewer_css) - 1);
	if (modern) {
		shades_write(out);
		output_add(out, modern_css, sizeof(modern_css) - 1);
	}
	if (options->compares) {
		compare_write_rules(out);
	}
	add(out, "</style>");
}

static void write_number_setting(struct output *out, const char *name, double value) {
	char digits[NUM_EXACT_MAX];
	add(out, "var ");
	add(out, name);
	add(out, " = ");
	output_add(out, digits, num_format_exact(digits, value));
	add(out, ";\n");
}

static void write_flag_setting(struct output *out, const char *name, bool value) {
	add(out, "var ");
	add(out, name);
	add(out, value ? " = true;\n" : " = false;\n");
}

static void write_script(struct output *out, const struct plot_options *options) {
	start_line(out, options, 1);
	add(out, "<script type=\"text/ecmascript\"><![CDATA[\nvar nametype = ");
	escape_js(out, str_of(options->nametype));
	add(out, ";\n");
	write_number_setting(out, "fontsize", (double)options->fontsize);
	write_number_setting(out, "fontwidth", options->fontwidth);
	write_number_setting(out, "xpad", (double)layout_margin(options));
	write_flag_setting(out, "inverted", options->inverted);
	add(out, "var searchcolor = '");
	add_rgb(out, rgb_of(options->search_color));
	add(out, "';\n");
	write_flag_setting(out, "fluiddrawing", options->width == 0);
	write_flag_setting(out, "truncate_text_right", options->truncate_text_right);
	if (!options->no_javascript) {
		output_add(out, viewer_js, sizeof(viewer_js) - 1);
	}
	add(out, "]]></script>");
}

enum anchor {
	ANCHOR_START,
	ANCHOR_MIDDLE,
	ANCHOR_END,   // its end at x; the viewer moves it when the picture gets wider
	ANCHOR_RIGHT, // its end at the right edge, of any width
};

/** A text of the picture's own. */
struct caption {
	const char *id, *class; // class NULL: none
	enum anchor anchor;
	uint64_t x, y; // px; x is used by those that start or end there
	bool coloured; // by --uicolor
	const char *text;
	uint64_t shift; // px to the left of where it would be
};

static void write_caption(struct output *out, const struct plot_options *options,
			  const struct caption *caption) {
	start_line(out, options, 1);
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
		add_rgb(out, text_colour(options));
		add(out, "\"");
	}
	add(out, ">");
	escape_xml(out, str_of(caption->text));
	add(out, "</text>");
}

static const char *title_of(const struct plot_options *options) {
	return options->title != NULL ? options->title
	       : options->compares    ? "Differential Flame Graph"
	       : options->flamechart  ? "Flame Chart"
	       : options->inverted    ? "Icicle Graph"
				      : "Flame Graph";
}

/** Px that a control takes with what keeps it apart from the next; no more than there are. */
static uint64_t room_of(const struct plot_options *options, const char *text) {
	double room = (double)(strlen(text) + 2) * (double)options->fontsize * options->fontwidth;
	return (uint64_t)fmin(room, (double)layout_width(options));
}

/** Place the controls as people know them: the case toggle left of all that the search can say. */
static void place_classic(const struct plot_options *options, struct caption *ignorecase) {
	uint64_t search = room_of(options, "Reset Search");
	ignorecase->x = search < ignorecase->x ? ignorecase->x - search : 0;
}

/** The same for --style=modern: all to the right, since the title is to the left. */
static void place_modern(const struct plot_options *options, struct caption *unzoom,
			 struct caption *own, struct caption *search) {
	unzoom->anchor = ANCHOR_RIGHT;
	search->shift = room_of(options, "ic");
	own->shift = search->shift + room_of(options, "Reset Search");
	unzoom->shift = layout_margin(options) + own->shift;
	unzoom->shift += own->text == NULL ? 0 : room_of(options, own->text);
}

/** Say what the file does not have, if anything. */
static void say_left_out(struct buf *text, const struct picture *picture) {
	const struct pack *pack = picture->pack;
	if (pack == NULL || pack->left_out == 0) {
		return;
	}
	const double smallest = 0.0001; // that the places show
	char least[NUM_FIXED_MAX], weight[NUM_FIXED_MAX], frames[NUM_GROUPED_MAX];
	double percent = 100 / (double)picture->total;
	buf_add_text(text, "Left out: ");
	buf_add(text, frames, num_format_grouped(frames, pack->left_out));
	buf_add_text(text, pack->left_out == 1 ? " frame below " : " frames below ");
	buf_add(text, least,
		num_format_fixed(least, fmax((double)pack->least * percent, smallest), 4));
	buf_add_text(text, "%, together ");
	buf_add(text, weight, num_format_fixed(weight, (double)pack->weight * percent, 2));
	buf_add_text(text, "% of all");
	if (pack->unnamed > 0) {
		char names[NUM_GROUPED_MAX];
		buf_add_text(text, ", and ");
		buf_add(text, names, num_format_grouped(names, pack->unnamed));
		buf_add_text(text, pack->unnamed == 1 ? " name that no search finds"
						      : " names that no search finds");
	}
	buf_add_text(text, " (--data=full keeps them)");
}

static void write_captions(struct output *out, const struct picture *picture) {
	const struct plot_options *options = picture->options;
	const struct layout *layout = picture->layout;
	uint64_t left = layout_margin(options), right = layout->width - left;
	uint64_t controls_y = layout->controls_y;
	enum anchor heading = is_modern(options) ? ANCHOR_START : ANCHOR_MIDDLE;
	struct caption unzoom = {"unzoom",   "hide", ANCHOR_START, left,
				 controls_y, true,   "Reset Zoom", 0};
	struct caption search = {"search", NULL, ANCHOR_END, right, controls_y, true, "Search", 0};
	struct caption ignorecase = {"ignorecase", NULL, ANCHOR_END, right,
				     controls_y,   true, "ic",       0};
	struct caption own = {"own", NULL, ANCHOR_END, right, controls_y, true, NULL, 0};
	if (picture->compared != NULL && picture->pack != NULL) {
		own.text = "own change";
	}
	if (is_modern(options)) {
		place_modern(options, &unzoom, &own, &search);
	} else {
		place_classic(options, &ignorecase);
	}
	struct buf left_out = {0};
	say_left_out(&left_out, picture);
	const struct caption captions[] = {
		{"title", NULL, heading, left, layout->title_y, true, title_of(options), 0},
		{"subtitle", NULL, heading, left, layout->subtitle_y, false, options->subtitle, 0},
		{"details", NULL, ANCHOR_START, left, layout->details_y, true, " ", 0},
		unzoom,
		own,
		search,
		{"matched", NULL, ANCHOR_END, right, layout->matched_y, true, " ", 0},
		ignorecase,
		{"leftout", NULL, ANCHOR_MIDDLE, 0, layout->matched_y, false,
		 left_out.n == 0 ? NULL : buf_text(&left_out), 0},
	};
	for (size_t i = 0; i < sizeof(captions) / sizeof(captions[0]); i++) {
		if (captions[i].text != NULL) { // there may be no subtitle
			write_caption(out, options, &captions[i]);
		}
	}
	buf_release(&left_out);
}

/** Write what is said of the picture to those who do not see it. */
static void write_description(struct output *out, const struct picture *picture) {
	start_line(out, picture->options, 1);
	add(out, "<title>");
	escape_xml(out, str_of(title_of(picture->options)));
	add(out, "</title>");
	start_line(out, picture->options, 1);
	add(out, "<desc>");
	summary_write(out, picture);
	add(out, "</desc>");
}

void svg_write(struct output *out, const struct picture *picture) {
	const struct plot_options *options = picture->options;
	write_head(out, options, picture->layout->height, true);
	write_description(out, picture);
	if (!is_flat(options)) {
		write_background(out, options);
	}
	if (options->compares) {
		start_line(out, options, 1);
		compare_write_patterns(out);
	}
	write_style(out, options);
	write_script(out, options);
	write_page(out, options);
	write_captions(out, picture);
	start_line(out, options, 1);
	frames_write(out, picture);
	if (picture->pack != NULL) {
		start_line(out, options, 1);
		pack_write(out, picture);
	}
	add(out, "\n</svg>\n");
}

void svg_write_error(struct output *out, const struct plot_options *options) {
	write_head(out, options, 5 * options->fontsize, false);
	start_line(out, options, 1);
	add(out, "<text x=\"50.0000%\" style=\"text-anchor: middle\" y=\"");
	output_add_u64(out, 2 * options->fontsize);
	add(out, ".00\">ERROR: No valid input provided to flamegraph</text>");
	add(out, "\n</svg>\n");
}
