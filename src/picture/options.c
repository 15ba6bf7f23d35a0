/* The options of pictures. */
#include "picture/options.h"

#include <math.h>
#include <strings.h>

#include "base/num.h"
#include "picture/design.h"
#include "picture/palette.h"

enum { MOST_PIXELS = 999999 };

bool minwidth_parse(const char *text, double *value, bool *is_pixels) {
	struct str s = str_of(text);
	*is_pixels = str_ends(s, STR("px"));
	if (*is_pixels) {
		s = str_to(s, s.n - strlen("px"));
	} else if (str_ends(s, STR("%"))) {
		s = str_to(s, s.n - 1);
	}
	return num_parse_real(s, value) && isfinite(*value) && *value >= 0;
}

static const char *options_check_minwidth(const char *text) {
	double value;
	bool is_pixels;
	return minwidth_parse(text, &value, &is_pixels)
		       ? NULL
		       : "a width of at least 0 such as 0.1, 0.1% or 2px";
}

static const char *options_check_colour(const char *text) {
	struct rgb colour;
	return rgb_parse(str_of(text), &colour) ? NULL : "a colour such as #1f9e3a";
}

static const char *options_check_stroke(const char *text) {
	return strcmp(text, "none") == 0 || options_check_colour(text) == NULL
		       ? NULL
		       : "none or a colour such as #1f9e3a";
}

static const char *options_check_background(const char *text) {
	struct gradient gradient;
	return gradient_parse(text, &gradient)
		       ? NULL
		       : "yellow, blue, green, grey or a colour such as #1f9e3a";
}

static const char *options_check_encoding(const char *text) {
	return strcasecmp(text, "UTF-8") == 0 ? NULL : "UTF-8, the only encoding that is written";
}

/** Check a value of --source-url. The scheme and the host must be in the template, so that the name
 * of a function cannot make a link run a script. */
static const char *options_check_source_url(const char *text) {
	static const char *const schemes[] = {"https://", "http://", "vscode://"};
	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
		struct str url = str_of(text), scheme = str_of(schemes[i]);
		if (str_starts(url, scheme)) {
			const char *path = strchr(text + scheme.n, '/');
			bool has_host = path != NULL && path > text + scheme.n;
			if (has_host && strstr(path, "{file}") != NULL &&
			    strstr(path, "{file}") == strstr(text, "{file}")) {
				return NULL;
			}
		}
	}
	return "an http, https or vscode address with {file} in its path, such as "
	       "'https://example.org/{file}#L{line}'";
}

static const char *options_check_note(const char *text) {
	const char *equals = strchr(text, '=');
	return equals != NULL && equals > text && equals[1] != '\0'
		       ? NULL
		       : "REGEX=TEXT, such as '^parse=rewritten in May'";
}

static const char *const data_names[] = {"auto", "full", "visible", "none", NULL};

#define FIELD(kind, field) OPT_IS_##kind(struct picture_options, field)

const struct opt picture_rows[] = {
	{FIELD(TEXT, title), .name = "title", .flags = OPT_UTF8, .value = "TEXT", .group = "Text",
	 .help = "heading; by default, the kind of graph, or, if 'inferno record' runs a program "
		 "without --style and --flamechart, the name of the program"},
	{FIELD(TEXT, subtitle), .name = "subtitle", .flags = OPT_UTF8, .value = "TEXT",
	 .group = "Text", .help = "second heading line"},
	{FIELD(TEXT, notes), .name = "notes", .flags = OPT_UTF8, .value = "TEXT", .initial = "",
	 .group = "Text", .help = "text to store in a comment of the file"},
	{FIELD(TEXT, countname), .name = "countname", .flags = OPT_UTF8, .value = "TEXT",
	 .initial = "samples", .group = "Text",
	 .help = "unit of the counts, in the plural; if not given, the unit of the profile, if "
		 "known"},
	{FIELD(TEXT, nametype), .name = "nametype", .flags = OPT_UTF8, .value = "TEXT",
	 .initial = "Function:", .group = "Text",
	 .help = "word that the viewer shows before the name of a frame"},
	{FIELD(TEXT, minwidth), .name = "minwidth", .value = "WIDTH", .initial = "0.01",
	 .check = options_check_minwidth, .group = "Shape", .also = "min-width",
	 .help = "leave out frames narrower than this percentage of the total, or number of "
		 "pixels, such as 2px"},
	{FIELD(BOOL, inverted), .name = "inverted", .letter = 'i', .group = "Shape",
	 .hint_for = "icicle", .help = "draw the root at the top (an icicle graph)"},
	{FIELD(UINT, width), .name = "width", .value = "PX", .least = LEAST_WIDTH,
	 .most = MOST_PIXELS, .group = "Shape", .also = "image-width",
	 .help = "width of the picture; by default, the width of the window"},
	{FIELD(UINT, height), .name = "height", .value = "PX", .initial = "16", .least = 1,
	 .most = MOST_PIXELS, .group = "Shape",
	 .help = "height of a frame; by default 18 in the modern style"},
	{FIELD(TEXT, fonttype), .name = "fonttype", .flags = OPT_UTF8, .value = "NAME",
	 .initial = "monospace", .group = "Shape",
	 .help = "font family of the labels; by default the system's monospaced font in the modern "
		 "style"},
	{FIELD(REAL, fontsize), .name = "fontsize", .value = "PX", .initial = "12", .least = 1,
	 .most = MOST_PIXELS, .group = "Shape", .help = "size of the text"},
	{FIELD(REAL, fontwidth), .name = "fontwidth", .value = "X", .initial = "0.59",
	 .flags = OPT_POSITIVE, .group = "Shape",
	 .help = "average width of a character, as a share of the text size; by default 0.62 in "
		 "the modern style"},
	{FIELD(BOOL, truncate_text_right), .name = "truncate-text-right", .group = "Shape",
	 .help = "accepted for compatibility, but without effect: the classic style always cuts "
		 "long names at the right end"},
	{FIELD(TEXT, bgcolors), .name = "bgcolors", .value = "COLOUR",
	 .check = options_check_background, .group = "Colours",
	 .help = "background: yellow, blue, green, grey or #rrggbb; by default, the background of "
		 "the palette"},
	{FIELD(TEXT, search_color), .name = "search-color", .value = "COLOUR", .initial = "#e600e6",
	 .check = options_check_colour, .group = "Colours",
	 .help = "colour of frames that a search finds"},
	{FIELD(TEXT, stroke_color), .name = "stroke-color", .value = "COLOUR", .initial = "none",
	 .check = options_check_stroke, .group = "Colours",
	 .help = "colour of the outline of frames"},
	{FIELD(TEXT, uicolor), .name = "uicolor", .value = "COLOUR", .check = options_check_colour,
	 .group = "Colours",
	 .help = "colour of headings and controls; by default black, or light in dark mode"},
	{FIELD(CHOICE, data), .name = "data", .value = "WHICH", .initial = "auto",
	 .choices = data_names, .group = "File",
	 .help = "frames to embed for the viewer; full embeds all; visible embeds the drawn "
		 "frames; none embeds none; auto embeds all, or as many of the widest frames as "
		 "fit into 4 MiB"},
	{FIELD(TEXT, source_url), .name = "source-url", .flags = OPT_UTF8, .value = "URL",
	 .check = options_check_source_url, .group = "File",
	 .help = "link functions of a page to their source, if their names end in a file and a "
		 "line: an address with {file} and {line}, such as "
		 "'https://example.org/{file}#L{line}'"},
	{FIELD(LIST, frame_notes), .name = "note", .flags = OPT_UTF8, .value = "REGEX=TEXT",
	 .check = options_check_note, .group = "File",
	 .help = "add a note to functions of a page whose names match; the pattern is a regular "
		 "expression of JavaScript, and ends at the first '='"},
	{FIELD(BOOL, with_lines), .name = "with-lines", .group = "File",
	 .help = "add to a page a table of the hottest source lines, at most 2000 in all, if the "
		 "profile has line numbers"},
	{FIELD(TEXT, encoding), .name = "encoding", .value = "NAME",
	 .check = options_check_encoding, .group = "File",
	 .help = "encoding to name in the file; only UTF-8 is accepted"},
	{FIELD(BOOL, pretty_xml), .name = "pretty-xml", .group = "File",
	 .help = "write one element per line, indented"},
	{FIELD(BOOL, no_javascript), .name = "no-javascript", .flags = OPT_HIDDEN, .group = "File",
	 .help = "leave out the viewer"},
	{.type = OPT_END},
};

#undef FIELD
#define FIELD(kind, field) OPT_IS_##kind(struct colour_options, field)

const struct opt colour_rows[] = {
	{FIELD(CHOICE, colors), .name = "colors", .letter = 'c', .value = "PALETTE",
	 .initial = "hot", .choices = palette_names, .group = "Colours", .also = "color palette",
	 .flags = OPT_YIELDS,
	 .help = "palette of colours, such as hot, java or rust; without this option, --hash, "
		 "--random, --cp and --colordiffusion, the modern style uses its own colours, and "
		 "a comparison colours frames by their change"},
	{FIELD(BOOL, hash), .name = "hash", .group = "Colours", .conflicts = "deterministic",
	 .help = "colour by name; names with the same start get similar colours"},
	{FIELD(BOOL, deterministic), .name = "deterministic", .group = "Colours",
	 .help = "colour by name"},
	{FIELD(BOOL, random), .name = "random", .group = "Colours",
	 .help = "colour at random, but the same on every run; this is the default"},
	{FIELD(BOOL, cp), .name = "cp", .group = "Colours",
	 .help = "give each name the same colour in all pictures; the file palette.map stores the "
		 "colours"},
	{FIELD(BOOL, colordiffusion), .name = "colordiffusion", .group = "Colours",
	 .conflicts = "colors", .help = "colour wide frames redder than narrow ones"},
	{FIELD(PATH, nameattr), .name = "nameattr", .value = "FILE", .group = "Text",
	 .help = "file of attributes for frames; each line has a function and key=value pairs, "
		 "separated by tabs"},
	{.type = OPT_END},
};

static const char *const style_names[] = {"classic", "modern", NULL};

#undef FIELD
#define FIELD(kind, field) OPT_IS_##kind(struct graph_options, field)

const struct opt graph_rows[] = {
	{FIELD(BOOL, flamechart), .name = "flamechart", .group = "Stacks",
	 .conflicts = "reverse no-sort",
	 .help = "keep the order of the stacks, so that the x axis is time; the last stack is "
		 "leftmost"},
	{FIELD(BOOL, no_sort), .name = "no-sort", .group = "Stacks", .conflicts = "reverse",
	 .help = "fail if the input is not sorted"},
	{FIELD(UINT, total), .name = "total", .value = "N", .group = "Stacks",
	 .help = "scale the picture to this total instead of the sum of the counts"},
	{FIELD(BOOL, negate), .name = "negate", .group = "Colours",
	 .help = "swap red and blue of a differential graph"},
	{FIELD(REAL, factor), .name = "factor", .value = "X", .initial = "1", .flags = OPT_POSITIVE,
	 .group = "Text", .help = "multiply all shown counts by this"},
	{FIELD(BOOL, health), .name = "health", .group = "Text",
	 .help = "write at the foot of the picture how many samples a recording (perf.data) has, "
		 "and how many of them were lost, were cut off or have no names"},
	{FIELD(CHOICE, style), .name = "style", .value = "LOOK", .initial = "classic",
	 .choices = style_names, .group = "Shape",
	 .help = "style of the picture; 'modern' gives each function a warm colour, follows the "
		 "light or dark mode of the browser, and shortens long names without cutting the "
		 "function's own name; pages and 'inferno record' use 'modern'"},
	{.type = OPT_END},
};
