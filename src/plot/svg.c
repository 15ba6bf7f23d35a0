/* Rectangles to bytes: the document around the frames. */
#include "plot/svg.h"

#include "base/num.h"
#include "plot/escape.h"
#include "plot/frames.h"
#include "plot/pack.h"
#include "plot/summary.h"
#include "viewer.css.h"
#include "viewer.js.h"

static void add(struct output *out, const char *text) {
	output_add_text(out, text);
}

static void add_rgb(struct output *out, struct rgb colour) {
	char text[RGB_MAX];
	output_add(out, text, rgb_format(text, colour));
}

/** Begins a line in front of an element inside `depth` others. */
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

static struct rgb text_colour(const struct plot_options *options) {
	return options->uicolor == NULL ? (struct rgb){0} : rgb_of(options->uicolor);
}

/** Writes everything from the first byte to the comments inside the outermost element. */
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
		add(out, adapts(options) ? "\" class=\"adapts" : "");
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

static void write_font(struct output *out, const char *family) {
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
	enum { TITLE_LARGER = 5 };
	start_line(out, options, 1);
	add(out, "<style type=\"text/css\">\ntext { font-family: ");
	write_font(out, options->fonttype);
	add(out, "; font-size: ");
	output_add_u64(out, options->fontsize);
	add(out, "px; }\n#title { font-size: ");
	output_add_u64(out, options->fontsize + TITLE_LARGER);
	add(out, "px; }\n");
	struct rgb stroke;
	if (rgb_parse(str_of(options->stroke_color), &stroke)) {
		add(out, "#frames > * > rect { stroke: ");
		add_rgb(out, stroke);
		add(out, "; stroke-width: 1; }\n");
	}
	output_add(out, viewer_css, sizeof(viewer_css) - 1);
	add(out, "</style>");
}

static void write_number_setting(struct output *out, const char *name, double value) {
	enum { PLACES = 6 };
	char digits[NUM_FIXED_MAX];
	size_t n = num_format_fixed(digits, value, PLACES);
	while (digits[n - 1] == '0') {
		n--;
	}
	n -= digits[n - 1] == '.';
	add(out, "var ");
	add(out, name);
	add(out, " = ");
	output_add(out, digits, n);
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
	write_number_setting(out, "xpad", XPAD);
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

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

/** A text of the picture's own. */
struct caption {
	const char *id, *class; // class NULL: none
	enum anchor anchor;
	uint64_t x, y; // px; x is not used by one in the middle
	bool coloured; // by --uicolor
	const char *text;
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
	} else {
		output_add_u64(out, caption->x);
		add(out, caption->anchor == ANCHOR_END ? "\" text-anchor=\"end" : "");
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
	       : options->flamechart  ? "Flame Chart"
	       : options->inverted    ? "Icicle Graph"
				      : "Flame Graph";
}

/** Where the case toggle ends: left of the longest text that the search control can show. */
static uint64_t toggle_x(const struct plot_options *options, uint64_t right) {
	double room = (double)(strlen("Reset Search") + 2) * (double)options->fontsize *
		      options->fontwidth;
	return room < (double)right ? right - (uint64_t)room : 0;
}

/** Says what the file does not have, if anything. */
static void say_left_out(struct buf *text, const struct picture *picture) {
	const struct pack *pack = picture->pack;
	if (pack == NULL || pack->left_out == 0) {
		return;
	}
	char least[NUM_FIXED_MAX], weight[NUM_FIXED_MAX], frames[NUM_GROUPED_MAX];
	double percent = 100 / (double)picture->total;
	buf_add_text(text, "Without ");
	buf_add(text, frames, num_format_grouped(frames, pack->left_out));
	buf_add_text(text, pack->left_out == 1 ? " frame under " : " frames under ");
	buf_add(text, least, num_format_fixed(least, pack->least * percent, 4));
	buf_add_text(text, "%, which have ");
	buf_add(text, weight, num_format_fixed(weight, (double)pack->weight * percent, 2));
	buf_add_text(text, "% of all (--data=full has them)");
}

static void write_captions(struct output *out, const struct picture *picture) {
	const struct plot_options *options = picture->options;
	const struct layout *layout = picture->layout;
	uint64_t right = layout->width - XPAD;
	struct buf left_out = {0};
	say_left_out(&left_out, picture);
	const struct caption captions[] = {
		{"title", NULL, ANCHOR_MIDDLE, 0, layout->title_y, true, title_of(options)},
		{"subtitle", NULL, ANCHOR_MIDDLE, 0, layout->subtitle_y, false, options->subtitle},
		{"details", NULL, ANCHOR_START, XPAD, layout->details_y, true, " "},
		{"unzoom", "hide", ANCHOR_START, XPAD, layout->controls_y, true, "Reset Zoom"},
		{"search", NULL, ANCHOR_END, right, layout->controls_y, true, "Search"},
		{"matched", NULL, ANCHOR_END, right, layout->matched_y, true, " "},
		{"ignorecase", NULL, ANCHOR_END, toggle_x(options, right), layout->controls_y, true,
		 "ic"},
		{"leftout", NULL, ANCHOR_MIDDLE, 0, layout->matched_y, false,
		 left_out.n == 0 ? NULL : buf_text(&left_out)},
	};
	for (size_t i = 0; i < sizeof(captions) / sizeof(captions[0]); i++) {
		if (captions[i].text != NULL) { // there may be no subtitle
			write_caption(out, options, &captions[i]);
		}
	}
	buf_release(&left_out);
}

/** Writes what is said of the picture to those who do not see it. */
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
	write_background(out, options);
	write_style(out, options);
	write_script(out, options);
	start_line(out, options, 1);
	add(out,
	    "<rect x=\"0\" y=\"0\" width=\"100%\" height=\"100%\" fill=\"url(#background)\"/>");
	write_captions(out, picture);
	start_line(out, options, 1);
	frames_write(out, picture);
	if (picture->pack != NULL) {
		start_line(out, options, 1);
		pack_write(out, picture->pack, options);
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
