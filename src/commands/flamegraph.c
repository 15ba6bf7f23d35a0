/* The command flamegraph: a profile to a picture. */
#include "base/pool.h"
#include "commands/collapse.h"
#include "commands/reading.h"
#include "plot/html.h"
#include "plot/svg.h"

/** Write a picture that says that there is nothing to draw, for programs that show one in any case.
 */
static void write_error(struct output *out, const struct design *design, unsigned format) {
	if (format == FORMAT_HTML) {
		html_write_error(out, design);
	} else {
		svg_write_error(out, design);
	}
}

/** Read the profile into `profile` and draw it. */
static int draw(const struct command_run *run, struct picture *picture, struct profile *profile) {
	const struct graph_options *options =
		OPT_VALUES(run->set, TABLE_GRAPH, struct graph_options);
	const struct picture_options *look =
		OPT_VALUES(run->set, TABLE_PICTURE, struct picture_options);
	if (picture_init(picture, look, options, run->set, run->diag) != 0 ||
	    reading_run(run, run->sources, run->sources_n, profile) != 0 ||
	    picture_draw(picture, profile, options, run->diag) != 0) {
		return -1;
	}
	if (picture->total == 0) {
		write_error(run->out, &picture->design, look->format);
		return diag_error(run->diag, options->base.n > 0
						     ? "no stack counts left: no stack goes "
						       "through a function that --base names"
						     : "no stack counts found");
	}
	(look->format == FORMAT_HTML ? html_write : svg_write)(run->out, picture);
	if (output_finish(run->out) != 0) {
		return 0; // the library reports the error; do not keep the colours
	}
	return palette_save(&picture->palette, run->diag);
}

static int run(const struct command_run *run) {
	const struct picture_options *look =
		OPT_VALUES(run->set, TABLE_PICTURE, struct picture_options);
	if (look->format == FORMAT_FOLDED) {
		return collapse_run(run);
	}
	const struct graph_options *options =
		OPT_VALUES(run->set, TABLE_GRAPH, struct graph_options);
	struct picture picture = {.threads = pool_threads(run->threads)};
	struct profile profile;
	profile_init(&profile,
		     options->flamechart || options->no_sort ? PROFILE_TIMELINE : PROFILE_CALLS);
	if (look->format == FORMAT_HTML && !options->flamechart) {
		profile_ask_times(&profile);
	}
	// Trimmed names could put sorted lines out of order.
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
	.about =
		"Reads folded stacks: one per line, the frames from root to leaf separated by "
		"';', then a blank and a count. Any other format that 'inferno collapse guess' "
		"recognises works as well. Writes an SVG picture in which each frame is a box on "
		"top of its caller, as wide as its count. If the name of the output ends in .html, "
		"writes a page with the picture, tables and filters to work with it.\n\n"
		"The picture holds a viewer for the browser: click on a frame to zoom, press "
		"Ctrl-F to search, ? for all keys.\n\n"
		"If lines have two counts, before and after, the second sets the widths, and "
		"colours show the difference.",
	.examples = examples,
	.fallback = "folded",
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_GRAPH] = {graph_rows, sizeof(struct graph_options)},
		   [TABLE_PICTURE] = {picture_rows, sizeof(struct picture_options)}},
	.run = run,
	.draws = true,
};
