/* The command report: a profile as a short text for terminals, or as data for scripts. */
#include "analysis/transform.h"
#include "commands/diff.h"
#include "commands/outputs.h"
#include "commands/reading.h"
#include "commands/selection.h"
#include "export/changes.h"
#include "export/hottest.h"

/** Refuse options that need stacks for a profile that has only totals and calls of functions. */
static int report_check_table(const struct command_run *run, const struct profile *profile) {
	static const char why[] = "stacks, and the file has functions and calls instead; "
				  "--estimate-stacks makes likely ones";
	if (!profile_has_table(profile)) {
		return 0;
	}
	return hottest_refuse(run->set, selection_names, why, run->diag) == 0 &&
			       hottest_refuse(run->set, "base reverse tree by lines list annotate",
					      why, run->diag) == 0
		       ? 0
		       : -1;
}

/** Read the profile, and apply the options that change its stacks. */
static int report_fill(const struct command_run *run, struct profile *profile) {
	const struct selection_options *options =
		OPT_VALUES(run->set, TABLE_SELECTION, struct selection_options);
	profile_ask_table(profile);
	return reading_fill(run, profile) == 0 && report_check_table(run, profile) == 0
		       ? selection_apply(options, profile, run->diag)
		       : -1;
}

static int report_run(const struct command_run *run) {
	return run->sources_n == 2 ? diff_report(run) : output_run(run, report_fill);
}

static int report_check(const struct opt_set *set, size_t operands, struct diag *diag) {
	if (operands > 2) {
		return diag_error(
			diag,
			"a report is on one profile, or compares two, found %zu; 'inferno "
			"merge' adds up several",
			operands);
	}
	if (operands == 2 && (hottest_check(set, true, diag) != 0 ||
			      hottest_refuse(set, selection_names,
					     "a report on one profile; 'inferno filter' changes "
					     "each of two files",
					     diag) != 0)) {
		return -1;
	}
	return selection_check(OPT_VALUES(set, TABLE_SELECTION, struct selection_options), diag);
}

static const struct example examples[] = {
	{"inferno report perf.data", "list the hottest functions and the heaviest paths"},
	{"inferno report --focus main out.folded", "list the callers and callees of a function"},
	{"inferno report --keep parse --hide '^std::' out.folded",
	 "report on the stacks through a function, without frames of a library"},
	{"inferno report --lines perf.data", "list the hottest source lines"},
	{"inferno report before.folded after.folded", "list the functions that changed most"},
	{"inferno report --format markdown out.folded > report.md",
	 "write the report for a comment or a summary of a CI job"},
	{NULL, NULL},
};

const struct command command_report = {
	.name = "report",
	.brief = "list the hottest functions and the heaviest paths",
	.task = TASK_DRAW,
	.about = "Reads a profile in any format that 'inferno collapse guess' recognises, and "
		 "writes a report of 40 lines: the total, the functions with the highest self "
		 "counts and totals, and the heaviest paths. A line below each list says how much "
		 "the list leaves out. For two files, before and after, the report lists the "
		 "functions that changed most, as 'inferno diff --report' does.\n\n"
		 "The self count of a function is the count of the function without its callees. "
		 "Its total includes its callees. If a function calls itself, its total counts "
		 "each stack once.\n\n"
		 "Files of callgrind and cProfile have functions and calls, but no stacks. The "
		 "report lists the self counts, totals, callers and callees from the file. "
		 "Options for stacks need --estimate-stacks.",
	.details =
		"The options for stacks do what those of 'inferno filter' do, where --keep is "
		"called --focus: rules first, then the options in the order of this list.\n\n"
		"A path is a chain of calls, from caller to callee. Paths are indented below "
		"those that call them, and have the total of their first function. A call "
		"continues the path if it has at least nine tenths of this total, and no other "
		"callee has a two-hundredth of all counts.\n\n"
		"--by adds up stacks by their first frames. In samples of perf, the first frames "
		"are processes, or threads with --by thread. Then --keep with the name of a "
		"process or thread shows only its samples. --peek lists the callers and callees of "
		"every function that a pattern "
		"matches, those with the largest totals first.\n\n"
		"With --focus, the counts of callers and callees are those of the stacks "
		"through both functions. If the function calls itself, its callers are those of "
		"its outermost calls, and its callees those of all. If no function has the exact "
		"name, --focus shows the function with the largest total of those with the text in "
		"their names.\n\nIf 'inferno record' made the recording with --wall, --off-cpu or "
		"--latency, the counts are the time that this option records; --value cpu-clock "
		"counts processor time.\n\n"
		"--lines, --list and --annotate need source lines or addresses, which recordings "
		"of perf, profiles of pprof and CPU profiles have. --list reads the source files "
		"that the profile names. Functions that are inlined have their own lines; "
		"--annotate shows the machine code that they are in.\n\n"
		"Control characters in names are replaced, long names are cut in the middle, and "
		"in Markdown names are code. JSON and CSV have all functions; --max-lines does "
		"not cut them. JSON has all values of a function, and names as they are, except "
		"control characters. In CSV, an apostrophe is put before a name that a "
		"spreadsheet would take for a formula.\n\n"
		"A function has a short handle: f1 is the one with the highest self count. "
		"--focus takes it, as long as the input and the other options are the same, and "
		"no function has this very name.",
	.examples = examples,
	.usual = "max-lines focus peek by lines list annotate tree top keep ignore root value "
		 "format output",
	.fallback = "folded",
	.operands = "[BEFORE] [FILE]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {hottest_rows, sizeof(struct hottest_options)},
		   [TABLE_STACKS] = {transform_rows, sizeof(struct transform_options)},
		   [TABLE_TIMES] = {reading_times_rows, sizeof(struct reading_times_options)},
		   [TABLE_REPORT] = {report_rows, sizeof(struct report_options)},
		   [TABLE_SELECTION] = {selection_rows, sizeof(struct selection_options)}},
	.output = "text",
	.writes = EXPORT_LIST,
	.check = report_check,
	.run = report_run,
};
