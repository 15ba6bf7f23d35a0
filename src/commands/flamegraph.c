/* The command flamegraph: a profile to a picture. */
#include "commands/outputs.h"
#include "commands/reading.h"
#include "picture/options.h"

struct flamegraph_options {
	bool estimate_stacks;
};

static const struct opt own_rows[] = {
	READING_ESTIMATE_ROW(struct flamegraph_options, estimate_stacks),
	{.type = OPT_END},
};

static int flamegraph_run(const struct command_run *run) {
	return output_run(run, reading_fill);
}

static const struct example examples[] = {
	{"inferno flamegraph out.folded > out.svg", "draw folded stacks"},
	{"perf script | inferno flamegraph --colors rust > out.svg", "draw a recording of perf"},
	{NULL, NULL},
};

const struct command command_flamegraph = {
	.name = "flamegraph",
	.brief = "draw stacks with counts as a flame graph",
	.task = TASK_DRAW,
	.about = "Reads folded stacks, or any other format that 'inferno collapse guess' "
		 "recognises. A line of folded text has the frames of one stack from root to leaf, "
		 "separated by ';', then a blank and a count. Writes an SVG picture in which each "
		 "frame is a box on top of its caller, and as wide as its count. If the name of "
		 "the output ends in .html, "
		 "writes a page with the picture, tables and filters to work with it.\n\n"
		 "The picture contains a viewer for the browser: click on a frame to zoom, press "
		 "Ctrl-F to search, and press ? for a list of all keys.\n\n"
		 "If lines have two counts, before and after, the second sets the widths, and "
		 "colours show the difference. In the modern style and in pages, such lines are "
		 "drawn as 'inferno diff --svg' draws them.",
	.examples = examples,
	.usual = "base reverse flamechart total colors hash cp title "
		 "countname style minwidth inverted width open output nthreads",
	.fallback = "folded",
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {own_rows, sizeof(struct flamegraph_options)},
		   [TABLE_TIMES] = {reading_times_rows, sizeof(struct reading_times_options)},
		   [TABLE_STACKS] = {transform_rows, sizeof(struct transform_options)},
		   [TABLE_GRAPH] = {graph_rows, sizeof(struct graph_options)},
		   [TABLE_COLOURS] = {colour_rows, sizeof(struct colour_options)},
		   [TABLE_PICTURE] = {picture_rows, sizeof(struct picture_options)}},
	.output = "svg",
	.writes = EXPORT_ONE,
	.run = flamegraph_run,
	.draws = true,
};
