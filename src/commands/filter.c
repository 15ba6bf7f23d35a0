/* The command filter: keep, cut and rename stacks. */
#include <math.h>
#include <stdlib.h>

#include "base/regexp.h"
#include "commands/stream.h"
#include "merge/prune.h"
#include "merge/shape.h"

struct filter_options {
	struct opt_list focus, ignore, root, trim, hide, renames;
	const char *rules, *memory;
	bool fold_recursion;
	double least_share;
};

struct filtering {
	struct shape *shape;
	struct merger *merger;
	uint64_t stacks, kept;
};

static int filter_take_stack(void *context, struct str before, struct str stack, size_t common,
			     uint64_t count) {
	(void)before;
	struct filtering *filtering = context;
	struct shaped shaped;
	filtering->stacks++;
	if (!shape_stack(filtering->shape, stack, common, &shaped)) {
		return 0;
	}
	filtering->kept++;
	return merger_add(filtering->merger, shaped.before, shaped.stack, shaped.common, count);
}

/** Cut off call paths whose share is too small, and write the stacks. */
static int filter_write_pruned(const struct filtering *filtering,
			       const struct filter_options *options,
			       const struct command_run *run) {
	uint64_t total = merger_total(filtering->merger);
	if (total == UINT64_MAX) {
		return diag_error_sum(run->diag, NULL);
	}
	struct merger *pruned = merger_new(stream_memory(options->memory), run->diag);
	double least = ceil((double)total * options->least_share / 100);
	merger_begin(pruned, STR(""), 0);
	int result = prune(filtering->merger, pruned, (uint64_t)least);
	result = result == 0 ? merger_end(pruned, 0) : result;
	result = result == 0 ? merger_write(pruned, run->out, 1) : result;
	merger_free(pruned);
	return result;
}

/** Read, change and write the stacks. */
static int filter_stacks(struct filtering *filtering, const struct filter_options *options,
			 const struct command_run *run) {
	struct buf unit = {0};
	const struct folded_stream stream = {filter_take_stack, filtering, &unit};
	int result = 0;
	merger_begin(filtering->merger, STR(""), 0);
	for (size_t i = 0; i < run->sources_n && result == 0; i++) {
		result = stream_read(run, &run->sources[i], &stream);
	}
	buf_release(&unit);
	result = result == 0 ? merger_end(filtering->merger, 0) : result;
	if (result == 0 && filtering->kept == 0 && filtering->stacks > 0) {
		result = diag_warn(run->diag, "no stack is left of %llu",
				   (unsigned long long)filtering->stacks);
	}
	if (result != 0) {
		return result;
	}
	diag_note(run->diag, "kept %llu of %llu lines", (unsigned long long)filtering->kept,
		  (unsigned long long)filtering->stacks);
	return options->least_share > 0 ? filter_write_pruned(filtering, options, run)
					: merger_write(filtering->merger, run->out, 1);
}

static int filter_run(const struct command_run *run) {
	const struct filter_options *options =
		OPT_VALUES(run->set, TABLE_OWN, struct filter_options);
	const struct shape_options shape = {
		.renames = &options->renames,
		.rules = options->rules,
		.focus = &options->focus,
		.ignore = &options->ignore,
		.root = &options->root,
		.trim = &options->trim,
		.hide = &options->hide,
		.fold_recursion = options->fold_recursion,
		.separator = options->least_share > 0 ? PRUNE_SEPARATOR : ';',
	};
	struct filtering filtering = {.shape = shape_new(&shape, run->diag)};
	if (filtering.shape == NULL) {
		return -1;
	}
	filtering.merger = merger_new(stream_memory(options->memory), run->diag);
	int result = filter_stacks(&filtering, options, run);
	merger_free(filtering.merger);
	shape_free(filtering.shape);
	return result;
}

#define FIELD(kind, field) OPT_IS_##kind(struct filter_options, field)

static const struct opt option_rows[] = {
	{FIELD(LIST, focus), .name = "focus", .value = "REGEX", .check = regexp_check,
	 .group = "Stacks",
	 .help = "keep stacks with a frame that matches; if given several times, every REGEX must "
		 "match a frame"},
	{FIELD(LIST, ignore), .name = "ignore", .value = "REGEX", .check = regexp_check,
	 .group = "Stacks", .help = "leave out stacks with a frame that matches"},
	{FIELD(REAL, least_share), .name = "min-share", .value = "PERCENT", .least = 0, .most = 100,
	 .group = "Stacks",
	 .help = "cut off call paths with less than this share of all counts, and add their counts "
		 "to the caller"},
	{FIELD(LIST, root), .name = "root", .value = "REGEX", .check = regexp_check,
	 .group = "Frames",
	 .help = "cut off the callers of the outermost frame that matches, and leave out stacks "
		 "without a match"},
	{FIELD(LIST, trim), .name = "trim", .value = "REGEX", .check = regexp_check,
	 .group = "Frames", .help = "cut off the callees of the outermost frame that matches"},
	{FIELD(LIST, hide), .name = "hide", .value = "REGEX", .check = regexp_check,
	 .group = "Frames",
	 .help = "leave out frames that match; the callees of such a frame become callees of its "
		 "caller"},
	{FIELD(BOOL, fold_recursion), .name = "fold-recursion", .group = "Frames",
	 .help = "leave out frames that equal their caller"},
	{FIELD(LIST, renames), .name = "rename", .value = "RULE", .group = "Names",
	 .help = "change the names of frames by a rule such as '0x[0-9a-f]+ => 0x...'"},
	{FIELD(PATH, rules), .name = "rules", .value = "FILE", .group = "Names",
	 .help = "apply the rules in this file, one on each line, before the rules of --rename"},
	STREAM_MEMORY(struct filter_options),
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"inferno filter --focus parse --ignore cpu_idle out.folded > parse.folded",
	 "keep the stacks that contain a function"},
	{"inferno filter --root '^main$' --hide '^std::' out.folded > main.folded",
	 "begin stacks at main, and leave out the frames of a library"},
	{"inferno filter --min-share 0.1 out.folded | inferno flamegraph > out.svg",
	 "cut off calls that are too narrow to see"},
	{NULL, NULL},
};

const struct command command_filter = {
	.name = "filter",
	.brief = "keep, cut and rename stacks",
	.task = TASK_CUT,
	.about = "Reads folded stacks, or a profile of any format, and writes sorted folded "
		 "stacks. Stacks that have become equal are added up.\n"
		 "\n"
		 "REGEX is an extended regular expression, as for 'grep -E'. It matches a part of "
		 "the name of a single frame. The options are applied in this order: first the "
		 "rules of --rename and --rules, so that the other options apply to the new names; "
		 "then --focus, --ignore, --root, --trim, --hide, --fold-recursion, and last "
		 "--min-share.\n"
		 "\n"
		 "A rule is 'REGEX => REPLACEMENT'. The rules are applied one after another. Each "
		 "rule replaces every match in a name. In REPLACEMENT, \\1 to \\9 are the texts "
		 "that the groups in REGEX matched. A frame whose name becomes empty is left out. "
		 "In a file of rules, empty lines and lines that begin with '#' are skipped.\n"
		 "\n"
		 "Commands of other tools, and the options that do the same: grep main: --focus "
		 "main; grep -v cpu_idle: --ignore cpu_idle; sed 's/^.*;main;/main;/': --root "
		 "'^main$'; sed 's/;malloc;.*/;malloc/': --trim '^malloc$'; sed "
		 "'s/;__libc_start_main;/;/': --hide '^__libc_start_main$'; sed 's/_\\[k\\]//g': "
		 "--rename '_\\[k\\]$ =>'; stackcollapse-recursive.pl: --fold-recursion.",
	.examples = examples,
	.usual = "focus ignore min-share root trim hide fold-recursion rename rules memory output",
	.fallback = "folded",
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {option_rows, sizeof(struct filter_options)}},
	.output = "folded",
	.run = filter_run,
};
