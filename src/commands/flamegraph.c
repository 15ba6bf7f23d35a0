/* The command flamegraph: its options, and stacks to tree to layout to svg. */
#include <math.h>
#include <strings.h>

#include "base/destination.h"
#include "base/num.h"
#include "base/utf8.h"
#include "commands/flamegraph.h"
#include "commands/reading.h"
#include "plot/compare.h"
#include "plot/pack.h"
#include "plot/rows.h"
#include "plot/svg.h"

enum { MOST_PIXELS = 999999 };

/** Read a least width: per cent of the whole, with or without `%`, or pixels, with `px`. */
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
	 .help = "keep only stacks with this function, and cut off its callers"},
	{FIELD(BOOL, reverse), .name = "reverse", .group = "Stacks", .conflicts = "no-sort",
	 .help = "merge stacks from the leaf, to show who calls a function"},
	{FIELD(BOOL, flamechart), .name = "flamechart", .group = "Stacks",
	 .conflicts = "reverse no-sort",
	 .help = "keep the order of the stacks: time runs along the x axis, the last stack "
		 "leftmost"},
	{FIELD(BOOL, no_sort), .name = "no-sort", .group = "Stacks",
	 .help = "fail if the input is not sorted"},
	{FIELD(UINT, total), .name = "total", .value = "N", .group = "Stacks",
	 .help = "scale the picture to this total, not to the sum of the counts"},
	{FIELD(CHOICE, colors), .name = "colors", .letter = 'c', .value = "PALETTE",
	 .initial = "hot", .choices = palette_names, .group = "Colours", .also = "color palette",
	 .help = "palette; the modern style uses its own colours if neither this nor --hash, "
		 "--random, --cp or --colordiffusion is given"},
	{FIELD(BOOL, hash), .name = "hash", .group = "Colours", .conflicts = "deterministic",
	 .help = "colour by name; names with the same start get similar colours"},
	{FIELD(BOOL, deterministic), .name = "deterministic", .group = "Colours",
	 .help = "colour by name"},
	{FIELD(BOOL, random), .name = "random", .group = "Colours",
	 .help = "colour at random, but the same on every run; this is the default"},
	{FIELD(BOOL, cp), .name = "cp", .group = "Colours",
	 .help = "keep each name's colour from picture to picture, in the file palette.map"},
	{FIELD(BOOL, colordiffusion), .name = "colordiffusion", .group = "Colours",
	 .conflicts = "colors", .help = "colour wide frames redder than narrow ones"},
	{FIELD(BOOL, negate), .name = "negate", .group = "Colours",
	 .help = "swap red and blue of a differential graph"},
	{FIELD(REAL, factor), .name = "factor", .value = "X", .initial = "1", .flags = OPT_POSITIVE,
	 .group = "Text", .help = "multiply all shown counts by this"},
	{FIELD(PATH, nameattr), .name = "nameattr", .value = "FILE", .group = "Text",
	 .help = "file of attributes for frames; each line has a function, a tab and "
		 "key=value pairs"},
	{FIELD(CHOICE, style), .name = "style", .value = "LOOK", .initial = "classic",
	 .choices = style_names, .group = "Shape",
	 .help = "look of the picture; modern uses warm colours by name, follows the reader's "
		 "light or dark mode, and shortens labels where it hurts least"},
	// of any picture; FIRST_PICTURE_ROW is the first
	{FIELD(TEXT, title), .name = "title", .value = "TEXT", .group = "Text",
	 .help = "heading; the kind of graph if not given"},
	{FIELD(TEXT, subtitle), .name = "subtitle", .value = "TEXT", .group = "Text",
	 .help = "second heading line"},
	{FIELD(TEXT, notes), .name = "notes", .value = "TEXT", .initial = "", .group = "Text",
	 .help = "text to store in a comment of the file"},
	{FIELD(TEXT, countname), .name = "countname", .value = "TEXT", .initial = "samples",
	 .group = "Text",
	 .help = "word for what is counted; the unit of the profile if not given and known"},
	{FIELD(TEXT, nametype), .name = "nametype", .value = "TEXT",
	 .initial = "Function:", .group = "Text", .help = "word before the details of a frame"},
	{FIELD(TEXT, minwidth), .name = "minwidth", .value = "WIDTH", .initial = "0.01",
	 .check = check_minwidth, .group = "Shape",
	 .help = "leave out frames narrower than this: per cent, or pixels as in 2px"},
	{FIELD(BOOL, inverted), .name = "inverted", .letter = 'i', .group = "Shape",
	 .hint_for = "icicle", .help = "draw the root at the top (an icicle graph)"},
	{FIELD(UINT, width), .name = "width", .value = "PX", .least = LEAST_WIDTH,
	 .most = MOST_PIXELS, .group = "Shape",
	 .help = "width of the picture; as wide as the window if not given"},
	{FIELD(UINT, height), .name = "height", .value = "PX", .initial = "16", .least = 1,
	 .most = MOST_PIXELS, .group = "Shape",
	 .help = "height of a frame; 18 in the modern style"},
	{FIELD(TEXT, fonttype), .name = "fonttype", .value = "NAME", .initial = "monospace",
	 .group = "Shape",
	 .help = "font family of the labels; the system's monospaced font in the modern style"},
	{FIELD(UINT, fontsize), .name = "fontsize", .value = "PX", .initial = "12", .least = 1,
	 .most = MOST_PIXELS, .group = "Shape", .help = "size of the text"},
	{FIELD(REAL, fontwidth), .name = "fontwidth", .value = "X", .initial = "0.59",
	 .flags = OPT_POSITIVE, .group = "Shape",
	 .help = "average width of a character, as a share of the text size; "
		 "0.62 in the modern style"},
	{FIELD(BOOL, truncate_text_right), .name = "truncate-text-right", .group = "Shape",
	 .help = "cut long names at the right end, not at the left"},
	{FIELD(TEXT, bgcolors), .name = "bgcolors", .value = "COLOUR", .check = check_background,
	 .group = "Colours",
	 .help = "background: yellow, blue, green, grey or #rrggbb; the palette's if not given"},
	{FIELD(TEXT, search_color), .name = "search-color", .value = "COLOUR", .initial = "#e600e6",
	 .check = check_colour, .group = "Colours", .help = "colour of frames that a search finds"},
	{FIELD(TEXT, stroke_color), .name = "stroke-color", .value = "COLOUR", .initial = "none",
	 .check = check_stroke, .group = "Colours", .help = "colour of the outline of frames"},
	{FIELD(TEXT, uicolor), .name = "uicolor", .value = "COLOUR", .check = check_colour,
	 .group = "Colours",
	 .help = "colour of headings and controls; if not given, black, or light in dark mode"},
	{FIELD(CHOICE, data), .name = "data", .value = "WHICH", .initial = "auto",
	 .choices = data_names, .group = "File",
	 .help = "how much of the profile to embed for the viewer: auto (all frames, or the widest "
		 "ones if the file would exceed 4 MiB), full, visible (drawn frames), none"},
	{FIELD(TEXT, encoding), .name = "encoding", .value = "NAME", .check = check_encoding,
	 .group = "File", .help = "encoding to declare; only UTF-8 is written"},
	{FIELD(BOOL, pretty_xml), .name = "pretty-xml", .group = "File",
	 .help = "write one element a line, indented"},
	{FIELD(BOOL, no_javascript), .name = "no-javascript", .flags = OPT_HIDDEN, .group = "File",
	 .help = "leave out the viewer"},
	{.type = OPT_END},
};

// Those above stay as they are where they cannot be given.
enum { FIRST_PICTURE_ROW = 15 };

const struct opt_table plot_table = {option_rows + FIRST_PICTURE_ROW, sizeof(struct plot_options)};

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
	struct profile profile;
	struct tree tree;
	struct layout layout;
	struct pack pack;
};

static void plot_release(struct plot *plot) {
	pack_release(&plot->pack);
	layout_release(&plot->layout);
	tree_release(&plot->tree);
	profile_release(&plot->profile);
	palette_release(&plot->palette);
	attrs_release(&plot->attrs);
	arena_release(&plot->arena);
}

static int sum_counts(const struct profile *profile, uint64_t *sum, struct diag *diag) {
	return profile_sum(profile, sum)
		       ? 0
		       : diag_error(
				 diag,
				 "the counts are too large: their sum does not fit into 64 bits");
}

/** Widen the picture to --total. */
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
	    reading_run(run, run->sources, run->sources_n, &plot->profile) != 0 ||
	    rows_arrange(&plot->profile, options, run->diag) != 0 ||
	    sum_counts(&plot->profile, total, run->diag) != 0) {
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

/** Call counts what they are of, if the profile tells and the user says nothing else. */
static void name_counts(struct plot_options *options, const struct opt_set *set,
			const struct profile *profile, struct arena *arena) {
	if (profile->unit.n > 0 && !opt_given(set, "countname") && options->factor == 1) {
		options->countname = arena_copy(arena, profile->unit.p, profile->unit.n);
	}
}

/** Put the profile into the picture, if it is wanted there. */
static void add_pack(struct plot *plot, struct picture *picture, uint64_t least) {
	enum { FEW = 1000 }; // frames are all drawn: it costs little and every program sees them
	if (plot->options.no_javascript || plot->options.data == DATA_NONE) {
		return;
	}
	picture->lean = plot->layout.n > FEW;
	uint64_t half_pixel =
		whole_counts(LEAST_DRAWN * plot->layout.pixel / 100 * (double)picture->total);
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
	name_counts(&plot->options, run->set, &plot->profile, &plot->arena);
	uint64_t least = least_count(options, total);
	tree_build(&plot->tree, &plot->profile, total);
	layout_build(&plot->layout, &plot->tree, total, least, options);
	palette_paint(&plot->palette, &plot->layout, &plot->profile, &plot->tree);
	struct picture picture = {
		.options = options,
		.layout = &plot->layout,
		.tree = &plot->tree,
		.profile = &plot->profile,
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
	// Lines in order may be in none once their names are trimmed.
	profile_init(&plot.profile, ordered ? PROFILE_TIMELINE : PROFILE_CALLS);
	plot.profile.names.trim = !plot.options.no_sort;
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
	name_counts(&options, run->set, &compared->profile, arena);
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
		.profile = &compared->profile,
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
		unsigned flags = destination_flags_for(path, run->sources, run->sources_n);
		result = destination_fill(path, flags, draw_compared, &comparison, run->diag);
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
	.about = "Reads folded stacks: one a line, the frames from root to leaf separated by ';', "
		 "then a blank and a count. Any other format that 'inferno collapse guess' "
		 "recognises "
		 "works as well. Writes an SVG picture in which each frame is a box on top of its "
		 "caller, as wide as its count.\n\n"
		 "The picture holds a viewer for the browser: click on a frame to zoom, press "
		 "Ctrl-F "
		 "to search, ? for all keys.\n\n"
		 "With two counts a line, before and after, the second one gives the widths, and "
		 "colours show the difference.",
	.examples = examples,
	.fallback = "folded",
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {option_rows, sizeof(struct plot_options)}},
	.run = run,
	.draws = true,
};
