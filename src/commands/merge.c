/* The command merge: add up many profiles of any formats, in bounded memory. */
#include "merge/merger.h"

#include "base/regexp.h"
#include "base/utf8.h"
#include "commands/stream.h"

struct merge_options {
	const char *memory, *label_from_name;
	struct opt_list labels;
	bool average;
	uint64_t normalize;
};

/* --- Options -------------------------------------------------------------------------------- */

/** Return whether a text can be the first frame of a folded stack. */
static bool merge_is_label(struct str text) {
	return text.n > 0 && is_graphic(text.p[0]) && text.p[0] != '#' &&
	       str_find(text, ';') == STR_NONE && str_find(text, '\n') == STR_NONE;
}

static int merge_check(const struct opt_set *set, size_t operands, struct diag *diag) {
	(void)operands;
	const struct merge_options *options = OPT_VALUES(set, TABLE_OWN, struct merge_options);
	for (size_t i = 0; i < options->labels.n; i++) {
		if (!merge_is_label(str_of(options->labels.items[i]))) {
			return diag_error(diag,
					  "--label: expected the name of a frame, without ';', "
					  "found '%s'",
					  quote(str_of(options->labels.items[i])).text);
		}
	}
	return 0;
}

/* --- Inputs --------------------------------------------------------------------------------- */

struct merge_merging {
	const struct command_run *run;
	const struct merge_options *options;
	struct merger *merger;
	struct regexp pattern; // of --label-from-name
	struct buf label;      // label of the current input
	struct buf unit;       // unit of the inputs so far
	uint64_t inputs_n;     // number of inputs that were added
};

/** Add a frame to the label of the input. */
static void merge_add_label(struct merge_merging *merging, struct str text) {
	utf8_repair(&merging->label, text);
	buf_add_char(&merging->label, ';');
}

/** Make the root frames for all stacks of an input. */
static int merge_make_label(struct merge_merging *merging, const struct source *source) {
	const struct merge_options *options = merging->options;
	regmatch_t found[2];
	buf_clear(&merging->label);
	for (size_t i = 0; i < options->labels.n; i++) {
		merge_add_label(merging, str_of(options->labels.items[i]));
	}
	if (options->label_from_name == NULL) {
		return 0;
	}
	const char *name = source->path;
	if (!regexp_matches(&merging->pattern, name, 2, found, 0)) {
		return diag_error(merging->run->diag,
				  "%s: --label-from-name '%s' does not match the name", name,
				  options->label_from_name);
	}
	const regmatch_t *part = found[1].rm_so >= 0 ? &found[1] : &found[0];
	struct str label = {name + part->rm_so, (size_t)(part->rm_eo - part->rm_so)};
	if (!merge_is_label(label)) {
		return diag_error(merging->run->diag,
				  "%s: --label-from-name '%s' finds '%s', which cannot be the name "
				  "of a frame",
				  name, options->label_from_name, quote(label).text);
	}
	merge_add_label(merging, label);
	return 0;
}

static int merge_add_stack(void *merger, struct str before, struct str stack, size_t common,
			   uint64_t count) {
	return merger_add(merger, before, stack, common, count);
}

/** Read an input, and add its stacks to the merger. */
static int merge_add_input(struct merge_merging *merging, const struct source *source) {
	if (merge_make_label(merging, source) != 0) {
		return -1;
	}
	merger_begin(merging->merger, buf_str(&merging->label), 0);
	const struct folded_stream stream = {merge_add_stack, merging->merger, &merging->unit};
	int result = stream_read(merging->run, source, &stream);
	return result == 0 ? merger_end(merging->merger, merging->options->normalize) : result;
}

/** Remove all stacks of an input that cannot be read completely. */
static int merge_leave_out(struct merge_merging *merging) {
	struct diag *diag = merging->run->diag;
	struct buf why = diag->error;
	diag->error = (struct buf){0};
	merger_drop(merging->merger);
	int result = diag_warn(diag, "%s; left out", buf_text(&why));
	buf_release(&why);
	return result;
}

static int merge_add_inputs(struct merge_merging *merging) {
	const struct command_run *run = merging->run;
	int result = 0;
	for (size_t i = 0; i < run->sources_n && result == 0; i++) {
		result = merge_add_input(merging, &run->sources[i]);
		merging->inputs_n += result == 0;
		if (result != 0 && run->diag->lenient) {
			result = merge_leave_out(merging);
		}
	}
	if (result == 0 && merging->inputs_n == 0) {
		result = diag_error(run->diag, "no input is left to merge");
	}
	return result;
}

static int merge_run(const struct command_run *run) {
	struct merge_merging merging = {
		.run = run, .options = OPT_VALUES(run->set, TABLE_OWN, struct merge_options)};
	const char *pattern = merging.options->label_from_name;
	if (pattern != NULL) {
		(void)regexp_init(&merging.pattern, pattern, 0, NULL); // was checked
	}
	merging.merger = merger_new(stream_memory(merging.options->memory), run->diag);
	int result = merge_add_inputs(&merging);
	if (result == 0) {
		result = merger_write(merging.merger, run->out,
				      merging.options->average ? merging.inputs_n : 1);
	}
	merger_free(merging.merger);
	buf_release(&merging.label);
	buf_release(&merging.unit);
	if (pattern != NULL) {
		regexp_release(&merging.pattern);
	}
	return result;
}

#define FIELD(kind, field) OPT_IS_##kind(struct merge_options, field)

static const struct opt option_rows[] = {
	{FIELD(LIST, labels), .name = "label", .value = "FRAME", .group = "Labels",
	 .help = "add a root frame such as host=a to all stacks; a second --label adds a callee of "
		 "this frame"},
	{FIELD(TEXT, label_from_name), .name = "label-from-name", .value = "REGEX",
	 .check = regexp_check, .group = "Labels",
	 .help = "add a root frame from the path of each file: the text that the first group of "
		 "the regular expression matches, or the whole match if there is no group"},
	{FIELD(UINT, normalize), .name = "normalize", .value = "TOTAL", .least = 1,
	 .most = UINT32_MAX, .group = "Counts",
	 .help = "scale the counts of each input to this total, so that all inputs have the same "
		 "weight"},
	{FIELD(BOOL, average), .name = "average", .group = "Counts",
	 .help = "divide the sums by the number of inputs"},
	STREAM_MEMORY(struct merge_options),
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"inferno merge web1.folded.gz web2.folded.gz > web.folded",
	 "add up the profiles of two hosts"},
	{"inferno merge --label-from-name '^[^.]+' web1.folded web2.folded > web.folded",
	 "give the stacks of each host a root frame"},
	{"inferno merge --memory 64M monday.perf tuesday.folded > both.folded",
	 "add up profiles of any formats, in little memory"},
	{NULL, NULL},
};

const struct command command_merge = {
	.name = "merge",
	.brief = "add up many profiles of any formats, in bounded memory",
	.task = TASK_CUT,
	.about = "Folds each input, and adds up equal stacks. The result is sorted folded text. It "
		 "does not depend on the order of the inputs, or on the way in which they are "
		 "grouped: if you merge results of merge, you get the same bytes as if you merge "
		 "everything at once. This is true for sums, but not for averages and normalized "
		 "counts.\n"
		 "\n"
		 "inferno merges sorted folded text while it reads it. Stacks "
		 "that do not fit into --memory go to temporary files without names, which "
		 "disappear even if the command crashes.\n"
		 "\n"
		 "If an input cannot be read, the command ends with an error. With --lenient, the "
		 "command leaves out the whole input, and a warning names it.",
	.examples = examples,
	.usual = "label label-from-name normalize average memory nthreads output lenient",
	.fallback = "folded",
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {option_rows, sizeof(struct merge_options)}},
	.check = merge_check,
	.output = "folded",
	.run = merge_run,
};
