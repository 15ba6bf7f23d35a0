/* The command flamegraph: its options, and stacks to tree to layout to svg. */
#include <math.h>
#include <strings.h>

#include "base/destination.h"
#include "base/num.h"
#include "base/utf8.h"
#include "plot/compare.h"
#include "plot/pack.h"
#include "plot/plot.h"
#include "plot/rows.h"
#include "plot/svg.h"

enum { MOST_PIXELS = 999999 };

/** Reads a least width: per cent of the whole, with or without `%`, or pixels, with `px`. */
static bool parse_minwidth(const char *text, double *value, bool *is_pixels) {
	struct str s = str_of(text);
	*is_pixels = str_ends(s, STR("px"));
	if (*is_pixels) {
		s = str_to(s, s.n - strlen("px"));
	} else if (str_ends(s, STR("%"))) {
		s = str_to(s, s.n - 1);
	}
	return num_parse_real(s, value) && isfinite(*value) && *value >= 0;
}

static const char *check_minwidth(const char *text) {
	double value;
	bool is_pixels;
	return parse_minwidth(text, &value, &is_pixels)
		       ? NULL
		       : "a width of at least 0 such as 0.1, 0.1% or 2px";
}

static const char *check_colour(const char *text) {
	struct rgb colour;
	return rgb_parse(str_of(text), &colour) ? NULL : "a colour such as #1f9e3a";
}

static const char *check_stroke(const char *text) {
	return strcmp(text, "none") == 0 || check_colour(text) == NULL
		       ? NULL
		       : "none or a colour such as #1f9e3a";
}

static const char *check_background(const char *text) {
	struct gradient gradient;
	return gradient_parse(text, &gradient)
		       ? NULL
		       : "yellow, blue, green, grey or a colour such as #1f9e3a";
}

static const char *check_encoding(const char *text) {
	return strcasecmp(text, "UTF-8") == 0 ? NULL : "UTF-8, the only encoding that is written";
}

static const char *const style_names[] = {"classic", "modern", NULL};
static const char *const data_names[] = {"auto", "full", "visible", "none", NULL};

#define FIELD(kind, field) OPT_IS_##kind(struct plot_options, field)

static const struct opt option_rows[] = {
	// of stacks with one count
	{FIELD(LIST, base), .name = "base", .value = "NAME", .group = "Stacks",
	 .help = "keep only stacks with this function, from there on"},
	{FIELD(BOOL, reverse), .name = "reverse", .group = "Stacks", .conflicts = "no-sort",
	 .help = "merge stacks from the leaf: who calls this"},
	{FIELD(BOOL, flamechart), .name = "flamechart", .group = "Stacks",
	 .conflicts = "reverse no-sort",
	 .help = "do not sort: time goes along the x axis, the last stack leftmost"},
	{FIELD(BOOL, no_sort), .name = "no-sort", .group = "Stacks",
	 .help = "fail if the input is not sorted"},
	{FIELD(UINT, total), .name = "total", .value = "N", .group = "Stacks",
	 .help = "scale to this total instead of the sum of the counts"},
	{FIELD(CHOICE, colors), .name = "colors", .letter = 'c', .value = "PALETTE",
	 .initial = "hot", .choices = palette_names, .group = "Colours", .also = "color palette",
	 .help = "palette; modern has colours of its own without this, --hash, --random, --cp and "
		 "--colordiffusion"},
	{FIELD(BOOL, hash), .name = "hash", .group = "Colours", .conflicts = "deterministic",
	 .help = "colour by name; names that begin alike look alike"},
	{FIELD(BOOL, deterministic), .name = "deterministic", .group = "Colours",
	 .help = "colour by name"},
	{FIELD(BOOL, random), .name = "random", .group = "Colours",
	 .help = "colour at random, the same on every run; the default"},
	{FIELD(BOOL, cp), .name = "cp", .group = "Colours",
	 .help = "keep the colours of names in palette.map, from picture to picture"},
	{FIELD(BOOL, colordiffusion), .name = "colordiffusion", .group = "Colours",
	 .conflicts = "colors", .help = "the wider, the redder"},
	{FIELD(BOOL, negate), .name = "negate", .group = "Colours",
	 .help = "swap red and blue of a differential graph"},
	{FIELD(REAL, factor), .name = "factor", .value = "X", .initial = "1", .group = "Text",
	 .help = "multiply the counts that are shown"},
	{FIELD(PATH, nameattr), .name = "nameattr", .value = "FILE", .group = "Text",
	 .help = "attributes for the frames of functions; a name, a tab and key=value pairs a "
		 "line"},
	{FIELD(CHOICE, style), .name = "style", .value = "LOOK", .initial = "classic",
	 .choices = style_names, .group = "Shape",
	 .help = "look of the picture; modern has one warm family of colours, by name, light or "
		 "dark as readers prefer, and labels that leave out what tells least"},
	// of any picture; FIRST_PICTURE_ROW is the first
	{FIELD(TEXT, title), .name = "title", .value = "TEXT", .group = "Text",
	 .help = "heading; without it the kind of graph"},
	{FIELD(TEXT, subtitle), .name = "subtitle", .value = "TEXT", .group = "Text",
	 .help = "second heading line"},
	{FIELD(TEXT, notes), .name = "notes", .value = "TEXT", .initial = "", .group = "Text",
	 .help = "words to keep in a comment of the file"},
	{FIELD(TEXT, countname), .name = "countname", .value = "TEXT", .initial = "samples",
	 .group = "Text", .help = "what is counted"},
	{FIELD(TEXT, nametype), .name = "nametype", .value = "TEXT",
	 .initial = "Function:", .group = "Text", .help = "word in front of a frame's details"},
	{FIELD(TEXT, minwidth), .name = "minwidth", .value = "WIDTH", .initial = "0.01",
	 .check = check_minwidth, .group = "Shape",
	 .help = "leave out frames narrower than per cent, or px as in 2px"},
	{FIELD(BOOL, inverted), .name = "inverted", .letter = 'i', .group = "Shape",
	 .help = "root at the top: an icicle graph"},
	{FIELD(UINT, width), .name = "width", .value = "PX", .least = LEAST_WIDTH,
	 .most = MOST_PIXELS, .group = "Shape",
	 .help = "width of the picture; without it as wide as the window"},
	{FIELD(UINT, height), .name = "height", .value = "PX", .initial = "16", .least = 1,
	 .most = MOST_PIXELS, .group = "Shape", .help = "height of a row of frames; modern: 18"},
	{FIELD(TEXT, fonttype), .name = "fonttype", .value = "NAME", .initial = "monospace",
	 .group = "Shape",
	 .help = "font family of the frames; modern: that of the system's monospaced text"},
	{FIELD(UINT, fontsize), .name = "fontsize", .value = "PX", .initial = "12", .least = 1,
	 .most = MOST_PIXELS, .group = "Shape", .help = "text size"},
	{FIELD(REAL, fontwidth), .name = "fontwidth", .value = "X", .initial = "0.59",
	 .group = "Shape",
	 .help = "average width of a character as a share of the text size; "
		 "modern: 0.62"},
	{FIELD(BOOL, truncate_text_right), .name = "truncate-text-right", .group = "Shape",
	 .help = "have the viewer cut long names at the right end"},
	{FIELD(TEXT, bgcolors), .name = "bgcolors", .value = "COLOUR", .check = check_background,
	 .group = "Colours",
	 .help = "background: yellow, blue, green, grey or #rrggbb; without it by palette"},
	{FIELD(TEXT, search_color), .name = "search-color", .value = "COLOUR", .initial = "#e600e6",
	 .check = check_colour, .group = "Colours", .help = "colour of what a search finds"},
	{FIELD(TEXT, stroke_color), .name = "stroke-color", .value = "COLOUR", .initial = "none",
	 .check = check_stroke, .group = "Colours", .help = "outline of the frames"},
	{FIELD(TEXT, uicolor), .name = "uicolor", .value = "COLOUR", .check = check_colour,
	 .group = "Colours",
	 .help = "colour of headings and controls; without it black, and light on dark where "
		 "readers prefer that"},
	{FIELD(CHOICE, data), .name = "data", .value = "HOW", .initial = "auto",
	 .choices = data_names, .group = "File",
	 .help = "frames that the file holds for the viewer: all, or the widest of very many; all; "
		 "only those that are drawn; none, and every frame is drawn"},
	{FIELD(TEXT, encoding), .name = "encoding", .value = "NAME", .check = check_encoding,
	 .group = "File", .help = "encoding to declare; it is UTF-8 in any case"},
	{FIELD(BOOL, pretty_xml), .name = "pretty-xml", .group = "File",
	 .help = "one element a line, indented"},
	{FIELD(BOOL, no_javascript), .name = "no-javascript", .flags = OPT_HIDDEN, .group = "File",
	 .help = "leave out the viewer"},
	{.type = OPT_END},
};

// Those above stay as they are where they cannot be given.
enum { FIRST_PICTURE_ROW = 15 };

const struct opt_table plot_table = {option_rows + FIRST_PICTURE_ROW, sizeof(struct plot_options)};

static int check_positive(const char *name, double value, struct diag *diag) {
	return value > 0 ? 0 : diag_error(diag, "--%s: expected a number above 0", name);
}

static int check(const struct opt_set *set, struct diag *diag) {
	const struct plot_options *options = set->values[TABLE_OWN];
	return check_positive("factor", options->factor, diag) != 0 ||
			       check_positive("fontwidth", options->fontwidth, diag) != 0
		       ? -1
		       : 0;
}

/** The text as well-formed UTF-8; it lives as long as the arena. */
static const char *repair(struct arena *arena, const char *text) {
	struct buf repaired = {0};
	utf8_repair(&repaired, str_of(text));
	const char *copy = arena_copy(arena, repaired.p, repaired.n);
	buf_release(&repaired);
	return copy;
}

/** What --style=modern has instead of the defaults. */
static void modernise(struct plot_options *options, const struct opt_set *set) {
	enum { ROW = 18 };
	options->shaded = !opt_given(set, "colors") && !options->hash && !options->random &&
			  !options->cp && !options->colordiffusion;
	options->deterministic = !options->hash && !options->random; // colours by name
	if (!opt_given(set, "height")) {
		options->height = ROW;
	}
	if (!opt_given(set, "fonttype")) {
		options->fonttype = NULL;
	}
	if (!opt_given(set, "fontwidth") && !opt_given(set, "fonttype")) {
		options->fontwidth = 0.62; // the widest of the fonts that it may be
	}
}

/** The options with all text that is drawn made well-formed. */
static struct plot_options drawable(const struct plot_options *given, const struct opt_set *set,
				    struct arena *arena) {
	struct plot_options options = *given;
	if (options.style == STYLE_MODERN) {
		modernise(&options, set);
	}
	const char **const texts[] = {&options.title,     &options.subtitle, &options.notes,
				      &options.countname, &options.nametype, &options.fonttype};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (*texts[i] != NULL) {
			*texts[i] = repair(arena, *texts[i]);
		}
	}
	return options;
}

/** What is made on the way to a picture; all of it is released in the end. */
struct plot {
	struct arena arena;
	struct plot_options options;
	struct attrs attrs;
	struct palette palette;
	struct stacks stacks;
	struct tree tree;
	struct layout layout;
	struct pack pack;
};

static void plot_release(struct plot *plot) {
	pack_release(&plot->pack);
	layout_release(&plot->layout);
	tree_release(&plot->tree);
	stacks_release(&plot->stacks);
	palette_release(&plot->palette);
	attrs_release(&plot->attrs);
	arena_release(&plot->arena);
}

static int sum_counts(const struct stacks *stacks, uint64_t *sum, struct diag *diag) {
	return stacks_sum(stacks, sum)
		       ? 0
		       : diag_error(
				 diag,
				 "the counts are too large: their sum does not fit into 64 bits");
}

/** Widens the picture to --total. */
static int apply_total(const struct command_run *run, uint64_t wanted, uint64_t *total) {
	if (!opt_given(run->set, "total")) {
		return 0;
	}
	if (wanted < *total) {
		return diag_warn(run->diag, "--total %llu is less than the sum of the counts, %llu",
				 (unsigned long long)wanted, (unsigned long long)*total);
	}
	*total = wanted;
	return 0;
}

/** A number of counts, rounded up: what a frame has to count at least. */
static uint64_t whole_counts(double counts) {
	counts = ceil(counts);
	return counts < 0x1p64 ? (uint64_t)counts : UINT64_MAX;
}

/** --minwidth in counts. */
static uint64_t least_count(const struct plot_options *options, uint64_t total) {
	double least;
	bool is_pixels;
	parse_minwidth(options->minwidth, &least, &is_pixels);
	if (is_pixels) {
		least = least / (double)(layout_width(options) - 2 * layout_margin(options)) * 100;
	}
	return whole_counts(least / (100 / (double)total));
}

static int read_all(struct command_run *run, struct plot *plot, uint64_t *total) {
	const struct plot_options *options = &plot->options;
	if (options->nameattr != NULL &&
	    attrs_read(&plot->attrs, options->nameattr, run->diag) != 0) {
		return -1;
	}
	if (palette_init(&plot->palette, options, run->diag) != 0 ||
	    run->read(run, run->sources, run->sources_n, &plot->stacks) != 0 ||
	    rows_arrange(&plot->stacks, options, run->diag) != 0 ||
	    sum_counts(&plot->stacks, total, run->diag) != 0) {
		return -1;
	}
	if (*total == 0) {
		svg_write_error(run->out, options); // for programs that show a picture in any case
		return options->base.n > 0
			       ? diag_error(run->diag,
					    "no stack counts left: no stack goes through a "
					    "function that --base names")
			       : diag_error(run->diag, "no stack counts found");
	}
	return apply_total(run, options->total, total);
}

/** Puts the profile into the picture, if it is wanted there. */
static void add_pack(struct plot *plot, struct picture *picture, uint64_t least) {
	enum { FEW = 1000 }; // frames are all drawn: it costs little and every program sees them
	if (plot->options.no_javascript || plot->options.data == DATA_NONE) {
		return;
	}
	picture->lean = plot->layout.n > FEW;
	uint64_t half_pixel = whole_counts(plot->layout.pixel / 200 * (double)picture->total);
	pack_build(&plot->pack, picture, &plot->palette,
		   picture->lean && half_pixel > least ? half_pixel : least);
	picture->pack = &plot->pack;
}

static int draw(struct command_run *run, struct plot *plot) {
	const struct plot_options *options = &plot->options;
	uint64_t total;
	if (read_all(run, plot, &total) != 0) {
		return -1;
	}
	uint64_t least = least_count(options, total);
	tree_build(&plot->tree, &plot->stacks, total);
	layout_build(&plot->layout, &plot->tree, total, least, options);
	palette_paint(&plot->palette, &plot->layout, &plot->stacks, &plot->tree);
	struct picture picture = {
		.options = options,
		.layout = &plot->layout,
		.tree = &plot->tree,
		.stacks = &plot->stacks,
		.attrs = &plot->attrs,
		.total = total,
	};
	add_pack(plot, &picture, least);
	svg_write(run->out, &picture);
	if (output_finish(run->out) != 0) {
		return 0; // whoever gave the output says so; colours of no picture are not kept
	}
	return palette_save(&plot->palette, run->diag);
}

static int run(struct command_run *run) {
	struct plot plot = {0};
	plot.options = drawable(run->set->values[TABLE_OWN], run->set, &plot.arena);
	bool ordered = plot.options.flamechart || plot.options.no_sort;
	stacks_init(&plot.stacks, STACKS_TAKE_LINES | (ordered ? STACKS_KEEP_ORDER : 0));
	int result = draw(run, &plot);
	plot_release(&plot);
	return result;
}

/* --- Two profiles --------------------------------------------------------------------------- */

/** The options for a picture of two profiles: what only pictures of one have gets what it needs. */
static struct plot_options comparing(const struct command_run *run, const struct compared *compared,
				     struct arena *arena) {
	struct plot_options options = *(const struct plot_options *)run->set->values[TABLE_PICTURE];
	struct buf subtitle = {0};
	options.compares = true;
	options.style = STYLE_MODERN;
	options.factor = 1;
	// The changes of frames that were left out would be missing in their callers.
	options.data = options.data == DATA_NONE ? DATA_NONE : DATA_FULL;
	if (options.subtitle == NULL) {
		compare_add_subtitle(&subtitle, compared);
		options.subtitle = buf_text(&subtitle);
	}
	options = drawable(&options, run->set, arena);
	buf_release(&subtitle);
	return options;
}

/** A picture of two profiles that is to be drawn. */
struct comparison {
	struct plot *plot;
	const struct compared *compared;
};

static void draw_compared(struct output *out, const void *context) {
	const struct comparison *comparison = context;
	const struct compared *compared = comparison->compared;
	struct plot *plot = comparison->plot;
	const struct plot_options *options = &plot->options;
	uint64_t total = compared->tree.frames[0].total;
	uint64_t least = least_count(options, total);
	layout_build(&plot->layout, &compared->tree, total, least, options);
	compare_paint(&plot->layout, compared);
	struct picture picture = {
		.options = options,
		.layout = &plot->layout,
		.tree = &compared->tree,
		.stacks = &compared->stacks,
		.attrs = &plot->attrs,
		.total = total,
		.compared = compared,
	};
	add_pack(plot, &picture, least);
	svg_write(out, &picture);
}

int plot_compared(struct command_run *run, const struct compared *compared, const char *path) {
	if (compared->tree.n == 0 || compared->tree.frames[0].total == 0) {
		return diag_error(run->diag, "no stack counts found in either profile");
	}
	struct plot plot = {0};
	struct comparison comparison = {&plot, compared};
	int result = 0;
	plot.options = comparing(run, compared, &plot.arena);
	palette_init(&plot.palette, &plot.options, run->diag);
	if (strcmp(path, "-") == 0) {
		draw_compared(run->out, &comparison);
	} else {
		result = destination_fill(path, draw_compared, &comparison, run->diag);
	}
	plot_release(&plot);
	return result;
}

static const struct example examples[] = {
	{"inferno flamegraph out.folded > out.svg", "draw folded stacks"},
	{"perf script | inferno flamegraph --colors rust > out.svg", "draw what perf has recorded"},
	{NULL, NULL},
};

const struct command command_flamegraph = {
	.name = "flamegraph",
	.brief = "draw stacks with counts as a flame graph",
	.about =
		"Reads folded stacks, a line each: frames separated by ';', root first, a blank "
		"and a count. Or reads "
		"a profile of any other format that 'inferno collapse guess' knows. Writes an SVG "
		"picture in which "
		"every frame is a box as wide as its count, on top of the frame that called it.\n\n"
		"A browser shows the picture with a viewer in it: a click on a frame zooms, Ctrl-F "
		"searches, ? lists all keys.\n\n"
		"With two counts a line, before and after, the second gives the "
		"widths, and colours tell "
		"the difference.",
	.examples = examples,
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {option_rows, sizeof(struct plot_options)}},
	.check = check,
	.run = run,
	.draws = true,
};
