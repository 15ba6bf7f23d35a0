/* The command flamegraph: a profile to a picture. */
#include "commands/reading.h"
#include "plot/svg.h"

static const char *const style_names[] = {"classic", "modern", NULL};

#define FIELD(kind, field) OPT_IS_##kind(struct graph_options, field)

static const struct opt option_rows[] = {
	{FIELD(LIST, base), .name = "base", .flags = OPT_UTF8, .value = "NAME", .group = "Stacks",
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
	{FIELD(BOOL, health), .name = "health", .group = "Text",
	 .help = "write at the foot of the picture how many samples a recording (perf.data) has, "
		 "and what it lacks"},
	{FIELD(PATH, nameattr), .name = "nameattr", .value = "FILE", .group = "Text",
	 .help = "file of attributes for frames; each line has a function, a tab and "
		 "key=value pairs"},
	{FIELD(CHOICE, style), .name = "style", .value = "LOOK", .initial = "classic",
	 .choices = style_names, .group = "Shape",
	 .help = "look of the picture; modern uses warm colours by name, follows the reader's "
		 "light or dark mode, and keeps the most telling part of a long label"},
	{.type = OPT_END},
};

/** Read the profile into `profile` and draw it. */
static int draw(const struct command_run *run, struct picture *picture, struct profile *profile) {
	const struct graph_options *options = OPT_VALUES(run->set, TABLE_OWN, struct graph_options);
	if (picture_init(picture, OPT_VALUES(run->set, TABLE_PICTURE, struct picture_options),
			 options, run->set, run->diag) != 0 ||
	    reading_run(run, run->sources, run->sources_n, profile) != 0 ||
	    picture_draw(picture, profile, options, run->diag) != 0) {
		return -1;
	}
	if (picture->total == 0) {
		// For programs that show a picture in any case.
		svg_write_error(run->out, &picture->design);
		return diag_error(run->diag, options->base.n > 0
						     ? "no stack counts left: no stack goes "
						       "through a function that --base names"
						     : "no stack counts found");
	}
	svg_write(run->out, picture);
	if (output_finish(run->out) != 0) {
		return 0; // the library says so; colours of no picture are not kept
	}
	return palette_save(&picture->palette, run->diag);
}

static int run(const struct command_run *run) {
	const struct graph_options *options = OPT_VALUES(run->set, TABLE_OWN, struct graph_options);
	struct picture picture = {0};
	struct profile profile;
	// Lines in order may be in none once their names are trimmed.
	profile_init(&profile,
		     options->flamechart || options->no_sort ? PROFILE_TIMELINE : PROFILE_CALLS);
	profile.names.trim = !options->no_sort;
	int result = draw(run, &picture, &profile);
	picture_release(&picture);
	profile_release(&profile);
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
	.tables = {[TABLE_OWN] = {option_rows, sizeof(struct graph_options)},
		   [TABLE_PICTURE] = {picture_rows, sizeof(struct picture_options)}},
	.run = run,
	.draws = true,
};
