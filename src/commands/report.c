/* The command report: a profile as a short text for terminals, or as data for scripts. */
#include "analysis/transform.h"
#include "commands/diff.h"
#include "commands/outputs.h"
#include "commands/reading.h"
#include "commands/selection.h"
#include "export/changes.h"
#include "export/hottest.h"

/** If a profile has only totals and calls of functions, refuse options that need stacks. */
static int report_check_table(const struct command_run *run, const struct profile *profile) {
	static const char why[] = "stacks, but the file has only functions and calls; "
				  "--estimate-stacks estimates stacks";
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
		"The options for stacks have the same meaning as in 'inferno filter', except that "
		"--keep is called --focus there. The rules are applied first, then the options in "
		"the order of this list.\n\n"
		"A path is a chain of calls, from caller to callee. It is indented below the path "
		"that calls it, and has the total of its first function. A callee continues the "
		"path if it has at least nine tenths of this total, and if every other callee has "
		"less than a two-hundredth of all counts.\n\n"
		"--by adds up stacks by their first frames. In samples of perf, a first frame is a "
		"process, or, with --by thread, a thread. To see only the samples of one process "
		"or thread, give its name to --keep. --peek lists the callers and callees of every "
		"function that the pattern matches. The functions with the largest totals come "
		"first.\n\n"
		"With --focus, the count of a caller or callee is the count of the stacks that "
		"contain both functions. If the function calls itself, the list of callers has the "
		"callers of its outermost calls, and the list of callees has the callees of all "
		"its calls. If no function has exactly this name, --focus chooses a function whose "
		"name contains the text: the one with the largest total.\n\nIf 'inferno record' "
		"made the recording with --wall, --off-cpu or --latency, the report counts the "
		"time that this option records. --value cpu-clock counts processor time "
		"instead.\n\n"
		"--lines, --list and --annotate need source lines or addresses, which recordings "
		"of perf, profiles of pprof and CPU profiles have. --list reads the source files "
		"that the profile names. For an inlined function, --list shows its own lines, and "
		"--annotate shows the machine code of the function that contains it.\n\n"
		"In names, control characters are replaced, and long names are cut in the middle. "
		"In Markdown, names are formatted as code. JSON and CSV have all functions, also "
		"with --max-lines. JSON has all values of a function, and uncut names. In CSV, an "
		"apostrophe comes before a name that a spreadsheet would take for a formula.\n\n"
		"Each function has a short handle: f1 is the function with the highest self count. "
		"--focus accepts a handle instead of a name if the input and the other options are "
		"the same, and if no function has the handle as its name.",
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
